/** A clean end of the process. */
import closeWithGrace from 'close-with-grace'
import type {} from '@fastback/health'
import type { FastifyInstance } from 'fastify'
import type { Server } from './server.js'

export interface StopOptions {
  /** Milliseconds after which the process ends all the same, beyond the `drainDelay` of health. Default: 10,000. */
  readonly delay?: number
  /** Signals that mean something else to this process. Default: none. */
  readonly skip?: readonly NodeJS.Signals[]
}

/**
 * Stops the server on SIGTERM, SIGINT and uncaught errors. Load balancers learn of the end first (`/health/ready`, then
 * the `drainDelay` of health), then connections have their last responses and streams end; what was begun is answered.
 * Then the process ends; with 0 after a signal, 1 after an error.
 *
 * ```js
 * const server = await createServer('my-app')
 * stopOnSignals(server, { delay: 5000 })
 * await server.start()
 * ```
 * @param server the server to stop
 * @param options `delay`: milliseconds after which the process ends all the same (default: 10,000); `skip`: signals
 * that are left alone
 * @returns takes the listeners away again
 */
export function stopOnSignals (
  { fastify, leave, stop }: Pick<Server, 'fastify' | 'leave' | 'stop'>, { delay = 10_000, skip = [] }: StopOptions = {}
): () => void {
  const options = { delay: delay + drainDelayOf(fastify), logger: false, skip: [...skip] as never } as const
  const handle = closeWithGrace(options, async ({ err, signal }) => {
    if (err !== undefined) fastify.log.error({ err }, 'the process ends after an error that nothing handled')
    else fastify.log.info({ signal }, 'the server stops')
    if (fastify.hasDecorator('health')) await fastify.health.drain()
    // Who is in the middle of something that went wrong is not kept.
    if (err === undefined) await leave()
    await stop()
  })
  return () => { handle.uninstall() }
}

/**
 * Milliseconds that an application waits in the end until load balancers have noticed: `drainDelay` of
 * `@fastback/health`, 0 without it.
 *
 * ```js
 * const { fastify } = await createServer('my-app')
 * drainDelayOf(fastify) // 0
 * await fastify.close()
 * ```
 */
export const drainDelayOf = (fastify: FastifyInstance): number =>
  fastify.hasDecorator('health') ? fastify.health.drainDelay : 0
