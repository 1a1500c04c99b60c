import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'

const {
  BENCH_PORT, BENCH_CLIENT, BENCH_SECRET, BENCH_REDIRECT, BENCH_SCOPE, BENCH_EMAIL, BENCH_CHALLENGE
} = process.env
const issuer = `http://127.0.0.1:${BENCH_PORT}`
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Its own adapter, on a map: the store that it comes with drops what is older than the last thousand or two. */
const store = new Map()

const user = { accountId: '1', claims: () => ({ sub: '1', email: BENCH_EMAIL, email_verified: true }) }

const provider = new Provider(issuer, {
  adapter: class extends MemoryAdapter {
    constructor (model) { super(model, store) }
  },
  clients: [{
    client_id: BENCH_CLIENT,
    client_secret: BENCH_SECRET,
    redirect_uris: [BENCH_REDIRECT],
    grant_types: ['authorization_code'],
    response_types: ['code']
  }],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  cookies: { keys: ['benchmark-cookies'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  findAccount: (_, id) => id === user.accountId ? user : undefined,
  features: { devInteractions: { enabled: false } },
  ttl: { AccessToken: 3600, AuthorizationCode: 300, Grant: 86_400, IdToken: 3600 }
})

/** A code as its authorization endpoint makes one, with a grant of its own: with one for all, each costs a walk over all. */
async function makeCode () {
  const client = await provider.Client.find(BENCH_CLIENT)
  const grant = new provider.Grant({ accountId: user.accountId, clientId: BENCH_CLIENT })
  grant.addOIDCScope(BENCH_SCOPE)
  const grantId = await grant.save()
  const code = new provider.AuthorizationCode({
    accountId: user.accountId,
    authTime: Math.floor(Date.now() / 1000),
    client,
    codeChallenge: BENCH_CHALLENGE,
    codeChallengeMethod: 'S256',
    grantId,
    redirectUri: BENCH_REDIRECT,
    scope: BENCH_SCOPE
  })
  return await code.save()
}

async function makeCodes (request, response) {
  const count = Number(new URL(request.url, issuer).searchParams.get('count'))
  const codes = []
  while (codes.length < count) codes.push(await makeCode())
  response.setHeader('content-type', 'application/json').end(JSON.stringify(codes))
}

const answer = provider.callback()
createServer((request, response) => {
  if (request.url.startsWith('/codes?')) makeCodes(request, response)
  else answer(request, response)
}).listen(Number(BENCH_PORT), '127.0.0.1')
