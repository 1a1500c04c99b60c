/** The log of one request, made only when something is written to it. */
import type { FastifyBaseLogger } from 'fastify'

/**
 * Stands for the child logger that Fastify makes for every request. Making one costs more than a sixth of a simple
 * request's time, and most requests write nothing; here it is made with the first line.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Record<string, unknown>
  #made: FastifyBaseLogger | undefined

  constructor (parent: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#parent = parent
    this.#bindings = bindings
  }

  get #log (): FastifyBaseLogger {
    return (this.#made ??= this.#parent.child(this.#bindings))
  }

  get level (): string { return this.#parent.level }
  set level (level: string) { this.#log.level = level }

  // Methods and not getters: Fastify looks at each of them for every request.
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

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
