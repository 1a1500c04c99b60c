/**
 * Options of the plugin. Checked by `tsc` alone (`npm run types`): every line below fails to compile when a type is not
 * what it should be.
 */
import type { FastifyInstance } from 'fastify'
import type { ModelInstance, Models } from '@fastback/core'
import { auth, type AuthOptions, type PasswordPolicy } from '@fastback/auth'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}
declare const app: FastifyInstance
declare const models: Models

async function right (): Promise<void> {
  await app.register(auth)
  await app.register(auth, {
    dataSource: 'db',
    model: 'AccessToken',
    untypedTokens: false,
    currentUserLiteral: true,
    headers: ['x-token'],
    params: false,
    cookies: ['token'],
    tokenCache: { size: 10, ttl: 0 },
    hashing: { concurrency: 2, queue: 10 },
    passwordPolicy: { minLength: 8, check: async (password, { model }) => password.length > model.length },
    rateLimit: { account: { max: 5, timeWindow: 60_000 }, knownFor: 1000, redis: 'db' }
  })
  const policy: PasswordPolicy = { check: (password, { model }) => password.includes(model) ? 'has the name of the model' : true }
  const options: AuthOptions = { dataSource: 'db', rateLimit: { redis: {} } }
  await app.register(auth, options)
  await app.register(auth, { model: models.AccessToken, rateLimit: false, currentUserLiteral: 'me', passwordPolicy: policy })
  app.get('/', async ({ accessToken }) => {
    expect<Equal<typeof accessToken, ModelInstance | null>>()
    return accessToken?.userId
  })
}

async function wrong (): Promise<void> {
  // @ts-expect-error no such option
  await app.register(auth, { datasource: 'db' })
  // @ts-expect-error a model, or its name
  await app.register(auth, { model: 5 })
  // @ts-expect-error a name, or false
  await app.register(auth, { untypedTokens: true })
  // @ts-expect-error names are a list
  await app.register(auth, { headers: 'x-token' })
  // @ts-expect-error a list, or false
  await app.register(auth, { params: true })
  // @ts-expect-error true or a text
  await app.register(auth, { currentUserLiteral: 5 })
  // @ts-expect-error no such member
  await app.register(auth, { tokenCache: { max: 5 } })
  // @ts-expect-error milliseconds are a number
  await app.register(auth, { tokenCache: { ttl: '1s' } })
  // @ts-expect-error no such member
  await app.register(auth, { hashing: { concurency: 2 } })
  // @ts-expect-error no such member
  await app.register(auth, { passwordPolicy: { min: 8 } })
  // @ts-expect-error a function
  await app.register(auth, { passwordPolicy: { check: /x/ } })
  // @ts-expect-error it is told a text
  await app.register(auth, { passwordPolicy: { check: (password: number) => password > 5 } })
  // @ts-expect-error the context has the name of the model
  await app.register(auth, { passwordPolicy: { check: (_password, { modelName }) => modelName } })
  // @ts-expect-error it is told a password and a context
  await app.register(auth, { passwordPolicy: { check: (_word: string, _context: object, _done: () => void) => true } })
  // @ts-expect-error limits, or false
  await app.register(auth, { rateLimit: true })
  // @ts-expect-error a limit has a window
  await app.register(auth, { rateLimit: { account: { max: 5 } } })
  // @ts-expect-error no such member
  await app.register(auth, { rateLimit: { adress: { max: 5, timeWindow: 1 } } })
}
use(right, wrong)
