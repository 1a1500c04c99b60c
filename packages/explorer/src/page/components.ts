/** The schemas of the description, for reading. */
import type { Schema } from '@fastback/ui/openapi'
import { copyButton } from './copy.js'
import type { ApiDescription } from './description.js'
import { element, lazyDetails } from './dom.js'
import { schemaView } from './schema-view.js'

export function schemaList (description: ApiDescription): HTMLElement {
  const { schemas } = description.document.components
  return element(
    'section',
    { class: 'model', 'data-tag': 'Schemas', 'aria-labelledby': 'schemas' },
    lazyDetails(
      { class: 'tag', id: 'schema.' },
      [
        element('h2', { id: 'schemas' }, 'Schemas'),
        element('span', { class: 'summary' }, `${Object.keys(schemas).length} schemas`)
      ],
      () => Object.entries(schemas).map(([name, schema]) =>
        lazyDetails({ class: 'schema', id: `schema.${name}` }, [element('code', {}, name)], () => [
          schemaView(schema, description), asJson(name, schema)
        ])
      )
    )
  )
}

const asJson = (name: string, schema: Schema): HTMLElement =>
  lazyDetails({}, ['JSON'], () => {
    const text = element('pre', { tabindex: 0, 'aria-label': name }, JSON.stringify(schema, null, 2))
    return [copyButton(text), text]
  })
