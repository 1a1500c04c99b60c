/** The client of the OAuth loads, and how it gets the token for the bearer load: the same for both servers. */

export const CLIENT = {
  BENCH_CLIENT: 'bench',
  BENCH_SECRET: 'benchmark-secret-0123456789',
  BENCH_SCOPE: 'orders'
}

const credentials = Buffer.from(`${CLIENT.BENCH_CLIENT}:${CLIENT.BENCH_SECRET}`).toString('base64')
const form = new URLSearchParams({ grant_type: 'client_credentials', scope: CLIENT.BENCH_SCOPE })
const authorization = `Basic ${credentials}`

/** @param {string} tokenPath */
export const oauthDialect = tokenPath => ({
  o1: () => ({ method: 'POST', path: tokenPath, headers: { authorization }, body: form }),
  o2: (_params, { token }) => ({ method: 'GET', path: '/api/Vault/who', headers: { authorization: `Bearer ${token}` } })
})

/** @returns {Promise<{ token: string }>} */
export async function oauthSession (tokenUrl) {
  const response = await fetch(tokenUrl, { method: 'POST', headers: { authorization }, body: form })
  const answer = await response.json()
  if (!response.ok) throw new Error(`no token: ${JSON.stringify(answer)}`)
  return { token: answer.access_token }
}
