/** The list of models, each with its operations: made when it is opened, or when a search or an address leads there. */
import type { Action } from './description.js'
import { element, lazyDetails } from './dom.js'
import { operationPanel, type Page } from './operation.js'

export function modelList (page: Page): HTMLElement[] {
  const tags = [...page.description.document.tags].sort((one, other) => one.name.localeCompare(other.name))
  return tags.map(({ name, description }) => {
    const actions = page.description.of(name)
    return element(
      'section',
      { class: 'model', 'data-tag': name, 'aria-labelledby': `model-${name}` },
      lazyDetails(
        { class: 'tag', id: `model.${name}` },
        [
          element('h2', { id: `model-${name}` }, name),
          element(
            'span',
            { class: 'summary' },
            [description, `${actions.length} operations`].filter(text => text !== undefined).join(' · ')
          )
        ],
        () => grouped(actions).flatMap(([relation, those]) => [
          ...relation === undefined ? [] : [element('h3', {}, relation)],
          ...those.map(action => operationPanel(action, page))
        ])
      )
    )
  })
}

/** The model's own operations, then those of each relation. */
function grouped (actions: readonly Action[]): Array<[relation: string | undefined, actions: Action[]]> {
  const groups = new Map<string | undefined, Action[]>([[undefined, []]])
  for (const action of actions) {
    const relation = /\.prototype\.__[A-Za-z]+__([\w-]+?)(\.[a-z]+\d*)?$/.exec(action.operationId)?.[1]
    groups.set(relation, [...groups.get(relation) ?? [], action])
  }
  return [...groups]
}

/** Shows the operations whose name, path or summary has all the words; models with none are hidden. */
export function search (text: string, list: HTMLElement, { description }: Page, said: HTMLElement): void {
  const words = text.toLowerCase().split(/\s+/).filter(word => word !== '')
  const found = new Set(description.actions.filter(({ operationId, verb, path, summary = '' }) => {
    const line = `${operationId} ${verb} ${path} ${summary}`.toLowerCase()
    return words.every(word => line.includes(word))
  }).map(({ operationId }) => operationId))
  const tags = new Set(description.actions.flatMap(each => found.has(each.operationId) ? each.tags : []))
  for (const section of list.querySelectorAll<HTMLElement>('section.model')) {
    section.hidden = words.length > 0 && !tags.has(section.dataset.tag as string)
    if (words.length > 0 && !section.hidden) open(section.firstElementChild as HTMLDetailsElement)
    for (const operation of section.querySelectorAll<HTMLElement>('details.operation')) {
      operation.hidden = words.length > 0 && !found.has(operation.id)
    }
    for (const heading of section.querySelectorAll<HTMLElement>('h3')) heading.hidden = words.length > 0
  }
  said.textContent = words.length === 0
    ? ''
    : found.size === 0 ? `Nothing is called "${text.trim()}"` : `${found.size} of ${description.actions.length} operations`
}

/** Opens at once, and makes what is in it. */
function open (details: HTMLDetailsElement): void {
  details.open = true
  details.dispatchEvent(new Event('fill'))
}

const key = `fastback.explorer.open ${window.location.pathname}`

/**
 * Opens what an address names (`#Note.find`, `#schema.Note`), lets the address name what was opened last, and opens the
 * models again that were open when the tab left.
 */
export function followAddress (list: HTMLElement, { description }: Page): void {
  const follow = (): void => {
    const name = decodeURIComponent(window.location.hash.slice(1))
    const tag = description.actions.find(({ operationId }) => operationId === name)?.tags[0]
    const around = document.getElementById(name.startsWith('schema.') ? 'schema.' : `model.${tag ?? ''}`)
    if (around instanceof HTMLDetailsElement) open(around)
    const wanted = document.getElementById(name)
    if (!(wanted instanceof HTMLDetailsElement) || !list.contains(wanted)) return
    wanted.hidden = false
    open(wanted)
    wanted.querySelector('summary')?.focus()
  }
  for (const id of kept()) {
    const details = document.getElementById(id)
    if (details instanceof HTMLDetailsElement && list.contains(details)) open(details)
  }
  list.addEventListener('toggle', event => {
    const { target } = event
    if (!(target instanceof HTMLDetailsElement) || target.id === '') return
    if (target.className === 'tag') keep(list)
    else if (target.open) window.history.replaceState(null, '', `#${encodeURIComponent(target.id)}`)
  }, true)
  window.addEventListener('hashchange', follow)
  follow()
}

function keep (list: HTMLElement): void {
  const ids = [...list.querySelectorAll('details.tag[open]')].map(({ id }) => id)
  window.sessionStorage.setItem(key, JSON.stringify(ids))
}

const kept = (): string[] => JSON.parse(window.sessionStorage.getItem(key) ?? '[]') as string[]
