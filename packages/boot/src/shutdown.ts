/** A clean end of the process. */
import closeWithGrace from 'close-with-grace'
import type {} from '@fastback/health'
import type { Server } from './server.js'

/**
 * Stops the server on SIGTERM, SIGINT and uncaught errors: requests in progress are answered first, then the process
 * ends; with 0 after a signal, 1 after an error.
 *
 * ```js
 * const server = await createServer('my-app')
 * stopOnSignals(server, { delay: 5000 })
 * await server.start()
 * ```
 * @param server the server to stop
 * @param options.delay milliseconds after which the process ends all the same. Default: 10,000
 * @returns takes the listeners away again
 */
export function stopOnSignals ({ fastify, stop }: Server, { delay = 10_000 }: { delay?: number } = {}): () => void {
  const handle = closeWithGrace({ delay, logger: false }, async ({ err, signal }) => {
    if (err !== undefined) fastify.log.error({ err }, 'the process ends after an error that nothing handled')
    else fastify.log.info({ signal }, 'the server stops')
    // Load balancers learn of the end first.
    if (fastify.hasDecorator('health')) await fastify.health.drain()
    await stop()
  })
  return () => { handle.uninstall() }
}
