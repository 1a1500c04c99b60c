/** The part of a client that sends requests again, where repeats have their effect once. */
import type { OpenApiDocument, Operation } from '@fastback/explorer'
import { text } from '../source-text.js'

/** A parameter that the client sets itself. */
export const keyHeader = 'Idempotency-Key'

/** Undefined: it takes none. */
const keySupport = (operation: Operation): Operation['x-idempotency-key'] => operation['x-idempotency-key']

/**
 * An operation without the key that the client sets itself. One that a method has declared stays.
 *
 * ```js
 * withoutKey(document.paths['/Notes'].post).parameters
 * ```
 */
export function withoutKey (operation: Operation): Operation {
  if (keySupport(operation) === undefined) return operation
  return { ...operation, parameters: (operation.parameters ?? []).filter(({ name }) => name !== keyHeader) }
}

/** Whether operations of an API take a key. */
export const hasKeyedOperations = ({ paths }: OpenApiDocument): boolean =>
  Object.values(paths).some(item => Object.values(item).some(operation => keySupport(operation) !== undefined))

/** The operations that take a key, and whether they demand one. */
export function keyTable ({ paths }: OpenApiDocument): string {
  const entries = Object.entries(paths).flatMap(([path, item]) => Object.entries(item).flatMap(([verb, operation]) => {
    const support = keySupport(operation)
    return support === undefined ? [] : [`  ${text(`${verb.toUpperCase()} ${path}`)}: ${text(support)}`]
  }))
  return `const keys: Readonly<Record<string, 'optional' | 'required'>> = {\n${entries.join(',\n')}\n}`
}

/** Option of a client and of a call. */
export const retryOption = `
  /**
   * How often a request is sent again where no response came, or one that says to come again later. What writes has one
   * Idempotency-Key then, so that it is done once. Default: 0.
   */
  readonly retries?: number`

export const retryFunctions = `async function sendRepeatedly (client: ClientOptions, operation: string, address: string, init: Upload, { onProgress, retries = client.retries ?? 0 }: CallOptions): Promise<Response> {
  const support = keys[operation]
  if (support !== undefined && (retries > 0 || support === 'required') && !init.headers.has('idempotency-key')) {
    init.headers.set('idempotency-key', \`"\${globalThis.crypto.randomUUID()}"\`)
  }
  const mayRepeat = init.method === 'GET' || init.headers.has('idempotency-key')
  for (let tries = 0; ; tries++) {
    const isLast = !mayRepeat || tries >= retries
    let wait = Math.min(250 * 2 ** tries, 10_000)
    try {
      const response = await send(client, address, init, onProgress)
      if (isLast || !await isToRepeat(response)) return response
      wait = Number(response.headers.get('retry-after') ?? 0) * 1000 || wait
    } catch (error) {
      init.signal?.throwIfAborted()
      if (isLast || !(error instanceof TypeError)) throw error
    }
    await new Promise(resolve => { setTimeout(resolve, wait) })
    init.signal?.throwIfAborted()
  }
}

/** Of conflicts only that with the first request, which is still under way. */
async function isToRepeat (response: Response): Promise<boolean> {
  if (response.status === 409) return (await response.clone().text()).includes('IDEMPOTENCY_KEY_IN_USE')
  return [429, 502, 503, 504].includes(response.status)
}`
