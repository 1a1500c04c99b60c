/** The keys that sign: made, published, rotated and opened here. Their rows are all that processes share (OI-07). */
import { createPrivateKey, createPublicKey, type KeyObject, type JsonWebKey } from 'node:crypto'
import type { JWK, JWTPayload } from 'jose'
import { UnknownKeyError, UnreadableKeyError } from '../errors.js'
import { makeKeyPair, published } from './key-pair.js'
import { KeyRows, type KeyRow } from './key-rows.js'
import type { KeySettings, SigningAlgorithm } from './options.js'
import { dueSteps, nextGeneration, signingKeyOf, type RotationStep, type RotationTimes } from './rotation.js'
import { seal, unseal } from './sealed-key.js'
import { signJwt } from './sign-jwt.js'

/** Milliseconds that rows are remembered: a key that is revoked in another process signs no longer than that. */
const recent = 1000

export interface SigningKeysOptions extends KeySettings {
  readonly algorithms: readonly SigningAlgorithm[]
  /** Seconds that the longest token lives that a key signs. */
  readonly longestToken: number
}

/** A key that tells whether a signature is ours. */
export interface VerifyingKey {
  readonly alg: SigningAlgorithm
  readonly key: KeyObject
}

/** What an immediate rotation did. */
export interface Rotated {
  /** Ids of the keys that sign from now on, one for each algorithm that was rotated. */
  readonly current: readonly string[]
  /** The id of the key that is in the set no more. */
  readonly revoked: string | undefined
}

/**
 * `app.oauth2.keys` where the option `openid` is on.
 *
 * ```js
 * await app.oauth2.keys.rotate()                    // new keys sign at once; the old ones stay published
 * await app.oauth2.keys.rotate({ revoke: kid })     // and this one is in the set no more
 * ```
 */
export class SigningKeys {
  readonly #rows: KeyRows
  /** Opened private keys, by id. Those of keys that are not there any more are dropped. */
  readonly #opened = new Map<string, KeyObject>()
  #known: { readonly rows: Promise<readonly KeyRow[]>, readonly until: number } | undefined

  constructor (rows: KeyRows, readonly options: SigningKeysOptions) {
    this.#rows = rows
  }

  /**
   * Opens every key once, and seals with the first secret what another one sealed.
   * @throws FBK_OAUTH2_UNREADABLE_KEY naming a key that no secret opens (OI-35)
   */
  async check (): Promise<void> {
    for (const row of await this.#rows.all()) {
      const { text, isFirst } = await this.#unseal(row)
      if (!isFirst) await this.#rows.reseal(row, await seal(text, this.options.secrets))
    }
  }

  /** The published set, of now: `{ keys: […] }` (OI-30). */
  async publicSet (): Promise<{ readonly keys: readonly JWK[] }> {
    this.#known = undefined
    return { keys: (await this.#current()).map(published) }
  }

  /** Seconds that the set may be remembered by those who fetch it (OI-40). */
  get maxAge (): number {
    return Math.floor(Math.min(this.options.publishBefore, 3600) / 2)
  }

  /**
   * Signs claims with the current key of an algorithm.
   *
   * ```js
   * await keys.sign({ sub: '1' }, { alg: 'RS256', typ: 'JWT' })
   * ```
   * @param typ kind of the token (OI-270)
   */
  async sign (claims: JWTPayload, { alg, typ }: {
    readonly alg: SigningAlgorithm, readonly typ: string
  }): Promise<string> {
    const row = signingKeyOf((await this.#current()).filter(row => row.alg === alg))
    if (row === undefined) throw new Error(`There is no key for ${alg}.`)
    return await signJwt(claims, { alg, kid: row.id, typ }, await this.#open(row))
  }

  /** The key with an id, past ones too; undefined for one that is not ours, or was revoked. */
  async find (kid: string): Promise<VerifyingKey | undefined> {
    const row = (await this.#current()).find(({ id }) => id === kid)
    return row === undefined
      ? undefined
      : { alg: row.alg, key: createPublicKey({ key: row.publicKey as JsonWebKey, format: 'jwk' }) }
  }

  /**
   * Rotates at once (OI-38): a key that is published already signs from now on, else a new one. Several processes at
   * once rotate once.
   * @param revoke id of a key that is taken out of the set; only its algorithm is rotated then
   * @throws FBK_OAUTH2_UNKNOWN_KEY
   */
  async rotate ({ revoke }: { readonly revoke?: string | undefined } = {}): Promise<Rotated> {
    const rows = await this.#rows.all()
    const revoked = rows.find(({ id }) => id === revoke)
    if (revoke !== undefined && revoked === undefined) throw new UnknownKeyError(revoke)
    const algorithms = revoked === undefined ? this.options.algorithms : [revoked.alg]
    const current: string[] = []
    for (const alg of algorithms) {
      const id = await this.#rotate(alg, rows.filter(row => row.alg === alg), revoked)
      if (id !== undefined) current.push(id)
    }
    if (revoked !== undefined) await this.#rows.remove(revoked.id)
    this.#known = undefined
    return { current, revoked: revoked?.id }
  }

  /** Takes the steps that are due. */
  async look (): Promise<void> {
    this.#known = undefined
    await this.#current()
  }

  async #rotate (alg: SigningAlgorithm, rows: readonly KeyRow[],
    revoked: KeyRow | undefined): Promise<string | undefined> {
    const next = rows.find(({ state, id }) => state === 'next' && id !== revoked?.id)
    if (next === undefined) await this.#create(alg, nextGeneration(rows), 'current')
    else await this.#rows.move(next.id, 'next', 'current')
    for (const { id, state } of rows) {
      if (state === 'current' && id !== revoked?.id) await this.#rows.move(id, 'current', 'past')
    }
    return signingKeyOf((await this.#rows.all()).filter(row => row.alg === alg && row.id !== revoked?.id))?.id
  }

  async #create (alg: SigningAlgorithm, generation: number, state: 'next' | 'current'): Promise<boolean> {
    const { rsaBits, secrets } = this.options
    const { kid, publicKey, privateKey } = await makeKeyPair(alg, { rsaBits })
    const { sealed, salt } = await seal(JSON.stringify(privateKey), secrets)
    const now = new Date(Date.now())
    return await this.#rows.insert({
      id: kid, alg, generation, publicKey, privateKey: sealed, salt, state, createdAt: now,
      ...(state === 'current' ? { currentFrom: now } : {})
    })
  }

  /** Rows of now, after the steps that are due. Requests at the same time look together. */
  async #current (): Promise<readonly KeyRow[]> {
    const now = Date.now()
    if (this.#known === undefined || this.#known.until <= now || this.#known.until > now + recent) {
      const rows = this.#advance()
      this.#known = { rows, until: now + recent }
      rows.catch(() => { this.#known = undefined })
    }
    return await this.#known.rows
  }

  async #advance (): Promise<readonly KeyRow[]> {
    const times: RotationTimes = this.options
    let rows = await this.#rows.all()
    for (const alg of this.options.algorithms) {
      const steps = dueSteps(rows.filter(row => row.alg === alg), times, Date.now())
      for (const step of steps) await this.#take(alg, step)
      if (steps.length > 0) rows = await this.#rows.all()
    }
    rows = await this.#withoutUnused(rows)
    for (const kid of this.#opened.keys()) if (!rows.some(({ id }) => id === kid)) this.#opened.delete(kid)
    return rows
  }

  async #take (alg: SigningAlgorithm, step: RotationStep): Promise<void> {
    if (step.kind === 'create') await this.#create(alg, step.generation, step.state)
    else if (step.kind === 'promote') await this.#rows.move(step.key.id, 'next', 'current')
    else if (step.kind === 'retire') await this.#rows.move(step.key.id, 'current', 'past')
    else await this.#rows.remove(step.key.id)
  }

  /** Keys of an algorithm that the option names no more are retired like others. */
  async #withoutUnused (rows: readonly KeyRow[]): Promise<readonly KeyRow[]> {
    const unused = rows.filter(({ alg }) => !this.options.algorithms.includes(alg))
    if (unused.length === 0) return rows
    const times: RotationTimes = this.options
    for (const row of unused) {
      if (row.state === 'next') await this.#rows.remove(row.id)
      else if (row.state === 'current') await this.#rows.move(row.id, 'current', 'past')
      else for (const step of dueSteps([row], times, Date.now())) if (step.kind === 'remove') await this.#take(row.alg, step)
    }
    return await this.#rows.all()
  }

  async #open (row: KeyRow): Promise<KeyObject> {
    const known = this.#opened.get(row.id)
    if (known !== undefined) return known
    const { text } = await this.#unseal(row)
    const key = createPrivateKey({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' })
    this.#opened.set(row.id, key)
    return key
  }

  async #unseal (row: KeyRow): Promise<{ text: string, isFirst: boolean }> {
    const opened = await unseal({ sealed: row.privateKey, salt: row.salt }, this.options.secrets)
    if (opened === undefined) throw new UnreadableKeyError(row.id)
    return opened
  }
}
