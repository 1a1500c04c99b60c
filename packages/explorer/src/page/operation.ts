/** One operation: what it is, fields for what it takes, a button to run it, what came back. */
import { showResponse, showFailure } from './response-view.js'
import { bodyEditor, type BodyEditor } from './body-editor.js'
import type { Content, Response as Described } from '@fastback/ui/openapi'
import { plainId, type Action, type ApiDescription } from './description.js'
import { element, lazyDetails, type Child } from './dom.js'
import { formEditor, isForm } from './form-editor.js'
import { parameterField } from './inputs.js'
import { curlLine, planRequest, send, type PlannedRequest } from './request.js'
import { ResumableUploads } from './resumable.js'
import { codePanel } from './code-panel.js'
import { remember } from './history.js'
import { requestForms } from './request-forms.js'
import { rowActions } from './row-actions.js'
import { pager } from './rows-view.js'
import { schemaView } from './schema-view.js'
import { loginFailure, tokenIn } from './sign-in.js'
import type { Token } from './token.js'

export interface Page {
  readonly description: ApiDescription
  readonly token: Token
  readonly hiddenHeaders: ReadonlySet<string>
}

export function operationPanel (action: Action, page: Page): HTMLDetailsElement {
  const verb = action.verb.toLowerCase()
  const isOld = action.deprecated === true
  return lazyDetails({ class: 'operation', id: action.operationId, 'data-verb': verb }, [
    element('span', { class: 'verb' }, action.verb),
    element('code', {}, isOld ? element('s', {}, action.path) : action.path),
    element('span', { class: 'summary' }, isOld ? 'deprecated · ' : '', action.summary ?? '')
  ], () => [
    action.description === undefined ? undefined : element('p', { class: 'description' }, action.description),
    callersLine(action, page.description),
    rowsLine(action),
    form(action, page),
    answers(action, page.description)
  ])
}

/** Who may call it, where the server tells that: while an application is made. */
function callersLine (action: Action, description: ApiDescription): HTMLElement {
  const line = element('p', { class: 'callers', hidden: true })
  description.callers().then(all => {
    const said = all[plainId(action)]
    line.hidden = said === undefined
    line.textContent = `May be called by: ${said ?? ''}`
  }).catch(() => { /* The page does without. */ })
  return line
}

/** Which rows and properties rules leave, where they say so. */
function rowsLine (action: Action): HTMLElement | undefined {
  const rows = action['x-row-rules']
  return rows === undefined ? undefined : element('p', { class: 'callers' }, `Rules leave: ${rows}`)
}

function form (action: Action, page: Page): HTMLFormElement {
  const { description } = page
  const fields = (action.parameters ?? []).map((parameter, index) =>
    parameterField(parameter, `${action.operationId}-${index}`, description)
  )
  const editor = editorFor(action, description)
  const begin = description.resumable(action)
  const uploads = new ResumableUploads()
  const goesOn = element('input', { type: 'checkbox' })
  const run = element('button', { type: 'submit' }, 'Run')
  const stop = element('button', { type: 'button', hidden: true }, 'Stop')
  const result = element('div', { class: 'answer', 'aria-live': 'polite' })
  const made = element(
    'form',
    {},
    ...fields.map(({ label }) => label),
    editor?.element,
    begin === undefined ? undefined : element('label', {}, goesOn, ' Goes on after a cut'),
    element('p', { class: 'buttons' }, run, stop),
    result
  )
  const plan = (): PlannedRequest => planRequest(action, description.base, fields, editor?.value())
  result.before(codePanel(action.operationId, made, () => requestForms(action, plan(), fields, page.token)))
  made.addEventListener('submit', async event => {
    event.preventDefault()
    await runOnce()
  })
  return made

  async function answerTo (
    request: PlannedRequest, signal: AbortSignal, onProgress: (share: number) => void
  ): Promise<Response> {
    if (begin === undefined || !goesOn.checked || !(request.body instanceof FormData)) {
      return await send(request, page.token, signal, onProgress)
    }
    const files = [...request.body.values()].filter(value => value instanceof File)
    const { url } = planRequest(begin, description.base, fields, undefined)
    return await uploads.send(url, files, page.token.headers, signal, onProgress)
  }

  async function runOnce (): Promise<void> {
    const aborter = new AbortController()
    const abort = (): void => { aborter.abort() }
    const request = plan()
    const curl = element(
      'details',
      {},
      element('summary', {}, 'curl'),
      element('pre', { tabindex: 0, 'aria-label': 'curl' }, curlLine(request, page.token))
    )
    const shown = element('div', {})
    const progress = element('progress', { max: 1, value: 0, 'aria-label': 'Sent' })
    result.replaceChildren(...request.body instanceof FormData ? [progress] : [], shown, curl)
    run.disabled = true
    stop.hidden = false
    stop.addEventListener('click', abort)
    try {
      const started = performance.now()
      const answer = await answerTo(request, aborter.signal, share => { progress.value = share })
      progress.remove()
      run.textContent = 'Run'
      remember({
        operation: action.operationId,
        line: `${request.method} ${request.url.slice(description.base.length)}`,
        status: String(answer.status),
        ms: Math.round(performance.now() - started)
      })
      await showResponse(shown, answer, started, {
        hiddenHeaders: page.hiddenHeaders,
        extra: (status, value) => afterwards(action, page, status, value),
        pager: (headers, rows) => pageOf(headers, rows),
        rowActions: rowActions(action, description),
        arrived: status => { status.scrollIntoView({ block: 'nearest' }) }
      })
    } catch (error) {
      progress.remove()
      showFailure(shown, error)
      if (goesOn.checked) run.textContent = 'Resume'
    } finally {
      stop.removeEventListener('click', abort)
      run.disabled = false
      stop.hidden = true
    }
  }

  /** The page of a list that a filter asked for, and the way to the others. */
  function pageOf (headers: Headers, rows: readonly unknown[]): Child {
    const field = made.elements.namedItem('filter')
    if (!(field instanceof HTMLTextAreaElement)) return undefined
    const filter = filterIn(field.value)
    if (filter === undefined) return undefined
    const counted = headers.get('x-total-count')
    const { skip = filter.offset ?? 0, limit = 0 } = filter
    const place = { skip, limit, shown: rows.length, total: counted === null ? undefined : Number(counted) }
    return pager(place, next => {
      field.value = JSON.stringify({ ...filter, limit: limit > 0 ? limit : rows.length, skip: next })
      made.requestSubmit(run)
    })
  }
}

interface PageFilter { readonly skip?: number, readonly offset?: number, readonly limit?: number }

function filterIn (text: string): PageFilter | undefined {
  try {
    const filter: unknown = JSON.parse(text === '' ? '{}' : text)
    return filter !== null && typeof filter === 'object' && !Array.isArray(filter) ? filter : undefined
  } catch {
    return undefined
  }
}

/** A form, JSON, or nothing: bytes are for programs. */
function editorFor ({ requestBody, operationId }: Action, description: ApiDescription): BodyEditor | undefined {
  if (requestBody === undefined) return undefined
  const id = `${operationId}-body`
  if (isForm(requestBody)) return formEditor(requestBody, id, description)
  return requestBody.content['application/json'] === undefined ? undefined : bodyEditor(requestBody, id, description)
}

/** What a response means for the token: a login gives one, a logout ends it, a refusal asks for one. */
function afterwards (action: Action, { token, description }: Page, status: number, value: unknown): Child {
  if (status < 300 && action.operationId.endsWith('.logout')) token.set('')
  const isLogin = action.operationId.endsWith('.login')
  if (status >= 400 && isLogin) {
    return element('p', { class: 'hint' }, loginFailure(status, value))
  }
  if (status === 401 && description.secured) {
    return element(
      'p',
      { class: 'hint' },
      token.value === ''
        ? description.signIns.length === 0
          ? 'Set an access token at the top of the page: a login gives one.'
          : 'Set an access token at the top of the page, or log in there.'
        : 'The access token was not enough for this, or has ended.'
    )
  }
  const id = status === 200 && isLogin ? tokenIn(value) : undefined
  if (id === undefined) return undefined
  const button = element('button', { type: 'button' }, 'Use this token')
  button.addEventListener('click', () => { token.set(id, action.tags[0]) })
  return element('p', { class: 'buttons' }, button)
}

/** Every response that the description tells of, by status; its schema is there when it is opened. */
function answers (action: Action, description: ApiDescription): HTMLElement {
  return lazyDetails({ class: 'answers' }, ['Answers'], () => [
    element('table', {}, element('tbody', {}, ...Object.entries(action.responses).map(([status, given]) =>
      answerRow(status, description.response(given), description))))
  ])
}

function answerRow (status: string, response: Described, description: ApiDescription): HTMLElement {
  const headers = Object.keys(response.headers ?? {})
  return element('tr', {},
    element('th', { scope: 'row' }, status),
    element('td', {},
      response.description,
      headers.length === 0 ? undefined : element('span', { class: 'kind' }, `with ${headers.join(', ')}`),
      response.content === undefined ? undefined : contentView(response.content, description)))
}

/** What comes as JSON; of what does not, its media types. */
function contentView (content: Content, description: ApiDescription): HTMLElement {
  const json = content['application/json']
  const others = Object.keys(content).filter(type => type !== 'application/json')
  if (json === undefined) return element('code', {}, others.join(' or '))
  return lazyDetails({ class: 'nested' }, [element('code', {}, description.typeName(json.schema))], () => [
    schemaView(json.schema, description),
    others.length === 0 ? undefined : element('p', { class: 'hint' }, `Also as ${others.join(', ')}`)
  ])
}
