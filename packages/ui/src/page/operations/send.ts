/** Sends the request of an operation, and keeps what comes back. */
import { signal } from '@preact/signals'
import { upload } from '../api/upload.js'
import type { Ui } from '../ui.js'
import { fileName } from './file-name.js'
import { planRequest, withoutBody, type PlannedRequest } from './request.js'
import type { Body, SavedFile } from './result.js'
import { apiStateOf, type OperationState } from './state.js'

/** Characters of a stream that are kept. */
const mostOfStream = 300_000

export async function send (state: OperationState, ui: Ui): Promise<void> {
  const { action, result } = state
  const { description, token } = ui
  const request = planRequest(state, description)
  const aborter = new AbortController()
  state.stop?.()
  state.stop = () => { aborter.abort() }
  const isForm = request.body instanceof FormData
  result.value = { kind: 'sending', share: isForm ? 0 : undefined }
  const began = performance.now()
  const elapsed = (): number => Math.round(performance.now() - began)
  try {
    const response = await respond(state, request, ui, aborter.signal, share => {
      result.value = { kind: 'sending', share }
    })
    apiStateOf(ui).remember({
      action, line: `${request.method} ${request.url.slice(description.base.length)}`, status: String(response.status),
      milliseconds: elapsed(), at: new Date(), fields: state.fields.peek(), body: state.body.peek()
    })
    const { status, statusText } = response
    const body = await bodyOf(response)
    const size = body.kind === 'stream' ? undefined : body.kind === 'empty' ? 0 : body.blobSize
    result.value = {
      kind: 'came', status, statusText, milliseconds: elapsed(), size, headers: [...response.headers], body: body.body
    }
    if (status < 300 && action.operationId.endsWith('.logout')) token.set('')
    if (body.kind === 'stream') await body.read()
  } catch (error) {
    const isStopped = error instanceof DOMException && error.name === 'AbortError'
    const came = result.peek()
    if (came?.kind === 'came' && came.body.kind === 'stream') {
      came.body.isOpen.value = false
      return
    }
    result.value = {
      kind: 'failed', mayResume: state.goesOn.peek(),
      text: isStopped ? 'Stopped' : `No response: ${error instanceof Error ? error.message : String(error)}`
    }
  } finally {
    state.stop = undefined
  }
}

async function respond (
  state: OperationState, request: PlannedRequest, { description, token }: Ui, signal: AbortSignal,
  onProgress: (share: number) => void
): Promise<Response> {
  const headers = { ...request.headers, ...token.headers }
  const { url, method, body } = request
  if (!(body instanceof FormData)) {
    return await fetch(url, { method, headers, signal, cache: 'no-store', ...body === undefined ? {} : { body } })
  }
  const begin = description.resumable(state.action)
  if (begin === undefined || !state.goesOn.peek()) {
    return await upload({ url, method, headers, body }, signal, onProgress)
  }
  const files = [...body.values()].filter(value => value instanceof File)
  const { url: address } = withoutBody(begin, state.fields.peek(), description)
  return await state.uploads.send(address, files, token.headers, signal, onProgress)
}

type Read =
  | { readonly kind: 'empty', readonly body: Body }
  | { readonly kind: 'read', readonly body: Body, readonly blobSize: number }
  | { readonly kind: 'stream', readonly body: Body, read (): Promise<void> }

async function bodyOf (response: Response): Promise<Read> {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) return streamOf(response)
  const named = fileName(response.headers)
  const blob = await response.blob()
  const file: SavedFile = { blob, type, name: named ?? 'response' }
  if (type !== '' && !/json|text|xml/.test(type)) return { kind: 'read', body: { kind: 'file', file }, blobSize: blob.size }
  const text = await blob.text()
  if (text === '') return { kind: 'empty', body: { kind: 'empty' } }
  const body: Body = { kind: 'text', text, value: parsed(text), file: named === undefined ? undefined : file }
  return { kind: 'read', body, blobSize: blob.size }
}

function streamOf (response: Response): Read {
  const [text, isOpen] = [signal(''), signal(true)]
  return {
    kind: 'stream',
    body: { kind: 'stream', text, isOpen },
    async read () {
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
        text.value = (text.peek() + next.value).slice(-mostOfStream)
      }
      isOpen.value = false
    }
  }
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
