/** Rows as a table, each with what can be done with it, and the way to the next page. */
import { element } from './dom.js'

export type Row = Readonly<Record<string, unknown>>

/** Something that can be done with a row: a button in its line. */
export interface RowAction { readonly name: string, run (row: Row): void }

/** Rows that are shown as a table. */
const most = 500

/** The rows of a response; undefined where it is not a list of objects, or an empty one. */
export function rowsOf (value: unknown): Row[] | undefined {
  const isList = Array.isArray(value) && value.length > 0 &&
    value.every(each => each !== null && typeof each === 'object' && !Array.isArray(each))
  return isList ? value as Row[] : undefined
}

export function rowsTable (rows: readonly Row[], actions: readonly RowAction[]): HTMLElement {
  const shown = rows.slice(0, most)
  const names = [...new Set(shown.flatMap(row => Object.keys(row)))]
  const head = element('tr', {}, ...names.map(name => element('th', { scope: 'col' }, name)),
    actions.length === 0 ? undefined : element('td', {}))
  const lines = shown.map((row, index) => element(
    'tr',
    {},
    ...names.map(name => element('td', {}, cell(row[name]))),
    actions.length === 0
      ? undefined
      : element('td', {}, element('div', { class: 'buttons' }, ...actions.map(action => {
        const button = element('button', { type: 'button', class: 'small', 'aria-label': `${action.name} row ${index + 1}` }, action.name)
        button.addEventListener('click', () => { action.run(row) })
        return button
      })))
  ))
  return element(
    'div',
    { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Rows' },
    element('table', {}, element('thead', {}, head), element('tbody', {}, ...lines)),
    rows.length > most ? element('p', { class: 'hint' }, `${rows.length - most} more rows: see JSON`) : undefined
  )
}

function cell (value: unknown): string {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)} …` : text
}

/**
 * Which rows of how many these are, with buttons for the pages before and after.
 * @param total undefined where the server did not count
 * @param go reads the page that begins with this row
 */
export function pager (
  { skip, limit, shown, total }: { skip: number, limit: number, shown: number, total: number | undefined },
  go: (skip: number) => void
): HTMLElement | undefined {
  const hasMore = total === undefined ? limit > 0 && shown === limit : skip + shown < total
  if (skip === 0 && !hasMore && total === undefined) return undefined
  const button = (text: string, to: number, isOn: boolean): HTMLElement => {
    const made = element('button', { type: 'button', class: 'small', disabled: !isOn }, text)
    made.addEventListener('click', () => { go(to) })
    return made
  }
  const step = limit > 0 ? limit : shown
  const range = shown === 0 ? 'No rows' : `Rows ${skip + 1} to ${skip + shown}`
  return element(
    'p',
    { class: 'buttons pager' },
    `${range}${total === undefined ? '' : ` of ${total}`}`,
    button('Previous', Math.max(0, skip - step), skip > 0),
    button('Next', skip + step, hasMore)
  )
}
