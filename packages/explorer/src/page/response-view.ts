/** Shows what came back. */
import { element, type Child } from './dom.js'
import { copyButton } from './copy.js'
import { jsonText } from './json-view.js'
import { rowsOf, rowsTable, type RowAction } from './rows-view.js'
import { fileName, picture, saveLine } from './file-response.js'

/** Characters of a body that are shown. */
const shownLimit = 300_000

export interface ResponseViewOptions {
  readonly hiddenHeaders: ReadonlySet<string>
  /** A button or note that goes with the response. */
  extra (status: number, value: unknown): Child
  /** What goes under a list of rows: the way to the next page. */
  pager (headers: Headers, rows: readonly unknown[]): Child
  readonly rowActions: readonly RowAction[]
  /** Is told of the line with the status, when it stands on the page. */
  arrived (status: HTMLElement): void
}

/** Fills `place` with a response; streams grow in it until they end. */
export async function showResponse (
  place: HTMLElement,
  answer: Response,
  started: number,
  options: ResponseViewOptions
): Promise<void> {
  const status = element(
    'p',
    { class: `status ${answer.ok ? 'good' : 'bad'}` },
    `${answer.status} ${answer.statusText}`.trim()
  )
  const shown = [...answer.headers]
    .filter(([name]) => !options.hiddenHeaders.has(name))
    .map(([name, value]) => `${name}: ${value}`)
  const headers = element(
    'details',
    {},
    element('summary', {}, `Headers (${shown.length})`),
    element('pre', { tabindex: 0, 'aria-label': 'Answer headers' }, shown.join('\n'))
  )
  place.replaceChildren(status, headers)
  options.arrived(status)
  const type = answer.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) return await showStream(place, answer)
  if (type !== '' && !/json|text|xml/.test(type)) return await showFile(place, answer, type)
  const name = fileName(answer.headers)
  const file = await answer.blob()
  const text = await file.text()
  status.append(`, ${Math.round(performance.now() - started)} ms, ${file.size} bytes`)
  const value = parsed(text)
  const extra = options.extra(answer.status, value)
  if (extra !== undefined) place.append(extra)
  if (name !== undefined) place.append(saveLine(file, type, name))
  if (text === '') return
  const pretty = body(value === undefined ? text : JSON.stringify(value, null, 2), value !== undefined)
  const rows = answer.ok ? rowsOf(value) : undefined
  const pages = answer.ok && Array.isArray(value) ? options.pager(answer.headers, value) : undefined
  place.append(
    rows === undefined ? asText(pretty) : asRows(pretty, rowsTable(rows, options.rowActions)),
    ...pages === undefined ? [] : [pages]
  )
}

const asText = (text: HTMLElement): HTMLElement => element('div', {}, element('p', { class: 'buttons' }, copyButton(text)), text)

/** The same rows as JSON or as a table: what was chosen last is chosen for the next response. */
function asRows (text: HTMLElement, table: HTMLElement): HTMLElement {
  const change = element('button', { type: 'button', class: 'small' })
  const copy = copyButton(text)
  const show = (): void => {
    const isTable = window.sessionStorage.getItem(tableKey) === 'table'
    table.hidden = !isTable
    text.hidden = isTable
    change.textContent = isTable ? 'As JSON' : 'As table'
  }
  change.addEventListener('click', () => {
    window.sessionStorage.setItem(tableKey, table.hidden ? 'table' : 'json')
    show()
  })
  show()
  return element('div', {}, element('p', { class: 'buttons' }, change, copy), table, text)
}

const tableKey = 'fastback.explorer.rows'

async function showFile (place: HTMLElement, answer: Response, type: string): Promise<void> {
  const name = fileName(answer.headers)
  const file = await answer.blob()
  const shown = await picture(file, type, name)
  place.append(saveLine(file, type, name), ...shown === undefined ? [] : [shown])
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function body (text: string, isJson = false): HTMLElement {
  const shown = text.length > shownLimit ? `${text.slice(0, shownLimit)}\n… (${text.length - shownLimit} more characters)` : text
  return element('pre', { class: 'body', tabindex: 0, 'aria-label': 'Answer' }, isJson ? jsonText(shown) : shown)
}

async function showStream (place: HTMLElement, answer: Response): Promise<void> {
  const shown = body('')
  place.append(shown)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    shown.textContent = ((shown.textContent ?? '') + next.value).slice(-shownLimit)
  }
}

export function showFailure (place: HTMLElement, error: unknown): void {
  const text =
    error instanceof DOMException && error.name === 'AbortError'
      ? 'Stopped'
      : `No response: ${error instanceof Error ? error.message : String(error)}`
  place.append(element('p', { class: 'status bad', role: 'alert' }, text))
}
