/** Servers on whose accounts three attempts may be made, for the tests of their limits. */
import type { Test } from 'tap'
import { authService, PasswordHasher } from '@fastback/auth/service'
import type { ModelClass } from '@fastback/core'
import { temporaryApp } from './folders.js'
import { attack, type Answer, type Attacked } from './harness.js'

export const max = 3
export const open = { dataSource: 'db', public: true }
export const closed = { dataSource: 'db', public: false }
export const secretOfAll = 'secret'
/** Made once: hashing is not what is tested here. */
export const hash = await new PasswordHasher().hash(secretOfAll)
export const person = (username: string): object => ({ username, password: secretOfAll })

/**
 * Users on whose accounts three attempts may be made; `User` logs in by OAuth as well. The address of a request is what
 * it says in X-Forwarded-For.
 */
export function folder (t: Test, { user = {}, address = 100_000 }: { user?: object; address?: number } = {}): string {
  const timeWindow = 60_000
  return temporaryApp(t, {
    'server/config.json': {
      host: '127.0.0.1',
      port: 0,
      'trust proxy': '127.0.0.1',
      remoting: { errorHandler: { log: false } },
      auth: { rateLimit: { account: { max, timeWindow }, address: { max: address, timeWindow } } }
    },
    'server/boot/access.js':
      'export default app => { app.enableAuth(); app.models.Email.send = mail => Promise.resolve(mail) }\n',
    'server/component-config.json': {
      '@fastback/oauth2': {
        dataSource: 'db',
        rateLimit: { max, window: 60 },
        loginPath: '/login',
        session: { secret: 'a secret of the test' }
      }
    },
    'server/model-config.json': {
      _meta: { sources: ['loopback/common/models', './models'] },
      User: { ...open, options: user },
      Email: { dataSource: 'db', public: false },
      AccessToken: closed,
      ACL: closed,
      Role: closed,
      RoleMapping: closed
    }
  })
}

export type Send = (
  verb: string,
  path: string,
  json?: object,
  extra?: Parameters<Attacked['send']>[2]
) => Promise<Answer>

/** Requests from an address. */
export const from =
  ({ send }: Attacked, address: string): Send =>
    async (verb, path, json, extra) =>
      await send(verb, path, {
        ...(json === undefined ? {} : { json }),
        ...extra,
        headers: { 'x-forwarded-for': address, ...extra?.headers }
      })

export async function start (t: Test, store: string, options?: Parameters<typeof folder>[1]): Promise<Attacked> {
  const server = await attack(t, folder(t, options), store)
  const { compiled, dataSource } = server.models.User as unknown as ModelClass
  for (const username of ['ann', 'ben', 'cid', 'dan', 'eva', 'fay', 'gus']) {
    await dataSource?.connector.create(compiled, { username, email: `${username}@x.test`, password: hash }, {})
  }
  return server
}

/** What a list of requests is answered, one after the other. */
export async function inTurn (requests: ReadonlyArray<() => Promise<Answer>>): Promise<number[]> {
  const found: number[] = []
  for (const request of requests) found.push((await request()).status)
  return found
}

export const idOf = async ({ models }: Attacked, username: string): Promise<number> =>
  (await models.User?.find({ where: { username } }))?.[0]?.id as number
export const wrong = { password: 'wrong' }
export const hasherOf = ({ models }: Attacked): ReturnType<typeof authService>['hasher'] =>
  authService((models.User as unknown as ModelClass).registry).hasher
