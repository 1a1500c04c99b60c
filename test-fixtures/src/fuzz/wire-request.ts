/** A request as it goes over the wire, and as people can repeat it. */
import type { HeaderList } from '../hostile/index.js'

export interface WireRequest {
  /** `Customer.find`: the operation that the request is aimed at, by the server's own description. */
  readonly operation: string
  readonly verb: string
  /**
   * As it stands in the request line. `{{token:2}}`, `{{last}}` … here and in headers are filled in when it is sent.
   */
  readonly target: string
  readonly headers: HeaderList
  readonly body?: Buffer | undefined
  readonly chunked?: boolean | undefined
  /** The client leaves before it sent all. */
  readonly broken?: boolean | undefined
}

/** Fills in placeholders. */
export function resolved (request: WireRequest, value: (placeholder: string) => string): WireRequest {
  const fill = (text: string): string =>
    text.replaceAll(/\{\{([\w:]+)\}\}/g, (_all, placeholder: string) => value(placeholder))
  const body =
    request.body?.includes('{{') === true ? Buffer.from(fill(request.body.toString('latin1')), 'latin1') : request.body
  return {
    ...request,
    target: fill(request.target),
    headers: request.headers.map(([name, text]) => [name, fill(text)] as const),
    body
  }
}

/** The bytes of a request. */
export function bytesOf ({ verb, target, headers, body, chunked, broken }: WireRequest, host: string): Buffer {
  const has = (name: string): boolean => headers.some(([each]) => each === name)
  const lines = [
    `${verb} ${target} HTTP/1.1`,
    ...(has('host') ? [] : [`host: ${host}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`)
  ]
  if (body !== undefined && !has('content-length') && !has('transfer-encoding')) {
    lines.push(
      chunked === true ? 'transfer-encoding: chunked' : `content-length: ${body.length + (broken === true ? 10 : 0)}`
    )
  }
  const head = Buffer.from(lines.join('\r\n') + '\r\n\r\n')
  if (body === undefined) return head
  return Buffer.concat(
    chunked === true
      ? [head, Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]
      : [head, body]
  )
}

/** The request as a line for a shell: `curl` where curl can say it, else the bytes through `nc`. */
export function shellLine (request: WireRequest, url: string): string {
  const { hostname, port, host } = new URL(url)
  const { verb, target, headers, body } = request
  const asBytes =
    request.chunked === true ||
    request.broken === true ||
    !/^\/[\u0021-\u007e]*$/.test(target) ||
    target.includes('#') ||
    !/^[A-Z]+$/.test(verb) ||
    headers.some(
      ([name, value]) =>
        !/^[\w-]+$/.test(name) ||
        !/^[\u0020-\u007e]*$/.test(value) ||
        ['content-length', 'transfer-encoding'].includes(name)
    )
  if (asBytes) return `printf ${quoted(bytesOf(request, host), true)} | nc ${hostname} ${port}`
  // `Name;` is curl's way to send an empty header; without these two it would send its own.
  const own = ['accept', 'user-agent', ...(body === undefined ? [] : ['content-type'])]
    .filter(name => !headers.some(([each]) => each === name))
    .map(name => ` -H '${name}:'`)
  const given = headers.map(
    ([name, value]) => ` -H ${quoted(Buffer.from(value === '' ? `${name};` : `${name}: ${value}`), false)}`
  )
  return `curl -i --path-as-is -g${verb === 'HEAD' ? ' -I' : ` -X ${verb}`}${own.join('')}${given.join('')}${body === undefined ? '' : ` --data-binary ${quoted(body, false)}`} ${quoted(Buffer.from(url + target), false)}`
}

/** @param forPrintf the text is printf's format: `%` and `\` are written so that it leaves them alone */
function quoted (bytes: Buffer, forPrintf: boolean): string {
  const text = bytes.toString('latin1')
  if (!forPrintf && /^[\u0020-\u007e]*$/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  const escape = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
  const octal = text.replaceAll(forPrintf ? /[^\u0020-\u007e]|['\\%]/g : /[^\u0020-\u007e]|['\\]/g, escape)
  // `$'…'` knows the same escapes, but ends at NUL, which no argument can hold.
  return forPrintf ? `'${octal.replaceAll('\\045', '%%')}'` : `$'${octal}'`
}

/** For files of seeds: bytes as base64. */
export const toJson = (request: WireRequest): object => ({ ...request, body: request.body?.toString('base64') })
export const fromJson = (value: object): WireRequest => {
  const { body, ...rest } = value as Omit<WireRequest, 'body'> & { body?: string }
  return { ...rest, body: body === undefined ? undefined : Buffer.from(body, 'base64') }
}
