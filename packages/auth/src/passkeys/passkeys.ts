/** Passkeys of a user model's users (openid.md, section 10.3). */
import { randomBytes } from 'node:crypto'
import type { Row } from '@fastback/core'
import { findRowById } from '@fastback/core/remote'
import { passkeyLimit, passkeyRefused } from '../errors.js'
import { idOfUser } from '../factors/account.js'
import { challengeTtl, type Challenge } from '../factors/challenges.js'
import type { FactorRow } from '../factors/factor-rows.js'
import type { FactorWay } from '../factors/factor-way.js'
import type { SecondFactors } from '../factors/second-factors.js'
import { isSameText } from '../same-text.js'
import { authService } from '../service.js'
import type { RelyingParty } from './settings.js'
import { algorithms, judgeAssertion, judgeCreation, readResponse, type Credential, type Response } from './webauthn.js'

/** Passkeys of one user. */
const most = 20
const timeout = challengeTtl * 1000
/** Milliseconds in which the same response may come twice, and one of them is refused. */
const sameMoment = 5000

/** What is stored of a passkey beside its counter, as JSON. */
interface Stored extends Credential {
  readonly backedUp: boolean
  /** The id of the user that authenticators know. */
  readonly handle: string
  /** Its counter did not grow: there may be a copy of it (OI-245). */
  readonly suspect?: boolean
}

const storedIn = (row: FactorRow): Stored => JSON.parse(row.data as string) as Stored

/** Request options in their JSON form (WebAuthn Level 3, section 5.1.10). */
export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
  readonly userVerification: 'required'
  /** Milliseconds. */
  readonly timeout: number
  readonly allowCredentials?: readonly object[]
}

/**
 * The passkeys of one user model. A response counts for the challenge that was made for it, once, on our own pages, and
 * only where the authenticator has verified its user (OI-249).
 *
 * ```js
 * const passkeys = authService(registry).secondFactors(Customer)?.ways.get('response')
 * await passkeys.login(response) // { user: 7, … } of whoever has the passkey; undefined for a response that is wrong
 * ```
 */
export class Passkeys implements FactorWay {
  readonly kind = 'webauthn'
  readonly needsChallenge = true
  readonly amr = ['pop', 'user', 'mfa']
  #party: RelyingParty | undefined

  /** @param partyOf asked when the first passkey is used, or at the start: by then an OAuth provider has its issuer */
  constructor (readonly factors: SecondFactors, readonly partyOf: () => RelyingParty) {}

  /** @throws FBK_AUTH_INVALID_OPTIONS in production without a domain and origins */
  get party (): RelyingParty {
    return (this.#party ??= this.partyOf())
  }

  /** At the start: a domain that is missing is told then. @throws FBK_AUTH_INVALID_OPTIONS */
  open (): void {
    this.#party = this.party
  }

  /**
   * Creation options for one more passkey of a user (OI-240).
   * @throws RequestError 409 PASSKEY_LIMIT for a user who has 20
   */
  async creationOptions (user: Readonly<Row>): Promise<Readonly<Record<string, unknown>>> {
    const { Model } = this.factors
    const rows = await this.of(idOfUser(Model, user))
    if (rows.length >= most) throw passkeyLimit()
    const names = [user.email, user.username, idOfUser(Model, user)].filter(each => each !== undefined && each !== null)
    return {
      challenge: await this.factors.challenges.make('passkey', user),
      rp: { id: this.party.id, name: this.party.name },
      user: {
        id: await this.#handleOf(idOfUser(Model, user)),
        name: String(names[0]),
        displayName: String(user.username ?? names[0])
      },
      pubKeyCredParams: algorithms.map(alg => ({ type: 'public-key', alg })),
      excludeCredentials: rows.map(row => descriptor(storedIn(row))),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
      timeout
    }
  }

  /**
   * Stores the passkey that a browser made for these options (OI-241).
   * @throws RequestError 400 PASSKEY_REFUSED for whatever is wrong with it; 409 PASSKEY_LIMIT
   */
  async register (user: Readonly<Row>, name: string, given: unknown): Promise<FactorRow> {
    const { factors } = this
    const userId = idOfUser(factors.Model, user)
    const response = readResponse(given)
    const challenge = response === undefined ? undefined : await this.#taken('passkey', response)
    if (response === undefined || challenge?.fits(user) !== true) throw passkeyRefused()
    const made = await judgeCreation(response, response.challenge, this.party)
    if (made === undefined || !await isUsed(challenge)) throw passkeyRefused()
    if ((await this.of(userId)).length >= most) throw passkeyLimit()
    const { counter, ...credential } = made
    const id = this.#idOf(credential.credentialId)
    const data: Stored = { ...credential, handle: await this.#handleOf(userId) }
    try {
      await factors.rows.add(userId, 'passkey', { id, name, data: JSON.stringify(data), counter, confirmed: true })
    } catch (error) {
      // Known already, of whichever user it is; the store decides between two at the same time.
      if (await this.#row(id) !== undefined) throw passkeyRefused()
      throw error
    }
    const rows = await this.of(userId)
    if (rows.length > most) {
      await factors.rows.remove({ id, userId: String(userId) })
      throw passkeyLimit()
    }
    return rows.find(row => row.id === id) as FactorRow
  }

  /** Request options for a passkey that the authenticator chooses (OI-242): the same for everybody. */
  async requestOptions (): Promise<RequestOptions> {
    return this.#request(await this.factors.challenges.make('passkey login'))
  }

  /** Those for the second step of a login (OI-243). */
  async offer (user: Readonly<Row>, challenge: string): Promise<RequestOptions> {
    const rows = await this.of(idOfUser(this.factors.Model, user))
    return { ...this.#request(challenge), allowCredentials: rows.map(row => descriptor(storedIn(row))) }
  }

  /** Judges a passkey as the second factor of a user whose password was right. */
  async prove (user: Readonly<Row>, given: unknown, challenge: string | undefined): Promise<boolean> {
    const response = readResponse(given)
    if (response === undefined || challenge === undefined || response.challenge !== challenge) return false
    const row = await this.#row(this.#idOf(response.id))
    if (row?.userId !== String(idOfUser(this.factors.Model, user))) return false
    return await this.#judge(row, response)
  }

  /**
   * Judges a passkey as all that a login needs (OI-244), and uses its challenge up.
   * @param check called with the id of the user before the response is judged: counts the attempt
   * @returns the row of the passkey; undefined for whatever is wrong
   */
  async login (given: unknown, check: (userId: string) => Promise<boolean>): Promise<FactorRow | undefined> {
    const response = readResponse(given)
    const challenge = response === undefined ? undefined : await this.#taken('passkey login', response)
    if (response === undefined || challenge === undefined) return undefined
    const row = await this.#row(this.#idOf(response.id))
    if (row === undefined || !await check(row.userId)) return undefined
    // Used up first: of two with the same response one gets in.
    return await isUsed(challenge) && await this.#judge(row, response) ? row : undefined
  }

  /** Whether a passkey that was read is there still. */
  async isThere ({ id }: FactorRow): Promise<boolean> {
    return await this.#row(id) !== undefined
  }

  /** Those of a user, the oldest first. */
  async of (userId: unknown): Promise<FactorRow[]> {
    return await this.factors.rows.of(userId, ['passkey'])
  }

  isSuspect = (row: FactorRow): boolean => storedIn(row).suspect === true

  isBackedUp = (row: FactorRow): boolean => storedIn(row).backedUp

  /** Gives it a name; one that was suspect counts again, from whatever its counter is. */
  async rename (row: FactorRow, name: string): Promise<boolean> {
    const { suspect, ...stored } = storedIn(row)
    const trusted = suspect === true ? { data: JSON.stringify(stored), counter: 0 } : {}
    return await this.factors.rows.change(row, {}, { name, ...trusted })
  }

  /** Signature first, then the counter: who has not got the key makes no passkey suspect. */
  async #judge (row: FactorRow, response: Response): Promise<boolean> {
    const stored = storedIn(row)
    if (stored.suspect === true) return false
    if (response.userHandle !== undefined && !isSameText(response.userHandle, stored.handle)) return false
    const judged = await judgeAssertion(response, response.challenge, this.party, stored)
    if (judged === undefined) return false
    const { counter, backedUp } = judged
    const before = Number(row.counter ?? 0)
    const lastUsed = new Date()
    const data = JSON.stringify({ ...stored, backedUp })
    // Some authenticators count nothing: both are 0, always.
    if (counter === 0 && before === 0) return await this.factors.rows.change(row, { counter: 0 }, { data, lastUsed })
    if (counter > before) {
      return await this.factors.rows.change(row, { counter: { lt: counter } }, { data, counter, lastUsed })
    }
    // A form that was sent twice: the first of two was right a moment ago.
    if (counter === before && Date.now() - Number(row.lastUsed) < sameMoment) return false
    await this.factors.rows.change(row, {}, { data: JSON.stringify({ ...stored, suspect: true }) })
    const { Model } = this.factors
    authService(Model.registry).audit({
      event: 'passkey suspected', model: Model.modelName, userId: row.userId, passkey: row.id, counter, before
    })
    return false
  }

  #request (challenge: string): RequestOptions {
    return { challenge, rpId: this.party.id, userVerification: 'required', timeout }
  }

  async #taken (purpose: string, { challenge }: Response): Promise<Challenge | undefined> {
    try {
      return await this.factors.challenges.take(purpose, challenge)
    } catch (error) {
      if ((error as { code?: unknown }).code === 'CHALLENGE_INVALID') return undefined
      throw error
    }
  }

  /** One for each credential, whoever has it: nobody registers another's. */
  #idOf = (credentialId: string): string => this.factors.rows.idOf('', 'passkey', credentialId)

  async #row (id: string): Promise<FactorRow | undefined> {
    const { rows, Model } = this.factors
    const row = await findRowById(rows.find().compiled, id, undefined, { notify: false }) as FactorRow | undefined
    return row?.kind === 'passkey' && row.principalType === Model.modelName && isSameText(row.id, id) ? row : undefined
  }

  /** 32 random bytes for each user: what authenticators store tells nothing of the database (OI-240). */
  async #handleOf (userId: unknown): Promise<string> {
    const { rows } = this.factors
    const [known] = await rows.of(userId, ['handle'])
    if (known !== undefined) return known.data as string
    const data = randomBytes(32).toString('base64url')
    try {
      await rows.add(userId, 'handle', { id: rows.idOf(userId, 'handle'), data })
      return data
    } catch (error) {
      const [made] = await rows.of(userId, ['handle'])
      if (made === undefined) throw error
      return made.data as string
    }
  }
}

const descriptor = ({ credentialId, transports }: Stored): object =>
  ({ type: 'public-key', id: credentialId, ...transports.length === 0 ? {} : { transports } })

async function isUsed (challenge: Challenge): Promise<boolean> {
  try {
    await challenge.use()
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'CHALLENGE_INVALID') return false
    throw error
  }
}
