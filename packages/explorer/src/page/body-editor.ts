/** The body of an operation, as JSON that can be edited. */
import type { RequestBody, Schema } from '../document/types.js'
import type { ApiDescription } from './description.js'
import { element, lazyDetails } from './dom.js'
import { builtLater } from './inputs.js'
import { schemaView } from './schema-view.js'
import { shapeOf } from './shape.js'

export interface BodyEditor {
  readonly element: HTMLElement
  /** The body to send; undefined for none. */
  value (): string | FormData | undefined
}

export function bodyEditor (body: RequestBody, id: string, description: ApiDescription): BodyEditor {
  const schema = body.content['application/json']?.schema
  const example = needed(description, schema)
  const text = JSON.stringify(example, null, 2)
  const area = element(
    'textarea',
    { id, name: 'body', rows: Math.min(12, Math.max(3, text.split('\n').length)), spellcheck: 'false' },
    text
  )
  const fields = builtLater('Fields', true, async () =>
    (await import('./body-fields.js')).bodyFields(schema, id, description, area))
  return {
    element: element(
      'div',
      { class: 'parameter' },
      element(
        'label',
        { for: id },
        'body',
        body.required ? element('span', { class: 'required', title: 'required' }, ' *') : undefined
      ),
      element('span', { class: 'kind' }, `application/json, ${description.typeName(schema)}`),
      fields,
      area,
      lazyDetails({ class: 'nested' }, ['Schema'], () => [schemaView(schema, description)]),
      body.description === undefined ? undefined : element('p', { class: 'hint' }, body.description)
    ),
    value: () => area.value.trim() || undefined
  }
}

/**
 * What is sent when nothing is typed: of an object its required members, as what is optional would be written into rows
 * by who only looks; of other bodies the example.
 */
function needed (description: ApiDescription, schema: Schema | undefined): unknown {
  const example = description.example(schema)
  const { properties, required } = shapeOf(schema, description)
  if (Object.keys(properties).length === 0) return example ?? {}
  const shown = (example !== null && typeof example === 'object' ? example : {}) as Readonly<Record<string, unknown>>
  return Object.fromEntries(required.map(name => [name, Object.hasOwn(shown, name) ? shown[name] : '']))
}
