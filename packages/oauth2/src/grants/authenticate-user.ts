/**
 * Name and password of a user: at the login page and in the password grant, counted together (O-148; security.md,
 * S-77).
 */
import { accountId } from '@fastback/auth/service'
import type { Row } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import type { Provider } from '../provider.js'

/**
 * The user; undefined for a wrong password and an unknown name alike.
 * @throws TooManyAttempts 429 on the account, or from the address
 */
export async function authenticateUser (
  { attempts, users }: Provider, { ip }: FastifyRequest, name: string, password: string
): Promise<Row | undefined> {
  const user = await users.byName(name)
  const reservation = await attempts?.reserve({
    what: 'oauth user',
    name: users.nameOf(name),
    id: user === undefined ? undefined : accountId(users.Model.modelName, users.idOf(user)),
    address: ip
  })
  if (!await users.authenticate(user, password)) return undefined
  await reservation?.succeeded()
  return user
}
