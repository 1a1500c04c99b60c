/** Rows as a table: values as text, keys as links to the rows that they lead to. */
import { element, type Child } from './explorer/shared.js'
import { leadText, type Labels } from './labels.js'
import { valueOf, type AdminModel, type Lead, type Models, type Property, type Row } from './models.js'
import { rowAddress } from './where.js'

/** Characters of a value that a cell shows. */
const most = 80

export interface Table {
  readonly element: HTMLElement
  /** Shows the row as it is now, and says what became of it; nothing where the row is not among those shown. */
  mark (id: unknown, row: Row | undefined, said: string): boolean
}

export interface TableParts {
  readonly model: AdminModel
  readonly models: Models
  readonly columns: readonly Property[]
  readonly labels: Labels
  readonly order: string
  /** Called with the order that a heading asks for. */
  sort (order: string): void
}

export function rowsTable (rows: readonly Row[], parts: TableParts): Table {
  const { model, columns } = parts
  const { id } = model.facts
  const lines = new Map<string, HTMLTableRowElement>()
  const body = element('tbody', {}, ...rows.map(row => {
    const line = element('tr', {}, ...cells(row, parts))
    if (id !== undefined) lines.set(String(valueOf(row, id)), line)
    return line
  }))
  const head = element('tr', {}, ...columns.map(column => heading(column, parts)))
  return {
    element: element('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': `Rows of ${model.name}` },
      element('table', {}, element('thead', {}, head), body)),
    mark: (changed, row, said) => {
      const line = lines.get(String(changed))
      if (line === undefined) return false
      if (row !== undefined) line.replaceChildren(...cells(row, parts))
      line.className = said
      line.querySelector('.said')?.remove()
      line.firstElementChild?.append(element('span', { class: 'said' }, said))
      return true
    }
  }
}

function heading ({ name, schema }: Property, { order, sort }: TableParts): HTMLElement {
  const direction = order === `${name} ASC` ? 'ascending' : order === `${name} DESC` ? 'descending' : undefined
  if (schema.type === 'object' || schema.type === 'array' || schema.type === undefined) {
    return element('th', { scope: 'col' }, name)
  }
  const arrow = direction === undefined ? '' : direction === 'ascending' ? ' ↑' : ' ↓'
  const button = element('button', { type: 'button', class: 'sort' }, name, element('span', { 'aria-hidden': 'true' }, arrow))
  button.addEventListener('click', () => { sort(`${name} ${direction === 'ascending' ? 'DESC' : 'ASC'}`) })
  return element('th', { scope: 'col', 'aria-sort': direction }, button)
}

function cells (row: Row, parts: TableParts): HTMLElement[] {
  const { model, columns, labels } = parts
  return columns.map(({ name, schema }, index) => {
    const leads = model.leads(row, name)
    if (index === 0) {
      const text = leads.map(lead => labels.get(leadText(lead)) ?? String(lead.key)).join(', ') ||
        textOf(valueOf(row, name), schema)
      return element('th', { scope: 'row' }, link(model, row, text === '' ? model.labelOf(row) : text))
    }
    const shown: Child[] = leads.length === 0
      ? [textOf(valueOf(row, name), schema)]
      : leads.flatMap((lead, place): Child[] => place === 0 ? [way(lead, parts)] : [', ', way(lead, parts)])
    return element('td', { class: schema.format === 'date-time' ? 'moment' : undefined }, ...shown)
  })
}

/** The way to a row that a key leads to. */
function way (lead: Lead, { models, labels }: TableParts): Child {
  const text = labels.get(leadText(lead)) ?? String(lead.key)
  const other = models.get(lead.model)
  return other?.findById !== undefined && lead.target === other.facts.id
    ? element('a', { href: rowAddress(other.name, lead.key) }, text)
    : text
}

/** The way to a row, where it has an id. */
function link (model: AdminModel, row: Row, text: string): Child {
  const { id } = model.facts
  const value = id === undefined ? undefined : valueOf(row, id)
  if (value === undefined || value === null || model.findById === undefined) return text
  return element('a', { href: rowAddress(model.name, value) }, text)
}

function textOf (value: unknown, { format }: Property['schema']): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (format === 'date-time' && typeof value === 'string' && !Number.isNaN(Date.parse(value))) {
    return new Date(value).toLocaleString()
  }
  const text = typeof value === 'string' ? value : fileName(value) ?? JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most)} …` : text
}

/** The name of a file, which is all that a list says of it. */
function fileName (value: unknown): string | undefined {
  const { name, size, type } = value as { name?: unknown, size?: unknown, type?: unknown }
  return typeof name === 'string' && typeof size === 'number' && typeof type === 'string' ? name : undefined
}
