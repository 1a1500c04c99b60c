/**
 * Fetches key sets that clients publish, without letting them make this server call inwards (security.md, S-83).
 */
import { get } from 'node:https'
import { RecentCache } from '@fastback/auth/service'
import type { Outgoing } from '@fastback/core/outgoing'

const limit = 65_536
const timeout = 5_000

export class RemoteKeys {
  readonly #recent = new RecentCache<string>({ size: 1000, ttl: 600_000 })

  constructor (readonly outgoing: Outgoing) {}

  /**
   * The text of a key set. Redirects are not followed.
   * @throws for what is not https, takes longer than 5 s, is larger than 64 KiB or stands at an address that must not
   * be called
   */
  async get (uri: string): Promise<string> {
    return await this.#recent.getOr(uri, () => this.#download(new URL(uri)))
  }

  #download (url: URL): Promise<string> {
    if (url.protocol !== 'https:') throw new Error('jwksURI must be https')
    return new Promise((resolve, reject) => {
      const request = get(url, {
        agent: this.outgoing.https,
        timeout,
        signal: AbortSignal.timeout(timeout),
        headers: { accept: 'application/json' }
      }, response => {
        if (response.statusCode !== 200) {
          response.destroy()
          reject(new Error(`jwksURI answered ${String(response.statusCode)}`))
          return
        }
        const parts: Buffer[] = []
        let size = 0
        response.on('data', (part: Buffer) => {
          size += part.length
          if (size > limit) response.destroy(new Error('jwksURI gave more than 64 KiB'))
          else parts.push(part)
        })
        response.on('end', () => { resolve(Buffer.concat(parts).toString()) })
        response.on('error', reject)
      })
      request.on('error', reject)
    })
  }
}
