/**
 * What log lines must not carry: tokens and passwords (security.md, S-10, S-82). For the `logger`
 * option of the Fastify server.
 */
import { canonicalTarget } from '../request/target.js'
import { maskText, maskUrl } from './mask-text.js'
import { maskValue } from './mask-value.js'

interface LoggedRequest { method?: string, url?: string, host?: string, ip?: string, socket?: { remotePort?: number } }

/** Members of a log line that hold what came from outside, or an error. */
const telling = [
  'err', 'error', 'reason', 'cause', 'detail', 'details', 'description',
  'url', 'originalUrl', 'location', 'redirect', 'href', 'uri', 'path', 'referer', 'referrer',
  'headers', 'body', 'query', 'params', 'args', 'arguments', 'data', 'payload', 'input', 'form', 'credentials',
  'options',
  'user', 'account', 'filter', 'where', 'instance', 'context', 'ctx', 'result', 'response'
]

const requestOf = (request: LoggedRequest): Record<string, unknown> => ({
  method: request.method,
  // The line is written before the request's hooks run: the path has the spelling that it was sent in.
  url: request.url === undefined ? undefined : maskUrl(canonicalTarget(request.url) ?? request.url),
  host: request.host,
  remoteAddress: request.ip,
  remotePort: request.socket?.remotePort
})

type Serializer = (value: any) => unknown

/**
 * Serializers for pino: requests as Fastify logs them, errors as pino does, messages, and what usually holds input;
 * each with its secrets masked.
 */
export const logSerializers: Readonly<Record<string, Serializer>> & { readonly req: typeof requestOf } = {
  ...Object.fromEntries(telling.map(name => [name, (value: unknown) => maskValue(value, name)])),
  msg: (text: unknown) => typeof text === 'string' ? maskText(text) : maskValue(text),
  req: requestOf
}

const secrets = [
  'authorization', 'Authorization', 'cookie', 'Cookie', '["set-cookie"]', '["x-access-token"]',
  '["proxy-authorization"]',
  'password', 'newPassword', 'oldPassword', 'access_token', 'accessToken', 'refresh_token', 'refreshToken',
  'client_secret',
  'clientSecret', 'secret', 'token', 'id_token', 'assertion', 'client_assertion', 'code_verifier', 'verificationToken'
]
const below = (parent: string) => (name: string): string =>
  name.startsWith('[') ? `${parent}${name}` : `${parent}.${name}`

/** Paths for pino's `redact`: a second net, for members that no serializer is for. */
export const redactPaths: readonly string[] = [
  ...secrets, ...['*', 'req.headers', 'res.headers'].flatMap(parent => secrets.map(below(parent)))
]

/** Keys that have a serializer of their own, or of Fastify's. */
const own: ReadonlySet<string> = new Set(['req', 'res', ...telling])

/** A whole log line, or the bindings of a logger: every member whatever its name. */
export function maskLine (line: object): Record<string, unknown> {
  const shown = Object.entries(line).map(([name, value]) =>
    own.has(name) ? { [name]: value as unknown } : maskMember(name, value))
  return Object.assign({}, ...shown) as Record<string, unknown>
}

function maskMember (name: string, value: unknown): object {
  const shown = maskValue({ [name]: value })
  return typeof shown === 'object' ? shown as object : { [name]: shown }
}

/**
 * All of it, for the logger of a server: `Fastify({ logger: { level: 'info', ...logMasking } })`. Serializers and paths
 * know the usual places of secrets, this looks at every member of every line.
 */
export const logMasking = {
  serializers: logSerializers,
  redact: [...redactPaths],
  formatters: { log: maskLine, bindings: maskLine }
}
