/** Masks secrets in a logger that somebody else has made. */
import { logSerializers, maskLine } from './serializers.js'
import { maskValue } from './mask-value.js'

type Serializer = (value: unknown) => unknown
type Serializers = Record<string | symbol, Serializer | undefined>
interface Formatters { log?: (line: object) => object, bindings?: (line: object) => object, [name: string]: unknown }

/** pino keeps what a logger was made with under symbols; `pino.symbols` documents them, and children inherit. */
const places = { serializers: 'pino.serializers', formatters: 'pino.formatters' } as const

/**
 * Lets a pino logger, and all children that it will have, write no tokens and passwords: in addresses, headers,
 * cookies, messages and errors, as `logMasking` does for a logger of one's own. What the logger makes of a line by
 * itself it goes on doing; its result is masked. A logger that is masked already, or that is not pino's, is left as it
 * is.
 *
 * ```js
 * maskLogger(app.log)
 * ```
 * @returns whether lines of the logger are masked now
 */
export function maskLogger (log: object): boolean {
  const serializers = read(log, places.serializers) as Serializers | undefined
  if (serializers === undefined) return false
  if (serializers.req === logSerializers.req || masking in serializers) return true
  const masked: Serializers = { ...serializers, [masking]: value => value }
  for (const name of [...Object.keys(logSerializers), 'res']) {
    const own = serializers[name]
    const ours = logSerializers[name]
    masked[name] = own === undefined ? ours : value => maskValue(own(value), name)
  }
  write(log, places.serializers, masked)
  const formatters = (read(log, places.formatters) ?? {}) as Formatters
  const { log: line, bindings } = formatters
  write(log, places.formatters, {
    ...formatters,
    log: (each: object) => maskLine(line === undefined ? each : line(each)),
    bindings: (each: object) => maskLine(bindings === undefined ? each : bindings(each))
  })
  return true
}

/** Says of serializers that they mask. */
const masking = Symbol('fastback.masking')

function placeOf (log: object, description: string): symbol | undefined {
  for (let each: object | null = log; each !== null; each = Object.getPrototypeOf(each) as object | null) {
    const found = Object.getOwnPropertySymbols(each).find(symbol => symbol.description === description)
    if (found !== undefined) return found
  }
}

function read (log: object, description: string): unknown {
  const place = placeOf(log, description)
  return place === undefined ? undefined : (log as Record<symbol, unknown>)[place]
}

function write (log: object, description: string, value: object): void {
  const place = placeOf(log, description)
  if (place !== undefined) Object.defineProperty(log, place, { value, writable: true, configurable: true })
}
