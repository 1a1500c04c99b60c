/** A schema for reading: its properties with types, limits and descriptions, those of nested models when opened. */
import { useSignal } from '@preact/signals'
import type { Schema } from '../../contracts/openapi.js'
import { useSlices } from '../components/use-slices.js'
import { useUi } from '../ui.js'
import { schemaAddress } from './addresses.js'
import { limited, limitsOf, shapesOf, textOf, type Shape } from './schema-shapes.js'

/** What a schema says, as a list of its properties; a line where it has none. */
export function SchemaView ({ schema }: { readonly schema: Schema | undefined }) {
  const { description } = useUi()
  const shapes = shapesOf(schema ?? {}, description)
  if (shapes.length === 0) {
    const found = description.schema(schema)
    const lines = [description.typeName(schema), limitsOf(found), textOf(found.description)]
    return <p class="hint">{lines.filter(line => line !== '').join(' · ')}</p>
  }
  return <div class="shapes">{shapes.map((shape, index) => <ShapeView key={index} shape={shape} isOneOf={shapes.length > 1}/>)}</div>
}

function ShapeView ({ shape: { name, properties, required }, isOneOf }: {
  readonly shape: Shape
  readonly isOneOf: boolean
}) {
  const rows = Object.entries(properties)
  const shown = useSlices(rows.length, 100)
  return (
    <div>
      {(isOneOf || name !== undefined) && (
        <p class="kind">{name === undefined ? 'or' : <a href={schemaAddress(name)}>{name}</a>}</p>
      )}
      <ul class="properties">
        {rows.slice(0, shown).map(([each, schema]) => (
          <PropertyRow key={each} name={each} schema={schema} required={required.includes(each)}/>
        ))}
      </ul>
    </div>
  )
}

function PropertyRow ({ name, schema, required }: {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
}) {
  const { description } = useUi()
  const isOpen = useSignal(false)
  const resolved = description.schema(schema)
  const about = textOf(schema.description ?? (schema.$ref === undefined ? resolved.description : undefined))
  const limits = limitsOf(schema.$ref === undefined ? limited(schema) : resolved)
  const isNested = shapesOf(schema, description).length > 0
  const type = <span class="kind">{description.typeName(schema)}</span>
  return (
    <li>
      <code>{schema.deprecated === true ? <s title="deprecated">{name}</s> : name}</code>
      {required && <span class="required" title="required"> *</span>}{' '}
      {!isNested && type}
      {limits !== '' && <span class="limits">{limits}</span>}
      {about !== '' && <span class="hint">{about}</span>}
      {isNested && (
        <details class="nested" onToggle={({ currentTarget }) => { isOpen.value = currentTarget.open }}>
          <summary>{type}</summary>{isOpen.value && <SchemaView schema={schema}/>}
        </details>
      )}
    </li>
  )
}
