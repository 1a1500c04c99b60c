/** Makes elements. Text is always text: nothing of a response or a description is ever read as HTML. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>
export type Child = Node | string | undefined

/**
 * An element with these attributes and children; texts among them are text.
 *
 * ```js
 * document.body.append(element('p', { class: 'hint' }, 'Two ', element('b', {}, 'words')))
 * ```
 */
export function element<Name extends keyof HTMLElementTagNameMap> (
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(attribute, '')
    else if (value !== undefined && value !== false) made.setAttribute(attribute, String(value))
  }
  made.append(...children.filter(child => child !== undefined))
  return made
}

/**
 * The element with this id, which index.html has.
 *
 * ```js
 * byId('title').textContent = 'Notes'
 * ```
 */
export function byId<Kind extends HTMLElement> (id: string): Kind {
  return document.getElementById(id) as Kind
}

/**
 * A `<details>` whose content is made when it is opened for the first time; at once with the event `fill`, for those
 * who look for something in it.
 */
export function lazyDetails (
  attributes: Attributes,
  summary: readonly Child[],
  content: () => readonly Child[]
): HTMLDetailsElement {
  const details = element('details', attributes, element('summary', {}, ...summary))
  const fill = (): void => {
    if (details.open && details.childElementCount === 1) {
      details.append(...content().filter(child => child !== undefined))
    }
  }
  details.addEventListener('toggle', fill)
  details.addEventListener('fill', fill)
  return details
}
