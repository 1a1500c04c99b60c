/**
 * Authorization codes. They stay as used until they expire: who presents one again ends what came of it (O-110, O-111).
 */
import type { MaybePromise, ModelClass, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { createInstance, findRowById, updateRows } from '@fastback/core/remote'
import { randomText, withDigest, type Digest } from '../digest.js'

const quiet = { notify: false }

export interface NewCode {
  /** Everything that comes of the code has the same. Default: a new one. */
  readonly grantId?: string
  readonly appId: string
  readonly userId: unknown
  readonly scopes: readonly string[]
  readonly redirectURI: string
  readonly redirectURIGiven: boolean
  readonly codeChallenge: string | undefined
  /** Seconds. */
  readonly expiresIn: number
  /** What the tokens of the code are told besides. */
  readonly parameters?: ReadonlyArray<{ readonly name: string, readonly value: string }>
}

export class Codes {
  constructor (readonly Model: ModelClass, readonly digest: Digest) {}

  /** The text of a new code. */
  async issue ({ codeChallenge, ...given }: NewCode): Promise<string> {
    const text = randomText()
    const now = Date.now()
    await createInstance(this.Model.compiled, {
      id: this.digest(text),
      grantId: randomText(),
      ...given,
      issuedAt: new Date(now),
      expiredAt: new Date(now + given.expiresIn * 1000),
      ...(codeChallenge === undefined ? {} : { codeChallenge, codeChallengeMethod: 'S256' })
    })
    return text
  }

  find (text: string): MaybePromise<Row | undefined> {
    const id = this.digest(text)
    return chain(findRowById(this.Model.compiled, id, undefined, quiet), row => withDigest(row, 'id', id))
  }

  /** Ends a code that nobody was given. */
  async revoke (text: string): Promise<void> {
    await this.spend(this.digest(text))
  }

  /** Uses a code up: true for one caller only, whichever process it is in. */
  async spend (id: unknown): Promise<boolean> {
    const { count } = await updateRows(this.Model.compiled, { id, used: false }, { used: true }, quiet)
    return count === 1
  }
}
