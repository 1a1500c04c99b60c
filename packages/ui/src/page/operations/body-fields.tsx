/** A body without JSON: a field for each property that is a text, a number, a date, a choice or a list of those. */
import { useRef } from 'preact/hooks'
import type { Schema } from '../../contracts/openapi.js'
import type { ApiDescription } from '../api/description.js'
import { controlProps, Field } from '../components/field.js'
import { Notice } from '../components/notice.js'
import { useSlices } from '../components/use-slices.js'
import { useUi } from '../ui.js'
import { fieldKindOf, type FieldKind } from './field-kinds.js'
import type { OperationState } from './state.js'

type Row = Readonly<Record<string, unknown>>

/** The properties of an object; of several schemas, those of the first that has some. */
export function shapeOf (
  schema: Schema | undefined, description: ApiDescription
): { properties: Readonly<Record<string, Schema>>, required: readonly string[] } {
  const found = description.schema(schema)
  const branch = ((found.anyOf ?? []) as Schema[])
    .map(each => description.schema(each)).find(each => each.properties !== undefined)
  const { properties = {}, required = [] } = (found.properties === undefined ? branch ?? {} : found) as {
    readonly properties?: Readonly<Record<string, Schema>>, readonly required?: readonly string[]
  }
  return { properties, required }
}

/** What is typed in a field is written into the JSON at once. What no field can hold stays as it is there. */
export function BodyFields ({ schema, state }: {
  readonly schema: Schema | undefined
  readonly state: OperationState
}) {
  const { description } = useUi()
  const { properties, required } = shapeOf(schema, description)
  const named = Object.entries(properties)
  const shown = useSlices(named.length, 50)
  const row = rowIn(state.body.value)
  if (row === undefined) return <Notice kind="warning">The JSON is not an object as it stands: mend it there first.</Notice>
  const kinds = named.map(([name, each]) => [name, each, fieldKindOf(name, each)] as const)
  const others = kinds.filter(([,, kind]) => kind === undefined).map(([name]) => name)
  const set = (name: string, value: unknown): void => {
    const { [name]: _, ...rest } = rowIn(state.body.peek()) ?? {}
    state.body.value = JSON.stringify(value === undefined ? rest : { ...rest, [name]: value }, null, 2)
  }
  return (
    <div class="fields" role="group" aria-label="Fields">
      {kinds.slice(0, shown).map(([name, each, kind], index) => kind !== undefined && (
        <BodyField
          key={name} name={name} schema={each} kind={kind} id={`body-field-${index}`} required={required.includes(name)} value={row[name]}
          onChange={value => { set(name, value) }}
        />
      ))}
      {others.length > 0 && <p class="hint">As JSON: {others.join(', ')}</p>}
    </div>
  )
}

function BodyField ({ name, schema, kind, id, required, value, onChange }: {
  readonly name: string
  readonly schema: Schema
  readonly kind: FieldKind
  readonly id: string
  readonly required: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}) {
  const { description } = useUi()
  // What is being typed stays as it is: it may be half a number, or a line that has just begun.
  const typed = useRef<{ readonly text: string, readonly value: unknown } | undefined>(undefined)
  const isTyped = typed.current !== undefined && JSON.stringify(typed.current.value) === JSON.stringify(value)
  const text = isTyped ? typed.current?.text ?? '' : value === undefined || value === null ? '' : kind.textOf(value)
  const hint = [schema.description, kind.control === 'lines' ? 'One value a line.' : undefined]
    .filter(each => typeof each === 'string').join(' ')
  const input = ({ currentTarget }: {
    readonly currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
  }): void => {
    typed.current = { text: currentTarget.value, value: kind.valueOf(currentTarget.value) }
    onChange(typed.current.value)
  }
  const props = { ...controlProps({ id, required, hint: hint === '' ? undefined : hint }), value: text, onInput: input }
  return (
    <Field id={id} label={name} required={required} kind={description.typeName(schema)} {...hint === '' ? {} : { hint }}>
      {kind.control === 'select'
        ? (
          <select {...props}>
            <option value=""/>{kind.choices?.map(choice => <option key={choice} value={choice}>{choice}</option>)}
          </select>
          )
        : kind.control === 'lines'
          ? <textarea {...props} rows={2} spellcheck={false}/>
          : kind.control === 'number'
            ? <input {...props} type="number" step={kind.step}/>
            : kind.control === 'password'
              ? <input {...props} type="password" autocomplete="new-password"/>
              : kind.control === 'text'
                ? <input {...props} type="text" autocomplete="off" spellcheck={false}/>
                : <input {...props} type={kind.control} step={1}/>}
    </Field>
  )
}

function rowIn (text: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value as Row : undefined
  } catch {
    return undefined
  }
}
