// Who is logged in. The token is kept beyond the tab: the page also opens where the server cannot be asked again. Use
// short-lived tokens (`ttl` of the user model) where others use the device.

const kept = 'offline.account'

/** @typedef {{ id: string, userId: number }} Account */

/** @returns {Account | null} */
export const account = () => JSON.parse(localStorage.getItem(kept) ?? 'null')

/** Forgets it. The token is ended at the server where there is a line. */
export async function logOut () {
  const id = account()?.id
  localStorage.removeItem(kept)
  if (id !== undefined) await call('/Users/logout', undefined, id).catch(() => {})
}

/** @param {'login' | 'register'} action @param {object} credentials */
export async function logIn (action, credentials) {
  if (action === 'register') await call('/Users', credentials)
  const { id, userId } = await (await call('/Users/login', credentials)).json()
  localStorage.setItem(kept, JSON.stringify({ id, userId }))
}

/**
 * @param {string} path below /api
 * @param {object} [body]
 * @param {string} [token]
 */
async function call (path, body, token) {
  const answer = await fetch(`/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: token }) },
    body: JSON.stringify(body ?? {})
  })
  if (answer.ok) return answer
  const { error } = await answer.json().catch(() => ({}))
  throw new Error(error?.message ?? `The server answered ${answer.status}.`)
}
