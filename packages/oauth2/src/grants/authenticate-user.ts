/** Name and password of a user: at the login page and in the password grant, counted together (O-148). */
import type { Row } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import type { Provider } from '../provider.js'

/**
 * The user; undefined for a wrong password and an unknown name alike.
 * @throws TemporarilyUnavailable 429 after too many failures
 */
export async function authenticateUser (
  { failures, users }: Provider, { ip }: FastifyRequest, name: string, password: string
): Promise<Row | undefined> {
  const key = `user:${name.toLowerCase()}`
  await failures?.check(key, ip)
  const user = await users.authenticate(name, password)
  if (user === undefined) await failures?.failed(key, ip)
  else await failures?.succeeded(key)
  return user
}
