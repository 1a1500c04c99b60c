/** The list of models, each with its operations, and the field that searches them. */
import { element } from './dom.js'
import { operationPanel, type Page } from './operation.js'

export function modelList (page: Page): HTMLElement[] {
  return page.description.document.tags.map(({ name, description }) => {
    const actions = page.description.of(name)
    return element(
      'section',
      { class: 'model', 'data-tag': name, 'aria-labelledby': `model-${name}` },
      element(
        'details',
        { class: 'tag' },
        element(
          'summary',
          {},
          element('h2', { id: `model-${name}` }, name),
          element(
            'span',
            { class: 'summary' },
            [description, `${actions.length} operations`].filter(text => text !== undefined).join(' · ')
          )
        ),
        ...actions.map(action => operationPanel(action, page))
      )
    )
  })
}

/** Shows the operations whose name, path or summary has all the words; models with none are hidden. */
export function search (text: string, list: HTMLElement): void {
  const words = text.toLowerCase().split(/\s+/).filter(word => word !== '')
  for (const section of list.querySelectorAll<HTMLElement>('section.model')) {
    let found = 0
    for (const operation of section.querySelectorAll<HTMLElement>('details.operation')) {
      const line = `${operation.id} ${operation.querySelector('summary')?.textContent ?? ''}`.toLowerCase()
      operation.hidden = !words.every(word => line.includes(word))
      if (!operation.hidden) found++
    }
    section.hidden = found === 0
    if (words.length > 0) (section.firstElementChild as HTMLDetailsElement).open = true
  }
}

/** Opens what an address names (`#Note.find`), and lets the address name what was opened last. */
export function followAddress (list: HTMLElement): void {
  const open = (): void => {
    const wanted = document.getElementById(decodeURIComponent(window.location.hash.slice(1)))
    if (!(wanted instanceof HTMLDetailsElement) || !list.contains(wanted)) return
    for (let at: HTMLElement | null = wanted; at !== null && at !== list; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true
    }
    wanted.querySelector('summary')?.focus()
  }
  list.addEventListener('toggle', event => {
    const { target } = event
    if (target instanceof HTMLDetailsElement && target.open && target.id !== '') {
      window.history.replaceState(null, '', `#${encodeURIComponent(target.id)}`)
    }
  }, true)
  window.addEventListener('hashchange', open)
  open()
}
