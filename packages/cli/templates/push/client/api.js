// Calls of the API. The token lives as long as the tab.

const kept = 'push.token'

/** @typedef {{ id: string, userId: number } | null} Token */

/** @type {Token} */
let token = JSON.parse(sessionStorage.getItem(kept) ?? 'null')

export const currentUser = () => token?.userId

/** @param {Token} given */
export function useToken (given) {
  token = given
  if (given === null) sessionStorage.removeItem(kept)
  else sessionStorage.setItem(kept, JSON.stringify(given))
}

/** @returns {Record<string, string>} */
export const authorization = () => token === null ? {} : { authorization: token.id }

/** A response that is an error, with what the server says of it. */
export class ApiError extends Error {
  /** @param {number} status @param {string} message */
  constructor (status, message) {
    super(message)
    this.status = status
  }
}

/**
 * @param {string} method
 * @param {string} path below /api
 * @param {unknown} [body] sent as JSON
 */
export async function call (method, path, body) {
  const headers = authorization()
  if (body !== undefined) headers['content-type'] = 'application/json'
  const answer = await fetch(`/api${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
  if (!answer.ok) throw await errorOf(answer)
  return answer
}

/** @param {Response} answer */
export async function errorOf (answer) {
  const { error } = await answer.json().catch(() => ({}))
  return new ApiError(answer.status, error?.message ?? `The server answered ${answer.status}.`)
}
