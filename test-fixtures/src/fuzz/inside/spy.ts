/**
 * Errors that are answered where Fastify tells nobody: anyone who answers one reads its `statusCode`, which most errors
 * do not have. While somebody looks, reading what is not there is noticed.
 */
import type { ServerFault } from './protocol.js'

const seen = new Set<string>()

export function spyOn (): ServerFault[] {
  seen.clear()
  // eslint-disable-next-line no-extend-native -- for the time of one request, and gone after it
  Object.defineProperty(Error.prototype, 'statusCode', {
    configurable: true,
    get (this: Error) {
      seen.add(String(this.stack))
      return undefined
    },
    set (this: Error, value: unknown) {
      Object.defineProperty(this, 'statusCode', { value, configurable: true, enumerable: true, writable: true })
    }
  })
  return []
}

export function spyOff (): ServerFault[] {
  delete (Error.prototype as { statusCode?: unknown }).statusCode
  return [...seen].map(stack => ({ stack, url: '' }))
}
