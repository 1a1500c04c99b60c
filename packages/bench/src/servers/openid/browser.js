import { CHALLENGE, PARTY } from './party.js'

// How a browser comes by codes at Fastback: it logs in once, and is sent back with a code each time it asks.

const AT_ONCE = 10

/** @param {Response} response */
const cookiesOf = response => response.headers.getSetCookie().map(line => line.split(';')[0])

/** The hidden fields of the only form of a page, and where it goes to. */
function formOf (page) {
  const action = / action="([^"]*)"/.exec(page)?.[1]
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  if (action === undefined) throw new Error(`no form in the page: ${page.slice(0, 300)}`)
  return { action, fields: Object.fromEntries(hidden.map(([, name, value]) => [name, value])) }
}

/** Logs in at the page. @returns {Promise<string>} the cookies */
async function logIn (url) {
  const page = await fetch(`${url}/login`, { headers: { accept: 'text/html' } })
  const { action, fields } = formOf(await page.text())
  const before = cookiesOf(page)
  const response = await fetch(new URL(action, url), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: before.join('; '), accept: 'text/html' },
    body: new URLSearchParams({ ...fields, username: PARTY.BENCH_EMAIL, password: PARTY.BENCH_PASSWORD })
  })
  if (response.status >= 400) throw new Error(`the login was answered with ${response.status}: ${await response.text()}`)
  const after = cookiesOf(response)
  return (after.length === 0 ? before : after).join('; ')
}

async function codeOf (url, cookie) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: PARTY.BENCH_CLIENT,
    redirect_uri: PARTY.BENCH_REDIRECT,
    scope: PARTY.BENCH_SCOPE,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256'
  })
  const response = await fetch(`${url}/oauth/authorize?${query}`, { redirect: 'manual', headers: { cookie, accept: 'text/html' } })
  await response.arrayBuffer()
  const location = response.headers.get('location')
  const code = location === null ? null : new URL(location, url).searchParams.get('code')
  if (code === null) throw new Error(`no code: ${response.status}, ${location}`)
  return code
}

/**
 * Codes of one login, each by a request of its own to the authorization endpoint.
 * @param {string} url
 * @param {number} count
 * @returns {Promise<string[]>}
 */
export async function codesOf (url, count) {
  const cookie = await logIn(url)
  const codes = []
  const next = async () => { while (codes.length < count) codes.push(await codeOf(url, cookie)) }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  return codes
}
