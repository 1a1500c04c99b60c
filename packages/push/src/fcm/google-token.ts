/** Access tokens of a service account (RFC 7523; PU-60). */
import type { KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { Http2Client, type Http2Options } from '../provider/http2-client.js'

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
/** Milliseconds before its end that a token is made anew. */
const margin = 5 * 60 * 1000

export class GoogleToken {
  #current: { readonly text: Promise<string>, until: number } | undefined

  constructor (
    readonly account: { readonly clientEmail: string, readonly key: KeyObject, readonly tokenUrl: string },
    readonly options: Http2Options
  ) {}

  /** @throws Error whose message is a code */
  get (): Promise<string> {
    if (this.#current === undefined || Date.now() >= this.#current.until) {
      const lasts = (seconds: number): void => { current.until = Date.now() + seconds * 1000 - margin }
      const current = { text: this.#fetch(lasts), until: Infinity }
      this.#current = current
      current.text.catch(() => { if (this.#current === current) this.#current = undefined })
    }
    return this.#current.text
  }

  /** The service does not take it any more. */
  forget (): void {
    this.#current = undefined
  }

  async #fetch (lasts: (seconds: number) => void): Promise<string> {
    const { clientEmail, key, tokenUrl } = this.account
    const now = Math.floor(Date.now() / 1000)
    const assertion = await new SignJWT({ scope }).setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(clientEmail).setAudience(tokenUrl).setIssuedAt(now).setExpirationTime(now + 3600).sign(key)
    const { origin, pathname, search } = new URL(tokenUrl)
    const client = new Http2Client(origin, this.options)
    try {
      const { status, text } = await client.request(
        { ':path': pathname + search, 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString()
      )
      const answer = (status === 200 ? JSON.parse(text) : {}) as Readonly<Record<string, unknown>>
      const { access_token: token, expires_in: seconds } = answer
      if (typeof token !== 'string') throw new Error('TokenRefused')
      lasts(typeof seconds === 'number' ? seconds : 3600)
      return token
    } finally {
      client.close()
    }
  }
}
