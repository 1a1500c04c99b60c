import { Pool, ProxyAgent, type Dispatcher } from 'undici'
import type { Outgoing } from '@fastback/core/outgoing'
import { Breaker, type Outcome } from './breaker.js'
import { serviceBusy, serviceUnavailable } from './errors.js'
import type { EffectiveSettings } from './settings.js'

/** Origins whose pools are kept though nobody calls them; beyond, idle ones are closed. */
const mostIdle = 100

/** A call that has a place; `left` says how it went, `ended` that its last byte came. Each is called once. */
export interface Slot {
  left (outcome: Outcome): void
  ended (): void
}

/** What is kept of an origin: its connections, how many calls are under way or wait, and its breaker. */
export class Lane {
  #calls = 0
  readonly #breaker: Breaker | undefined

  constructor (
    readonly dispatcher: Dispatcher, readonly dataSource: string, readonly settings: EffectiveSettings
  ) {
    this.#breaker = settings.breaker && new Breaker(settings.breaker)
  }

  get isIdle (): boolean {
    return this.#calls === 0 && (this.#breaker?.isIdle ?? true)
  }

  /** @throws ServiceError 503 SERVICE_BUSY, SERVICE_UNAVAILABLE */
  enter (): Slot {
    const { maxConnections, maxQueue } = this.settings
    if (this.#calls >= maxConnections + maxQueue) throw serviceBusy(this.dataSource)
    const trial = this.#breaker?.enter() ?? false
    if (typeof trial === 'number') throw serviceUnavailable(this.dataSource, trial)
    this.#calls++
    return {
      left: outcome => { this.#breaker?.leave(trial, outcome) },
      ended: () => { this.#calls-- }
    }
  }
}

/** The lanes of a client, by origin. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  #isClosed = false

  constructor (readonly dataSource: string, readonly settings: EffectiveSettings, readonly outgoing: Outgoing) {}

  /**
   * @param isGuarded whether only public addresses of the name may be connected to
   * @throws ServiceError 503 SERVICE_UNAVAILABLE once closed
   */
  of (origin: string, isGuarded: boolean): Lane {
    if (this.#isClosed) throw serviceUnavailable(this.dataSource)
    const key = isGuarded ? `guarded ${origin}` : origin
    let lane = this.#lanes.get(key)
    if (lane === undefined) {
      if (this.#lanes.size >= mostIdle) this.#dropIdle()
      const dispatcher = dispatcherOf(origin, this.settings, isGuarded ? this.outgoing : undefined)
      lane = new Lane(dispatcher, this.dataSource, this.settings)
      this.#lanes.set(key, lane)
    }
    return lane
  }

  /** Takes calls again. */
  open (): void {
    this.#isClosed = false
  }

  /** Waits for calls under way. */
  async close (): Promise<void> {
    this.#isClosed = true
    const open = [...this.#lanes.values()]
    this.#lanes.clear()
    await Promise.all(open.map(({ dispatcher }) => dispatcher.close()))
  }

  #dropIdle (): void {
    for (const [key, lane] of this.#lanes) {
      if (!lane.isIdle) continue
      this.#lanes.delete(key)
      lane.dispatcher.close().catch(() => { /* nobody uses it any more */ })
    }
  }
}

/**
 * Connections to an origin. Where only public addresses count, the address is judged when the connection is made, and
 * no certificate of ours is shown there.
 */
function dispatcherOf (origin: string, settings: EffectiveSettings, outgoing: Outgoing | undefined): Dispatcher {
  const { ca, cert, key, pfx, passphrase, strictSSL, rejectUnauthorized, connectTimeout, keepAlive } = settings
  const own = outgoing === undefined ? { cert: bytes(cert), key: bytes(key), pfx: bytes(pfx), passphrase } : {}
  const tls = {
    ...own,
    ca: bytes(ca),
    rejectUnauthorized: strictSSL !== false && rejectUnauthorized !== false,
    timeout: connectTimeout
  }
  const common = {
    connections: settings.maxConnections,
    ...(keepAlive === 0 ? { pipelining: 0 } : { keepAliveTimeout: keepAlive })
  }
  if (settings.proxy !== undefined) {
    return new ProxyAgent({ ...common, uri: settings.proxy, requestTls: tls, proxyTunnel: settings.tunnel })
  }
  return new Pool(origin, { ...common, connect: { ...tls, ...(outgoing && { lookup: outgoing.lookup }) } })
}

type Pem = EffectiveSettings['ca']

/** In the form that `node:tls` takes. */
const bytes = (pem: Pem) => Array.isArray(pem) ? pem.map(one) : pem === undefined ? undefined : one(pem)
const one = (pem: string | Uint8Array): string | Buffer => typeof pem === 'string' ? pem : Buffer.from(pem)
