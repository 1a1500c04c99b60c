/** Users with passkeys, for tests. */
import type { FastifyInstance } from 'fastify'
import { Authenticator } from './authenticator.js'
import { call, login } from './app.js'

export const webauthn = { rpName: 'Shop', rpId: 'localhost', origins: ['http://localhost:3000'] }

export interface WithPasskey {
  readonly token: string
  readonly authenticator: Authenticator
  /** As the endpoint gave it. */
  readonly passkey: { id: string, name: string, created: string, backedUp: boolean }
}

/** Adds a passkey to a user who has no factor yet. */
export async function addPasskey (
  app: FastifyInstance, name: string, id: unknown, authenticator = new Authenticator()
): Promise<WithPasskey> {
  const token = await login(app, name)
  const path = `/Users/${String(id)}/passkeys`
  const { body: options } = await call(app, 'POST', `${path}/options`, { password: `${name}-secret` }, token)
  const { body: passkey, status } = await call(app, 'POST', path, { name: 'Phone', response: authenticator.create(options) }, token)
  if (status !== 200) throw new Error(JSON.stringify(passkey))
  return { token, authenticator, passkey }
}

/** Logs in with a passkey alone. */
export async function passkeyLogin (
  app: FastifyInstance, authenticator: Authenticator, twist: object = {}
): Promise<{ status: number, body: any, headers: any }> {
  const { body: options } = await call(app, 'POST', '/Users/passkey/options', {})
  return await call(app, 'POST', '/Users/passkey/login', { response: authenticator.get(options, twist) })
}
