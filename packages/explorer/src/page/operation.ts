/** One operation: what it is, fields for what it takes, a button to run it, what came back. */
import { showAnswer, showFailure } from './answer.js'
import { bodyEditor, type BodyEditor } from './body-editor.js'
import type { Content } from '../document/types.js'
import type { Action, ApiDescription } from './description.js'
import { element, lazyDetails, type Child } from './dom.js'
import { formEditor, isForm } from './form-editor.js'
import { parameterField } from './inputs.js'
import { curlLine, planRequest, send, type PlannedRequest } from './request.js'
import { ResumableUploads } from './resumable.js'
import { canBeToken, type Token } from './token.js'

export interface Page {
  readonly description: ApiDescription
  readonly token: Token
  readonly hiddenHeaders: ReadonlySet<string>
}

export function operationPanel (action: Action, page: Page): HTMLDetailsElement {
  const verb = action.verb.toLowerCase()
  return lazyDetails({ class: 'operation', id: action.operationId, 'data-verb': verb }, [
    element('span', { class: 'verb' }, action.verb),
    element('code', {}, action.path),
    element('span', { class: 'summary' }, action.summary ?? '')
  ], () => [
    action.description === undefined ? undefined : element('p', { class: 'description' }, action.description),
    form(action, page),
    answers(action, page.description)
  ])
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
    const request = planRequest(action, description.base, fields, editor?.value())
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
      await showAnswer(shown, answer, started, {
        hiddenHeaders: page.hiddenHeaders,
        extra: (status, value) => afterwards(action, page, status, value)
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
}

/** A form, JSON, or nothing: bytes are for programs. */
function editorFor ({ requestBody, operationId }: Action, description: ApiDescription): BodyEditor | undefined {
  if (requestBody === undefined) return undefined
  const id = `${operationId}-body`
  if (isForm(requestBody)) return formEditor(requestBody, id, description)
  return requestBody.content['application/json'] === undefined ? undefined : bodyEditor(requestBody, id, description)
}

/** What an answer means for the token: a login gives one, a logout ends it, a refusal asks for one. */
function afterwards (action: Action, { token, description }: Page, status: number, value: unknown): Child {
  if (status < 300 && action.operationId.endsWith('.logout')) token.set('')
  if (status === 401 && description.secured) {
    return element(
      'p',
      { class: 'hint' },
      token.value === ''
        ? 'Set an access token at the top of the page: a login gives one.'
        : 'The access token was not enough for this, or has ended.'
    )
  }
  const id = value !== null && typeof value === 'object' ? (value as { id?: unknown }).id : undefined
  if (status !== 200 || !action.operationId.endsWith('.login') || typeof id !== 'string' || !canBeToken(id)) {
    return undefined
  }
  const button = element('button', { type: 'button' }, 'Use this token')
  button.addEventListener('click', () => { token.set(id, action.tags[0]) })
  return element('p', { class: 'buttons' }, button)
}

/** What comes as JSON; of what does not, its media types. */
function answerType (content: Content, description: ApiDescription): string {
  const json = content['application/json']
  return json === undefined ? Object.keys(content).join(' or ') : description.typeName(json.schema)
}

/** The answers that the description tells of. */
function answers (action: Action, description: ApiDescription): HTMLElement {
  const rows = Object.entries(action.responses).map(([status, given]) => {
    const response = description.response(given)
    const headers = Object.keys(response.headers ?? {})
    return element('tr', {},
      element('th', { scope: 'row' }, status),
      element('td', {},
        response.description,
        response.content === undefined ? undefined : element('code', {}, answerType(response.content, description)),
        headers.length === 0 ? undefined : element('span', { class: 'kind' }, `with ${headers.join(', ')}`)))
  })
  return element(
    'details',
    { class: 'answers' },
    element('summary', {}, 'Answers'),
    element('table', {}, element('tbody', {}, ...rows))
  )
}
