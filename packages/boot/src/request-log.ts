/** The log of one request, made only when something is written to it. */
import {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions
} from 'fastify'

/**
 * Stands for the child logger that Fastify makes for every request. Making one costs more than a sixth of a simple
 * request's time, and most requests write nothing; here it is made with the first line.
 */
class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #reqId: string
  #made: FastifyBaseLogger | undefined

  constructor (parent: FastifyBaseLogger, reqId: string) {
    this.#parent = parent
    this.#reqId = reqId
  }

  get #log (): FastifyBaseLogger {
    return (this.#made ??= this.#parent.child({ reqId: this.#reqId }))
  }

  get level (): string { return this.#parent.level }
  set level (level: string) { this.#log.level = level }

  fatal (...line: unknown[]): void { this.#write('fatal', line) }
  error (...line: unknown[]): void { this.#write('error', line) }
  warn (...line: unknown[]): void { this.#write('warn', line) }
  info (...line: unknown[]): void { this.#write('info', line) }
  debug (...line: unknown[]): void { this.#write('debug', line) }
  trace (...line: unknown[]): void { this.#write('trace', line) }
  silent (): void {}

  child (...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...args)
  }

  #write (level: Level, line: unknown[]): void {
    // The parent's methods do nothing below its level, so that no child need be made for those lines.
    if ((this.#parent as { isLevelEnabled? (level: Level): boolean }).isLevelEnabled?.(level) === false) return
    (this.#log[level] as (...line: unknown[]) => void)(...line)
  }
}

type ChildLoggerFactory = NonNullable<FastifyServerOptions['childLoggerFactory']>

/**
 * Options of Fastify for a server that writes nothing about requests as such. Fastify itself is not told of the log:
 * where it has one it listens to the end of each response, to write about it, which is a twentieth of a simple
 * request's time. So `reply.elapsedTime` counts where a hook `onResponse` asks for it, as it does on a server without a
 * log.
 */
export function withoutRequestLog (): FastifyServerOptions {
  return { logController: new LogController({ disableRequestLogging: true }) }
}

/** Gives a request its log; to be called before anything that may write to it. */
export type LogLender = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Gives a server made with these options its log: for lines of its own, and as the parent in factories of plugins.
 * Requests get theirs from what this returns: a factory of Fastify's costs each of them a tenth of a simple one, since
 * Fastify looks at all methods of what it makes.
 */
export function lendLog (fastify: FastifyInstance, log: FastifyBaseLogger): LogLender {
  const none = fastify.log
  fastify.log = log
  const setFactory = fastify.setChildLoggerFactory
  fastify.setChildLoggerFactory = function (factory) {
    const parented: ChildLoggerFactory = (_none, ...rest) => factory.call(this, log, ...rest)
    return setFactory.call(this, parented)
  }
  return (request, reply) => {
    // Made by a factory of a plugin.
    if (request.log !== none) return
    request.log = reply.log = new RequestLog(log, request.id)
  }
}

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
