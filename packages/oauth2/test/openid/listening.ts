/** A provider on a socket, and a browser whose requests carry its address. */
import type { Test } from 'tap'
import { Browser, type Server } from '../server.js'
import { addressOf, makeProvider, type OpenIdParts } from './provider.js'

export interface Listening {
  readonly server: Server
  /** Also the issuer. */
  readonly url: URL
  readonly browser: () => Browser
}

export async function listening (t: Test, parts: OpenIdParts = {}): Promise<Listening> {
  const server = await makeProvider(t, parts)
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const url = addressOf(server)
  const app = {
    inject: (options: any) => server.app.inject({ ...options, headers: { ...options.headers, host: url.host } })
  }
  return { server, url, browser: () => new Browser({ app: app as never }) }
}
