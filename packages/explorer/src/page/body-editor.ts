/** The body of an operation, as JSON that can be edited. */
import type { RequestBody } from '@fastback/ui/openapi'
import type { ApiDescription } from './description.js'
import { element, lazyDetails } from './dom.js'
import { builtLater } from './inputs.js'
import { schemaView } from './schema-view.js'

export interface BodyEditor {
  readonly element: HTMLElement
  /** The body to send; undefined for none. */
  value (): string | FormData | undefined
}

export function bodyEditor (body: RequestBody, id: string, description: ApiDescription): BodyEditor {
  const schema = body.content['application/json']?.schema
  const example = description.beginning(schema) ?? empty(description, body)
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

/** An object with the members that must be there. */
function empty (description: ApiDescription, body: RequestBody): unknown {
  const { required = [] } = description.schema(body.content['application/json']?.schema)
  return Object.fromEntries((required as string[]).map(name => [name, '']))
}
