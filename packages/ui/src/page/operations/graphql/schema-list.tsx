/** What can be asked and changed: the fields of the schema's beginnings, with a document for each. */
import { useSignal } from '@preact/signals'
import type { GraphQLField, GraphQLSchema } from 'graphql'
import { IconButton } from '../../components/button.js'
import { controlProps, Field } from '../../components/field.js'
import { documentOf } from './documents.js'

/** Fields that are listed at once. */
const most = 100

const argumentsOf = ({ args }: GraphQLField<unknown, unknown>): string =>
  args.map(({ name, type }) => `${name}: ${String(type)}`).join(', ')

export function SchemaList ({ schema, onUse }: {
  readonly schema: GraphQLSchema, readonly onUse: (document: string) => void
}) {
  const text = useSignal('')
  const wanted = text.value.trim().toLowerCase()
  const beginnings = [
    ['query', schema.getQueryType()], ['mutation', schema.getMutationType()], ['subscription', schema.getSubscriptionType()]
  ] as const
  return (
    <section class="graphql-schema" aria-label="Schema">
      <Field id="graphql-find" label="Find a field">
        <input
          {...controlProps({ id: 'graphql-find' })} type="search" autocomplete="off" spellcheck={false} value={text.value}
          onInput={({ currentTarget }) => { text.value = currentTarget.value }}
        />
      </Field>
      {beginnings.map(([operation, type]) => {
        const fields = Object.values(type?.getFields() ?? {}).filter(({ name }) => name.toLowerCase().includes(wanted))
        if (fields.length === 0) return null
        return (
          <details key={operation} open={wanted !== ''}>
            <summary>{operation} ({fields.length})</summary>
            <ul>
              {fields.slice(0, most).map(field => (
                <li key={field.name}>
                  <div>
                    <code>{field.name}: {String(field.type)}</code>
                    {field.args.length > 0 && <p class="quiet-text">{argumentsOf(field)}</p>}
                    {typeof field.description === 'string' && <p class="quiet-text">{field.description}</p>}
                  </div>
                  <IconButton
                    label={`Write a document for ${field.name}`} icon="pencil"
                    onClick={() => { onUse(documentOf(operation, field)) }}
                  />
                </li>
              ))}
            </ul>
            {fields.length > most && <p class="quiet-text">and {fields.length - most} more: look for them by name</p>}
          </details>
        )
      })}
    </section>
  )
}
