/** What log lines must not carry: tokens and passwords (security.md, S-10). For the `logger` option of the Fastify server. */
import { canonicalTarget } from '@fastback/core'

/** Paths for pino's `redact`. */
export const redactPaths: readonly string[] = [
  'req.headers.authorization', 'req.headers.cookie', 'req.headers["x-access-token"]', 'req.headers["proxy-authorization"]', 'res.headers["set-cookie"]',
  'headers.authorization', 'headers.cookie', 'headers["x-access-token"]', '*.password', '*.newPassword', '*.oldPassword', '*.access_token', '*.refresh_token', '*.client_secret'
]

const tokenParameters = /([?&](?:access_token|token|refresh_token|code|client_secret|password)=)[^&#]*/gi

/** A URL with the values of token parameters masked. */
export const maskUrl = (url: string): string => url.includes('?') ? url.replaceAll(tokenParameters, '$1[masked]') : url

interface LoggedRequest { method?: string, url?: string, host?: string, ip?: string, socket?: { remotePort?: number } }

/** Serializers for pino: requests as Fastify logs them, with `maskUrl`. */
export const logSerializers = {
  req: (request: LoggedRequest): Record<string, unknown> => ({
    method: request.method,
    // The line is written before the request's hooks run: the path has the spelling that it was sent in.
    url: request.url === undefined ? undefined : maskUrl(canonicalTarget(request.url) ?? request.url),
    host: request.host,
    remoteAddress: request.ip,
    remotePort: request.socket?.remotePort
  })
}
