/** The schemas of the description, for reading. */
import type { ApiDescription } from './description.js'
import { element, lazyDetails } from './dom.js'

export function schemaList ({ document: { components: { schemas } } }: ApiDescription): HTMLElement {
  return element(
    'section',
    { class: 'model', 'aria-labelledby': 'schemas' },
    element(
      'details',
      { class: 'tag' },
      element(
        'summary',
        {},
        element('h2', { id: 'schemas' }, 'Schemas'),
        element('span', { class: 'summary' }, `${Object.keys(schemas).length} schemas`)
      ),
      ...Object.entries(schemas).map(([name, schema]) =>
        lazyDetails({ class: 'schema' }, [element('code', {}, name)], () => [
          element('pre', { tabindex: 0, 'aria-label': name }, JSON.stringify(schema, null, 2))
        ])
      )
    )
  )
}
