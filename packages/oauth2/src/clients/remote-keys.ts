/** Fetches key sets that clients publish, without letting them make this server call inwards. */
import { lookup as resolve } from 'node:dns'
import { get } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { RecentCache } from '@fastback/auth'

const limit = 65_536
const timeout = 5_000

export class RemoteKeys {
  readonly #recent = new RecentCache<string>({ size: 1000, ttl: 600_000 })

  /** The text of a key set. @throws for what is not https, takes longer than 5 s, is larger than 64 KiB or stands at a private address */
  async get (uri: string): Promise<string> {
    const known = this.#recent.get(uri)
    if (known !== undefined) return known
    const text = await download(new URL(uri))
    this.#recent.set(uri, text, this.#recent.generation)
    return text
  }
}

function download (url: URL): Promise<string> {
  if (url.protocol !== 'https:') throw new Error('jwksURI must be https')
  if (isIP(url.hostname.replace(/[[\]]/g, '')) !== 0 && isPrivate(url.hostname.replace(/[[\]]/g, ''))) {
    throw new Error('jwksURI is a private address')
  }
  return new Promise((resolve, reject) => {
    const request = get(url, {
      lookup: publicOnly,
      timeout,
      signal: AbortSignal.timeout(timeout),
      headers: { accept: 'application/json' }
    }, response => {
      if (response.statusCode !== 200) { response.destroy(); reject(new Error(`jwksURI answered ${String(response.statusCode)}`)); return }
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

/** The address that is connected to is the one that is checked: a name cannot change in between. */
const publicOnly: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const found = error === null ? addresses.filter(({ address }) => !isPrivate(address)) : []
    const [first] = found
    if (first === undefined) callback(error ?? new Error('jwksURI leads to a private address'), '')
    else if (options.all === true) callback(null, found)
    else callback(null, first.address, first.family)
  })
}

function isPrivate (address: string): boolean {
  const list = new BlockList()
  for (const [net, prefix] of [
    ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8],
    ['169.254.0.0', 16], ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15], ['224.0.0.0', 3]
  ] as const) list.addSubnet(net, prefix, 'ipv4')
  for (const [net, prefix] of [['::', 127], ['64:ff9b::', 96], ['fc00::', 7], ['fe80::', 10], ['ff00::', 8]] as const) {
    list.addSubnet(net, prefix, 'ipv6')
  }
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
