import { OPENID_APP_FOLDER } from '../../paths.js'
import rest, { CLI } from '../rest/fastback.js'
import { codesOf } from './browser.js'
import { PARTY, openIdDialect, openIdSession } from './party.js'

const dialect = openIdDialect({ token: '/oauth/token', userinfo: '/oauth/userinfo', keys: '/oauth/jwks' })

/** @type {import('../index.js').Server} */
export default {
  name: 'fastback',
  stores: ['memory'],
  layout: 'fastback',
  probe: '/.well-known/openid-configuration',
  missing: rest.missing,
  command: ({ port }) => ({
    args: [CLI, 'serve', OPENID_APP_FOLDER, '--port', String(port)],
    env: {
      ...PARTY,
      // In production an issuer is https, as it is behind a proxy that has the certificates.
      BENCH_ISSUER: 'https://op.example',
      BENCH_SESSION_SECRET: 'benchmark-session-0123456789-0123456789'
    }
  }),
  session: async (url, { supply }) => await openIdSession(`${url}/oauth/token`, await codesOf(url, supply + 1)),
  request: (load, params, context) => dialect[load](params, context)
}
