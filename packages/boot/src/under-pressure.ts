/** Refusing requests that a busy server would only make worse: config.json, `server.underPressure`. */
import type { FastifyInstance } from 'fastify'
import { InvalidConfigError } from './errors.js'
import { isRecord } from './load/is-record.js'

/**
 * For `true`. Milliseconds that the event loop comes late on average of a second; seconds after which clients may come
 * again.
 */
const defaults = { maxEventLoopDelay: 1_000, retryAfter: 10 }

const numbers: ReadonlySet<string> = new Set([
  'maxEventLoopDelay',
  'maxEventLoopUtilization',
  'maxHeapUsedBytes',
  'maxRssBytes',
  'retryAfter',
  'sampleInterval'
])

/**
 * Adds `@fastify/under-pressure`, which is loaded only then: requests get 503 with `Retry-After` for as long as a limit
 * is passed. Register it before everything else, so that refused requests cost nothing more.
 * @throws FBK_BOOT_INVALID_CONFIG for what is neither a flag nor an object of its limits
 */
export function refuseUnderPressure (
  fastify: FastifyInstance, place: string, settings: Readonly<Record<string, unknown>>
): void {
  const given = isRecord(settings.server) ? settings.server.underPressure : undefined
  if (given === undefined || given === null || given === false) return
  const refuse = (what: string): never => {
    throw new InvalidConfigError(place, what)
  }
  if (given !== true && !isRecord(given)) return refuse('"server.underPressure" must be true, false or an object')
  const limits = given === true ? {} : given
  for (const [name, value] of Object.entries(limits)) {
    if (!numbers.has(name)) refuse(`"server.underPressure.${name}" is not known; there are ${[...numbers].join(', ')}`)
    if (typeof value !== 'number' || !(value >= 0)) {
      refuse(`"server.underPressure.${name}" must be a number that is not negative`)
    }
  }
  fastify.register(import('@fastify/under-pressure'), { ...defaults, ...limits })
}
