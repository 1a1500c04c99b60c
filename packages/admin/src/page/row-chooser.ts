/** Chooses a row of another model: a field that searches while one types (the combobox of WAI-ARIA). */
import type { Api } from './api.js'
import { choicesFor, choicesOf, type Choice } from './choices.js'
import { element } from './explorer/shared.js'
import type { AdminModel } from './models.js'

/** Milliseconds of quiet before rows are looked for. */
const quiet = 200

export interface ChooserParts {
  readonly id: string
  /** The model of the rows; undefined where it is not to be seen, so that the key is typed. */
  readonly other: AdminModel | undefined
  /** The property whose value is the key. */
  readonly target: string
  readonly api: Api
  /** The key that is there. */
  readonly current: unknown
  /** Whether keys are texts, also those that look like numbers. */
  readonly hasTextKeys: boolean
  fail (error: unknown): void
  /** Called when a row of the list was chosen. */
  chose? (choice: Choice): void
}

export interface RowChooser {
  readonly control: HTMLInputElement
  readonly beside: HTMLElement
  /** The key that is chosen, or typed; undefined for none. */
  key (): unknown
  clear (): void
}

export function rowChooser (parts: ChooserParts): RowChooser {
  const { id, other, target, api, current, fail } = parts
  const name = other?.name ?? 'this model'
  let chosen: Choice | undefined = current === undefined || current === null
    ? undefined
    : { key: current, label: String(current) }
  const control = element('input', {
    type: 'text', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': `${id}-list`, 'aria-autocomplete': 'list',
    autocomplete: 'off', spellcheck: 'false', value: chosen?.label
  })
  const list = element('ul', { id: `${id}-list`, role: 'listbox', 'aria-label': `Rows of ${name}`, hidden: true })
  const said = element('p', { class: 'hint', 'aria-live': 'polite' })
  let options: Choice[] = []
  let active = -1
  let asked = 0
  let timer = 0

  const close = (): void => {
    list.hidden = true
    active = -1
    control.setAttribute('aria-expanded', 'false')
    control.removeAttribute('aria-activedescendant')
  }
  const show = (choice: Choice | undefined): void => {
    chosen = choice
    control.value = choice?.label ?? ''
    said.textContent = ''
    close()
  }
  const choose = (choice: Choice): void => {
    show(choice)
    parts.chose?.(choice)
  }
  const point = (to: number): void => {
    active = options.length === 0 ? -1 : (to + options.length) % options.length
    for (const [index, line] of [...list.children].entries()) line.setAttribute('aria-selected', String(index === active))
    if (active >= 0) {
      control.setAttribute('aria-activedescendant', `${id}-${active}`)
      list.children[active]?.scrollIntoView({ block: 'nearest' })
    }
  }
  const offer = (): void => {
    list.replaceChildren(...options.map((option, index) => {
      const line = element('li', { role: 'option', id: `${id}-${index}`, 'aria-selected': 'false' },
        option.label, element('span', { class: 'kind' }, ` ${String(option.key)}`))
      // Before the field loses the focus.
      line.addEventListener('mousedown', event => {
        event.preventDefault()
        choose(option)
      })
      return line
    }))
    list.hidden = options.length === 0
    control.setAttribute('aria-expanded', String(options.length > 0))
    active = -1
    control.removeAttribute('aria-activedescendant')
    said.textContent = options.length === 0 ? `No row of ${name} fits` : ''
  }
  const search = async (): Promise<void> => {
    const mine = ++asked
    try {
      const found = other === undefined
        ? []
        : await choicesFor(control.value === chosen?.label ? '' : control.value.trim(), other, target, api)
      if (mine !== asked) return
      options = found
      offer()
    } catch (error) {
      if (mine !== asked) return
      said.textContent = `The rows of ${name} cannot be searched, so type the ${target}. ${(error as Error).message}`
    }
  }
  const isBlind = (): boolean => !api.may(other?.find)
  const startSearch = (): void => { search().catch(fail) }
  control.addEventListener('input', () => {
    window.clearTimeout(timer)
    if (!isBlind()) timer = window.setTimeout(startSearch, quiet)
  })
  control.addEventListener('keydown', event => {
    const { key } = event
    const option = options[active]
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (list.hidden && !isBlind()) startSearch()
      else point(key === 'ArrowDown' ? active + 1 : active < 0 ? -1 : active - 1)
    } else if (key === 'Enter' && !list.hidden && option !== undefined) {
      event.preventDefault()
      choose(option)
    } else if (key === 'Escape' && !list.hidden) {
      event.preventDefault()
      show(chosen)
    }
  })
  control.addEventListener('blur', () => {
    window.clearTimeout(timer)
    asked += 1
    if (isBlind()) return
    // A text that was not chosen from the list is no row; an empty one is none.
    const exact = options.find(({ label, key }) => label === control.value || String(key) === control.value)
    if (exact !== undefined && exact.key !== chosen?.key) choose(exact)
    else show(control.value === '' ? undefined : chosen)
  })
  if (isBlind()) said.textContent = `You may not read ${name}: type the ${target} of the row.`
  else if (chosen !== undefined) {
    choicesOf([chosen.key], other, target, api).then(([found]) => {
      if (found !== undefined && chosen?.key === found.key && document.activeElement !== control) show(found)
    }, fail)
  }
  return {
    control,
    beside: element('div', { class: 'picker' }, list, said),
    key: () => {
      if (!isBlind()) return chosen?.key
      const text = control.value.trim()
      if (text === '') return undefined
      return parts.hasTextKeys || !Number.isFinite(Number(text)) ? text : Number(text)
    },
    clear: () => { show(undefined) }
  }
}
