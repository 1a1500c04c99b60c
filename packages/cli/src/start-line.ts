/** What `serve` says when it serves: a line for people, or one of the log where that tells such things. */
import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'

/** Where something is served. */
export interface Addresses {
  /** `http://127.0.0.1:3000` */
  readonly url: string
  /** Where the REST API begins. */
  readonly apiUrl: string
  /** Where the explorer is; undefined without one. */
  readonly explorerUrl: string | undefined
  /** Where the admin page is; undefined without one. */
  readonly adminUrl: string | undefined
  /** Where the studio is; undefined without one. */
  readonly studioUrl: string | undefined
}

/** Whether a log has lines of the level "info". */
export const logsInfo = (log: FastifyBaseLogger): boolean => {
  const { isLevelEnabled } = log as { isLevelEnabled?: (level: string) => boolean }
  return isLevelEnabled?.call(log, 'info') === true
}

const levels = { info: 30, warn: 40 } as const

/**
 * A line of the form that the log has, for what is told beside it.
 *
 * ```js no-run
 * logLine('info', 'serving', { url: 'http://127.0.0.1:3000' })
 * // '{"level":30,"time":1700000000000,"pid":1,"hostname":"a","url":"http://127.0.0.1:3000","msg":"serving"}'
 * ```
 */
export const logLine = (level: keyof typeof levels, msg: string, fields: object = {}): string =>
  JSON.stringify({ level: levels[level], time: Date.now(), pid: process.pid, hostname: hostname(), ...fields, msg })

/**
 * The line of the start: with `--json` its addresses, in a log that tells such things a line of that, else a sentence.
 * @param workers how many processes serve; undefined: this one
 */
export function startLine (
  addresses: Addresses,
  { json, log, workers }: { readonly json: boolean, readonly log: boolean, readonly workers?: number | undefined }
): string {
  const { url, apiUrl: api, explorerUrl: explorer, adminUrl: admin, studioUrl: studio } = addresses
  const fields = { url, api, studio, explorer, admin, workers }
  if (json) return JSON.stringify(fields)
  if (log) return logLine('info', 'serving', fields)
  const more = workers === undefined ? '' : `, with ${String(workers)} ${workers === 1 ? 'worker' : 'workers'}`
  return `${servingText(addresses)}${more}`
}

/**
 * What is served where, as a sentence without its end.
 *
 * ```js no-run
 * servingText({ url, apiUrl: `${url}/api`, explorerUrl: undefined, adminUrl: undefined, studioUrl: undefined })
 * // 'Serving http://127.0.0.1:3000/api'
 * ```
 */
export const servingText = ({ apiUrl, explorerUrl, adminUrl, studioUrl }: Addresses): string => [
  `Serving ${apiUrl}`,
  ...(studioUrl === undefined ? [] : [`studio at ${studioUrl}`]),
  ...(explorerUrl === undefined ? [] : [`explorer at ${explorerUrl}`]),
  ...(adminUrl === undefined ? [] : [`admin page at ${adminUrl}`])
].join(', ')
