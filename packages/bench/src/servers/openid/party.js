import { createHash } from 'node:crypto'

/** The relying party of the OpenID Connect loads, and the user who logs in there: the same for both servers. */
export const PARTY = {
  BENCH_CLIENT: 'bench',
  BENCH_SECRET: 'benchmark-secret-0123456789',
  BENCH_REDIRECT: 'https://party.example/cb',
  BENCH_SCOPE: 'openid email',
  BENCH_EMAIL: 'bench@example.com',
  BENCH_PASSWORD: 'benchmark-0'
}

const VERIFIER = 'benchmark-verifier-of-more-than-forty-three-characters'
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

const credentials = Buffer.from(`${PARTY.BENCH_CLIENT}:${PARTY.BENCH_SECRET}`).toString('base64')
const authorization = `Basic ${credentials}`

const formOf = code => new URLSearchParams({
  grant_type: 'authorization_code', code, redirect_uri: PARTY.BENCH_REDIRECT, code_verifier: VERIFIER
})

/**
 * The same requests to each provider, by load.
 * @param {{ token: string, userinfo: string, keys: string }} paths
 */
export const openIdDialect = paths => ({
  o3: (_params, { supply }) => ({
    method: 'POST', path: paths.token, headers: { authorization }, body: formOf(supply?.pop() ?? '')
  }),
  o4: (_params, { token }) => ({ method: 'GET', path: paths.userinfo, headers: { authorization: `Bearer ${token}` } }),
  o5: () => ({ method: 'GET', path: paths.keys })
})

/**
 * The access token of the first of some codes, and the others as the supply of a measurement.
 * @param {string} tokenUrl
 * @param {string[]} codes
 * @returns {Promise<import('../index.js').Context>}
 * @throws when the provider gives no token
 */
export async function openIdSession (tokenUrl, [first, ...supply]) {
  const response = await fetch(tokenUrl, { method: 'POST', headers: { authorization }, body: formOf(first) })
  const answer = await response.json()
  if (!response.ok) throw new Error(`no token: ${JSON.stringify(answer)}`)
  return { token: answer.access_token, supply }
}
