import { join } from 'node:path'
import { PEERS_FOLDER, notInstalled } from '../../paths.js'
import { CHALLENGE, PARTY, openIdDialect, openIdSession } from './party.js'

const dialect = openIdDialect({ token: '/token', userinfo: '/me', keys: '/jwks' })

async function codesOf (url, count) {
  const response = await fetch(`${url}/codes?count=${count}`, { method: 'POST' })
  if (!response.ok) throw new Error(`no codes: ${response.status}`)
  return await response.json()
}

/** @type {import('../index.js').Server} */
export default {
  name: 'oidc-provider',
  stores: ['memory'],
  layout: 'fastback',
  note: 'its records in its own memory adapter, on a map that drops none of them; each code has a grant of its own',
  probe: '/.well-known/openid-configuration',
  missing: () => notInstalled('oidc-provider'),
  command: ({ port }) => ({
    args: ['openid.js'],
    cwd: join(PEERS_FOLDER, 'oidc-provider'),
    env: { ...PARTY, BENCH_PORT: String(port), BENCH_CHALLENGE: CHALLENGE }
  }),
  session: async (url, { supply }) => await openIdSession(`${url}/token`, await codesOf(url, supply + 1)),
  request: (load, params, context) => dialect[load](params, context)
}
