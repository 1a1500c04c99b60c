/** Chooses a row of another model: a field that searches while one types (the combobox of WAI-ARIA). */
import type { Api } from './api.js'
import { element } from './explorer/shared.js'
import { emptied, type Editor, type FieldParts } from './editor.js'
import { valueOf, type AdminModel, type Row } from './models.js'

/** Rows that are offered at once, and milliseconds of quiet before they are looked for. */
const most = 10
const quiet = 200

interface Option { readonly key: unknown, readonly label: string }

/** @param target the property whose value is the key */
export function picker (parts: FieldParts, other: AdminModel, target: string): Editor {
  const { id, current, property, context: { api } } = parts
  let chosen: Option | undefined = current === undefined || current === null
    ? undefined
    : { key: current, label: String(current) }
  const control = element('input', {
    type: 'text', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': `${id}-list`, 'aria-autocomplete': 'list',
    autocomplete: 'off', spellcheck: 'false', value: chosen?.label
  })
  const list = element('ul', { id: `${id}-list`, role: 'listbox', 'aria-label': `Rows of ${other.name}`, hidden: true })
  const said = element('p', { class: 'hint', 'aria-live': 'polite' })
  let options: Option[] = []
  let active = -1
  let asked = 0
  let timer = 0

  const close = (): void => {
    list.hidden = true
    active = -1
    control.setAttribute('aria-expanded', 'false')
    control.removeAttribute('aria-activedescendant')
  }
  const choose = (option: Option | undefined): void => {
    chosen = option
    control.value = option?.label ?? ''
    said.textContent = ''
    close()
  }
  const point = (to: number): void => {
    active = options.length === 0 ? -1 : (to + options.length) % options.length
    for (const [index, line] of [...list.children].entries()) line.setAttribute('aria-selected', String(index === active))
    if (active >= 0) {
      control.setAttribute('aria-activedescendant', `${id}-${active}`)
      list.children[active]?.scrollIntoView({ block: 'nearest' })
    }
  }
  const show = (): void => {
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
    said.textContent = options.length === 0 ? `No row of ${other.name} fits` : ''
  }
  const search = async (): Promise<void> => {
    const mine = ++asked
    try {
      const found = await rowsLike(control.value === chosen?.label ? '' : control.value.trim(), other, target, api)
      if (mine !== asked) return
      options = found
      show()
    } catch (error) {
      if (mine !== asked) return
      said.textContent = `The rows of ${other.name} cannot be searched, so type the ${target}. ${(error as Error).message}`
    }
  }
  const isBlind = (): boolean => !api.may(other.find)
  control.addEventListener('input', () => {
    window.clearTimeout(timer)
    if (!isBlind()) timer = window.setTimeout(() => { search().catch(parts.context.fail) }, quiet)
  })
  control.addEventListener('keydown', event => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (list.hidden) search().catch(parts.context.fail)
      else point(key === 'ArrowDown' ? active + 1 : active < 0 ? -1 : active - 1)
    } else if (key === 'Enter' && !list.hidden && active >= 0) {
      event.preventDefault()
      choose(options[active])
    } else if (key === 'Escape' && !list.hidden) {
      event.preventDefault()
      choose(chosen)
    }
  })
  control.addEventListener('blur', () => {
    window.clearTimeout(timer)
    asked += 1
    if (isBlind()) return
    // A text that was not chosen from the list is no row; an empty one is none.
    const exact = options.find(({ label, key }) => label === control.value || String(key) === control.value)
    choose(control.value === '' ? undefined : exact ?? chosen)
  })
  if (isBlind()) said.textContent = `You may not read ${other.name}: type the ${target} of the row.`
  else if (chosen !== undefined) name(chosen).catch(parts.context.fail)

  return {
    control,
    beside: element('div', { class: 'picker' }, list, said),
    value: () => {
      if (!isBlind()) return chosen?.key ?? emptied(parts)
      const text = control.value.trim()
      if (text === '') return emptied(parts)
      const number = Number(text)
      return property.schema.type === 'string' || !Number.isFinite(number) ? text : number
    }
  }

  /** Calls the row by its name, once that is read. */
  async function name ({ key }: Option): Promise<void> {
    const [row] = await rowsWith({ [target]: key }, other, api).catch(() => [])
    if (row === undefined || chosen?.key !== key || document.activeElement === control) return
    chosen = { key, label: other.labelOf(row) }
    control.value = chosen.label
  }
}

async function rowsLike (text: string, other: AdminModel, target: string, api: Api): Promise<Option[]> {
  const { labelled } = other
  const key = other.columns.find(({ name }) => name === target)
  const isNumber = key?.schema.type === 'number' || key?.schema.type === 'integer'
  const byKey = isNumber ? Number.isFinite(Number(text)) ? { [target]: Number(text) } : undefined : { [target]: text }
  const byLabel = labelled === undefined ? undefined : { [labelled]: { ilike: `%${text}%` } }
  const ways = [byLabel, byKey].filter(way => way !== undefined)
  const rows = await rowsWith(text === '' ? undefined : ways.length === 1 ? ways[0] : { or: ways }, other, api)
  return rows.map(row => ({ key: valueOf(row, target), label: other.labelOf(row) }))
}

async function rowsWith (where: object | undefined, other: AdminModel, api: Api): Promise<Row[]> {
  if (other.find === undefined) return []
  const filter = { ...where === undefined ? {} : { where }, limit: most }
  const { value } = await api.call(other.find, { query: { filter } })
  return value as Row[]
}
