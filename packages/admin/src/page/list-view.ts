/** The list of a model: a page of its rows, as its address says. */
import type { Context } from './context.js'
import { element } from './explorer/shared.js'
import { labelsOf, type Labels } from './labels.js'
import { listFilter } from './list-filter.js'
import { watch } from './live.js'
import type { AdminModel, Property, Row } from './models.js'
import { rowsTable, type Table } from './table.js'
import { deletedAddress, listAddress, newAddress, fullOrder, fullWhere, type ListState } from './where.js'

/** Rows of a page, and columns that are shown unless somebody chooses others. */
const limit = 25
const fewColumns = 7

/** @param signal ends with the view */
export async function listView (
  model: AdminModel, place: ListState, context: Context, view: HTMLElement, signal: AbortSignal
): Promise<void> {
  const { api, description, models } = context
  const go = (to: ListState): void => { window.location.hash = listAddress(model.name, to) }
  const shown = element('div', {}, element('p', {}, 'Reading …'))
  const live = element('span', { class: 'live' })
  const news = element('button', { type: 'button', class: 'plain', hidden: true })
  let columns = chosenColumns(model)
  let table: Table | undefined
  const chooser = columnChooser(model, columns, chosen => {
    columns = chosen
    draw()
  })
  view.replaceChildren(element('div', {},
    element('div', { class: 'top' },
      element('h2', {}, model.name), live, element('span', { role: 'status' }, news),
      api.may(model.restore) && api.may(model.find)
        ? element('a', { href: deletedAddress(model.name) }, 'Deleted rows')
        : undefined,
      api.may(model.create) ? element('a', { class: 'button', href: newAddress(model.name) }, 'New') : undefined),
    listFilter(model, description, place, chooser, go),
    shown))
  let page: Page | undefined
  const draw = (): void => {
    if (page === undefined) return
    const { rows, total, labels } = page
    const { order } = place
    table = rowsTable(rows, {
      model, models, columns, labels, order, sort: asked => { go({ ...place, order: asked, skip: 0 }) }
    })
    shown.replaceChildren(rows.length === 0 ? element('p', {}, nothing(place)) : table.element,
      pager(place, rows.length, total, go))
  }
  const read = async (): Promise<void> => {
    page = await readPage(model, place, context)
    if (signal.aborted) return
    draw()
    arrived.clear()
    tell()
  }
  /** Ids of rows that the list would show by now. */
  const arrived = new Set<string>()
  const tell = (): void => {
    news.hidden = arrived.size === 0
    news.textContent = arrived.size === 1 ? '1 new row: show' : `${arrived.size} new rows: show`
  }
  news.addEventListener('click', () => { read().catch(context.fail) })
  await read()
  const where = fullWhere(place, model)
  const gone = where === undefined ? 'deleted' : 'gone'
  watch(model, api, where, {
    changed: ({ type, target, data }) => {
      const isShown = table?.mark(target, type === 'remove' ? undefined : data, type === 'remove' ? gone : 'changed') === true
      // A row that was changed is another page's, unless this one has all that there are: then it fits by now.
      const isNew = type === 'create' || (type === 'update' && !isShown && hasAll(page))
      if (isNew) arrived.add(String(target))
      else if (type === 'remove') arrived.delete(String(target))
      tell()
    },
    missed: () => { read().catch(context.fail) },
    state: text => { live.textContent = text }
  }, signal)
}

interface Page { readonly rows: readonly Row[], readonly total: number | undefined, readonly labels: Labels }

const hasAll = (page: Page | undefined): boolean => page !== undefined && page.rows.length === page.total

const nothing = ({ where, search, words }: ListState): string =>
  where.length === 0 && search === '' && words === '' ? 'There are no rows.' : 'No row fits. Take a filter away to see more.'

async function readPage (model: AdminModel, place: ListState, { api, models }: Context): Promise<Page> {
  const where = fullWhere(place, model)
  const { skip } = place
  const order = fullOrder(place, model)
  const filter = {
    ...where === undefined ? {} : { where }, ...order === '' ? {} : { order }, limit, ...skip === 0 ? {} : { skip }
  }
  if (model.find === undefined) return { rows: [], total: 0, labels: new Map() }
  const [{ value, headers }, counted] = await Promise.all([
    api.call(model.find, { query: { filter }, headers: { prefer: 'count=exact' } }), countOf()
  ])
  const rows = value as Row[]
  const total = headers.get('x-total-count')
  return {
    rows, total: total === null ? counted : Number(total), labels: await labelsOf(rows, model, models, api)
  }

  /** Undefined where the caller may not count: pages are gone through without an end in sight, then. */
  async function countOf (): Promise<number | undefined> {
    if (!api.may(model.count)) return undefined
    try {
      const { value } = await api.call(model.count, { query: where === undefined ? {} : { where } })
      return (value as { count?: number }).count
    } catch {
      return undefined
    }
  }
}

function pager (
  place: ListState, shown: number, total: number | undefined, go: (place: ListState) => void
): HTMLElement {
  const { skip } = place
  const hasMore = total === undefined ? shown === limit : skip + shown < total
  const step = (text: string, to: number, isOn: boolean): HTMLElement => {
    const button = element('button', { type: 'button', class: 'small', disabled: !isOn }, text)
    button.addEventListener('click', () => { go({ ...place, skip: to }) })
    return button
  }
  const range = shown === 0 ? 'No rows' : `Rows ${skip + 1} to ${skip + shown}`
  return element('p', { class: 'buttons pager' },
    `${range}${total === undefined ? '' : ` of ${total}`}`,
    step('Previous', Math.max(0, skip - limit), skip > 0), step('Next', skip + limit, hasMore))
}

const keyOf = (model: AdminModel): string => `fastback.admin.columns ${window.location.pathname} ${model.name}`

/** The id first, then what people know the row by; what fits into no cell comes last. */
function ranked ({ columns, labelled, facts: { id } }: AdminModel): Property[] {
  const rank = ({ name, schema }: Property): number =>
    name === id ? 0 : name === labelled ? 1 : ['object', 'array', undefined].includes(schema.type as string) ? 3 : 2
  return [...columns].sort((one, other) => rank(one) - rank(other))
}

function chosenColumns (model: AdminModel): Property[] {
  const columns = ranked(model)
  const kept = JSON.parse(window.localStorage.getItem(keyOf(model)) ?? 'null') as unknown
  if (Array.isArray(kept)) {
    const chosen = columns.filter(({ name }) => kept.includes(name))
    if (chosen.length > 0) return chosen
  }
  return columns.slice(0, fewColumns)
}

function columnChooser (
  model: AdminModel, shown: readonly Property[], changed: (columns: Property[]) => void
): HTMLElement | undefined {
  const columns = ranked(model)
  if (columns.length < 2) return undefined
  const boxes = columns.map(column => {
    const box = element('input', { type: 'checkbox', checked: shown.some(({ name }) => name === column.name) })
    box.addEventListener('change', () => {
      const chosen = columns.filter((_, index) => boxes[index]?.box.checked)
      if (chosen.length === 0) return
      window.localStorage.setItem(keyOf(model), JSON.stringify(chosen.map(({ name }) => name)))
      changed(chosen)
    })
    return { box, label: element('label', { class: 'choice' }, box, ` ${column.name}`) }
  })
  return element('details', { class: 'nested' }, element('summary', {}, 'Columns'),
    element('div', { class: 'choices' }, ...boxes.map(({ label }) => label)))
}
