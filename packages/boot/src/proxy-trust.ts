/**
 * The setting `trust proxy`, with Express' meaning, for Fastify's requests: limits per address, logs and addresses in
 * mails go by it.
 */
import { createRequire } from 'node:module'
import { InvalidConfigError } from './errors.js'

/** Whether the sender at an address, so many hops away, is believed when it says whom it speaks for. */
export type Trusts = (address: string, hop: number) => boolean

const nobody: Trusts = () => false

/**
 * The trust that a server was told of. It can be told again, because boot scripts may set what config.json does not
 * say, and Fastify takes its options before they run.
 */
export class ProxyTrust {
  #trusts = nobody

  /** For Fastify's option `trustProxy`. */
  readonly trusts: Trusts = (address, hop) => this.#trusts(address, hop)

  /**
   * @param value true: all; a number: so many proxies in front; addresses, ranges and `loopback`, `linklocal`,
   * `uniquelocal`, as a list or with commas between; a function; false or nothing: nobody
   * @param place names the setting's file, for the message
   * @throws FBK_BOOT_INVALID_CONFIG for anything else
   */
  use (value: unknown, place: string): void {
    this.#trusts =
      value === undefined || value === null || value === false || value === '' ? nobody : compiled(value, place)
  }
}

function compiled (value: unknown, place: string): Trusts {
  const texts = typeof value === 'string' ? value.split(',').map(text => text.trim()) : value
  const isList = Array.isArray(texts) && texts.every(text => typeof text === 'string' && /[^\d\s]/.test(text))
  const isCount = Number.isInteger(value) && (value as number) >= 0
  if (value !== true && !isCount && !isList && typeof value !== 'function') throw wrong(place, value)
  const { compileTrust } = createRequire(import.meta.url)('express/lib/utils.js') as {
    compileTrust(value: unknown): Trusts
  }
  try {
    return compileTrust(isList ? texts : value)
  } catch {
    throw wrong(place, value)
  }
}

const wrong = (place: string, value: unknown): Error =>
  new InvalidConfigError(
    place,
    `"trust proxy" is ${JSON.stringify(value)}; it must be the proxies' addresses or ranges ("10.0.0.1, loopback"), their number (1, not "1"), true or false`
  )
