/** What happened to a row, and the buttons that write it as it was; read when somebody opens it. */
import type { ApiResponse } from './api.js'
import type { Context } from './context.js'
import { element } from './explorer/shared.js'
import { inPieces, piece } from './more.js'
import type { AdminModel, Row } from './models.js'

interface Version {
  readonly version: number
  readonly operation: string
  readonly at: string
  readonly userId: unknown
  readonly before: Row | null
  readonly after: Row | null
}

/**
 * Undefined for models without a history.
 * @param shown the response that the row came with
 * @param saved makes a change, and reads the row again
 */
export function historyOf (
  model: AdminModel, id: string, shown: ApiResponse, context: Context,
  saved: (change: () => Promise<unknown>) => Promise<void>
): HTMLElement | undefined {
  const { api, say, fail } = context
  const { history, revert } = model
  if (!api.may(history, id)) return undefined
  const tag = shown.headers.get('etag')
  const body = element('tbody', {})
  const place = element('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Versions of this row' },
    element('table', {},
      element('thead', {}, element('tr', {}, ...['Version', 'When', 'Who', 'What', ''].map(text =>
        text === '' ? element('td', {}) : element('th', { scope: 'col' }, text)))),
      body))
  const details = element('details', {}, element('summary', {}, 'History'), place)
  const back = (version: number): HTMLElement => {
    const button = element('button', { type: 'button', class: 'small' }, `Revert to ${version}`)
    button.addEventListener('click', () => {
      if (revert === undefined) return
      const headers: Record<string, string> = tag === null ? {} : { 'if-match': tag }
      saved(() => api.call(revert, { id, body: { version }, headers }))
        .then(() => { say(`The row is as it was after version ${version}.`) }, fail)
    })
    return button
  }
  const line = ({ version, operation, at, userId, before, after }: Version): HTMLElement => element('tr', {},
    element('th', { scope: 'row' }, String(version)),
    element('td', { class: 'moment' }, new Date(at).toLocaleString()),
    element('td', {}, userId === null || userId === undefined ? '' : String(userId)),
    element('td', {}, [operation, changesIn(before, after)].filter(text => text !== '').join(': ')),
    element('td', {}, after !== null && api.may(revert, id) ? back(version) : undefined))
  details.addEventListener('toggle', () => {
    inPieces<Version>(details, {
      read: async skip =>
        (await api.call(history, { id, query: { filter: { limit: piece, skip } } })).value as Version[],
      lines: versions => { body.append(...versions.map(line)) },
      skip: () => body.children.length,
      fail
    }).catch(fail)
  }, { once: true })
  return details
}

/** The values that an update changed. */
function changesIn (before: Row | null, after: Row | null): string {
  if (before === null || after === null) return ''
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(name => textOf(before[name]) !== textOf(after[name]))
    .map(name => `${name} ${textOf(before[name])} → ${textOf(after[name])}`).join(', ')
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null)
