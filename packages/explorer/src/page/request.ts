/** From the fields of an operation to a request, and to the same as a line for a shell. */
import type { Action } from './description.js'
import type { ParameterField } from './inputs.js'
import type { Token } from './token.js'
import { upload } from './upload.js'

export interface PlannedRequest {
  readonly url: string
  readonly method: string
  /** Without the token. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | undefined
}

export function planRequest (
  action: Action,
  base: string,
  fields: readonly ParameterField[],
  body: string | FormData | undefined
): PlannedRequest {
  let { path } = action
  const query = new URLSearchParams()
  const headers: Record<string, string> = { Accept: accepted(action) }
  for (const {
    parameter: { name, in: place },
    values
  } of fields) {
    for (const value of values()) {
      if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
      else if (place === 'query') query.append(name, value)
      else headers[name] = value
    }
  }
  if (typeof body === 'string') headers['Content-Type'] = 'application/json'
  const search = query.toString()
  return {
    url: base + path + (search === '' ? '' : `?${search}`),
    method: action.verb,
    headers,
    body
  }
}

/** Streams are asked for as events, which can be shown as they come. */
function accepted ({ responses }: Action): string {
  const types = Object.values(responses).flatMap(response =>
    '$ref' in response ? [] : Object.keys(response.content ?? {})
  )
  return types.includes('text/event-stream')
    ? 'text/event-stream'
    : types.every(type => type === 'application/json')
      ? 'application/json'
      : '*/*'
}

/** @param onProgress is told the share of a form that is sent, from 0 to 1 */
export function send (
  { url, method, headers: own, body }: PlannedRequest,
  token: Token,
  signal: AbortSignal,
  onProgress: (share: number) => void
): Promise<Response> {
  const headers = { ...own, ...token.headers }
  if (body instanceof FormData) return upload({ url, method, headers, body }, signal, onProgress)
  return fetch(url, {
    method,
    headers,
    signal,
    cache: 'no-store',
    ...(body === undefined ? {} : { body })
  })
}

/** The request for a shell; the token is left to a variable, so that it is not copied about. */
export function curlLine ({ url, method, headers, body }: PlannedRequest, token: Token): string {
  const lines = [`curl${method === 'HEAD' ? ' --head' : ` -X ${method}`} ${quote(url)}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quote(`${name}: ${value}`)}`)
  if (token.value !== '') lines.push('-H "X-Access-Token: $ACCESS_TOKEN"')
  if (typeof body === 'string') lines.push(`--data-raw ${quote(body)}`)
  for (const [name, value] of body instanceof FormData ? body : []) lines.push(formPart(name, value))
  return lines.join(' \\\n  ')
}

const formPart = (name: string, value: FormDataEntryValue): string =>
  typeof value === 'string'
    ? `--form-string ${quote(`${name}=${value}`)}`
    : `-F ${quote(`${name}=@"${value.name.replaceAll(/["\\]/g, '\\$&')}"${value.type === '' ? '' : `;type=${value.type}`}`)}`

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
