/** Programs that customers gave tokens to, and the customers' browsers: for the folder `granted`. */
import type { Answer, Attacked } from './harness.js'
import { person } from './clients.js'

/** What the folder `granted` puts on its user model. */
export interface Customers {
  guard (...paths: string[]): void
  updateAll (where: object, data: object, options?: object): Promise<unknown>
  destroyById (id: unknown): Promise<unknown>
  setPassword (id: unknown, password: string): Promise<unknown>
  readonly provider: {
    readonly sessions: { load (request: object): Promise<{ data: { userId: unknown } } | undefined> }
  }
}

export const customersOf = ({ models }: Attacked): Customers & Attacked['models'][string] =>
  models.Customer as unknown as Customers & Attacked['models'][string]

type Send = Attacked['send']
type Fields = Readonly<Record<string, string>>

export interface Pair { readonly access_token: string, readonly refresh_token: string }

const form = (fields: Fields): { payload: string, type: string } =>
  ({ payload: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' })
const shop = { client_id: 'shop', client_secret: 'secret of the shop' }

export const bearer = (token: string): string => `Bearer ${token}`

/** Sends a form to an OAuth endpoint. */
export const post = async (send: Send, path: string, fields: Fields, cookie?: string): Promise<Answer> =>
  await send('POST', path, { ...form(fields), prefix: '', ...(cookie === undefined ? {} : { headers: { cookie } }) })

export const tokenRequest = async (send: Send, fields: Fields): Promise<Answer> =>
  await post(send, '/oauth/token', { ...shop, ...fields })

/** Registers a customer, with `<name>-secret` as password. */
export async function register ({ models }: Attacked, name: string, users = 'Customer'): Promise<number> {
  const made = await models[users]?.create(person(name)) as { id: number }
  return made.id
}

/** Tokens of a customer, for the shop. */
export async function pairOf (send: Send, name: string, scope = 'orders', password = `${name}-secret`): Promise<Pair> {
  return (await tokenRequest(send, { grant_type: 'password', username: name, password, scope })).body as Pair
}

export const refresh = async (send: Send, { refresh_token: text }: Pair): Promise<Answer> =>
  await tokenRequest(send, { grant_type: 'refresh_token', refresh_token: text })

export const cookieOf = ({ headers }: Answer): string | undefined =>
  headers['set-cookie']?.map(text => text.split(';')[0]).join('; ')

/** Logs in at the page; the cookie. */
export async function logInAtPage (send: Send, name: string, password = `${name}-secret`): Promise<string> {
  return cookieOf(await post(send, '/login', { username: name, password })) as string
}

const asked = new URLSearchParams({
  response_type: 'code', client_id: 'other', redirect_uri: 'https://other.test/cb',
  scope: 'all', state: 's'
}).toString()

/** Asks for a code for another client with a cookie: the page, or where it leads. */
export const authorize = async (send: Send, cookie: string): Promise<Answer> =>
  await send('GET', `/oauth/authorize?${asked}`, { prefix: '', headers: { cookie, accept: 'text/html' } })

/** The same, and approves; where that leads. */
export async function approve (send: Send, cookie: string): Promise<string | undefined> {
  const page = await authorize(send, cookie)
  const id = /name="transaction_id" value="([^"]+)"/.exec(page.text)?.[1]
  return id === undefined
    ? page.headers.location
    : (await post(send, '/oauth/authorize/decision',
        { transaction_id: id }, cookie)).headers.location
}

export const codeIn = (location: string | undefined): string | null =>
  new URL(location ?? '/', 'http://x').searchParams.get('code')

export const redeem = async (send: Send, code: string): Promise<Answer> =>
  await tokenRequest(send, {
    client_id: 'other', grant_type: 'authorization_code', code,
    redirect_uri: 'https://other.test/cb'
  })
