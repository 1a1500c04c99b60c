/**
 * Options of the plugin. Checked by `tsc` alone (`npm run types`): every line below fails to compile when a type is not
 * what it should be.
 *
 * What no type can know: names of keys of an entry, which may be those of any strategy of Passport; words of entries
 * (`tokenInRedirect`, `callbackHTTPMethod`), which are texts where a file in JSON has them.
 */
import type { FastifyInstance } from 'fastify'
import type { Models } from '@fastback/core'
import { login, type LoginOptions, type Profile, type ProviderEntry } from '@fastback/login'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}
declare const app: FastifyInstance
declare const models: Models
/** As `import providers from './providers.json'` gives it. */
declare const file: {
  google: { provider: string, scope: string[], session: boolean, tokenInRedirect: string, profileFields: string[] }
}

async function right (): Promise<void> {
  await app.register(login)
  await app.register(login, {
    secret: ['a secret of thirty-two characters', 'the one before'],
    origin: 'https://shop.example',
    userModel: 'User',
    userIdentityModel: models.User,
    cookies: { httpOnly: true },
    session: { cookieName: 'x', maxAge: 60 },
    rateLimit: { max: 5 },
    tokenInRedirect: 'fragment',
    linkMaxAge: 60,
    providers: {
      google: { clientId: 'x', clientSecret: { env: 'GOOGLE_SECRET' }, scope: ['email'], session: true, successRedirect: '/' },
      own: {
        provider: 'oidc',
        issuer: 'https://id.example',
        profileToUser: (provider, profile) => {
          expect<Equal<typeof provider, string>>()
          expect<Equal<typeof profile, Profile>>()
          return { email: profile.emails?.[0]?.value }
        }
      },
      old: { module: 'passport-x', anything: { of: 'its own' }, failureFlash: { type: 'error' } }
    }
  })
  await app.register(login, { providers: file, rateLimit: false, tokenInRedirect: false })
  const google: ProviderEntry = { clientId: 'x', link: true }
  const options: LoginOptions = { providers: { google } }
  await app.register(login, options)
}

async function wrong (): Promise<void> {
  // @ts-expect-error no such option
  await app.register(login, { provider: {} })
  // @ts-expect-error a text, or a list of texts
  await app.register(login, { secret: 5 })
  // @ts-expect-error none of its words
  await app.register(login, { tokenInRedirect: 'hash' })
  // @ts-expect-error no such member
  await app.register(login, { cookies: { secure: true } })
  // @ts-expect-error no such member
  await app.register(login, { session: { ttl: 60 } })
  // @ts-expect-error seconds are a number
  await app.register(login, { session: { maxAge: '1h' } })
  // @ts-expect-error limits, or false
  await app.register(login, { rateLimit: true })
  // @ts-expect-error a model, or its name
  await app.register(login, { userModel: 5 })
  // @ts-expect-error origins are a list
  await app.register(login, { pages: 'https://shop.example' })
  // @ts-expect-error an entry is an object
  await app.register(login, { providers: { google: 'x' } })
  // @ts-expect-error neither true nor false
  await app.register(login, { providers: { google: { session: 'yes' } } })
  // @ts-expect-error a secret, or the variable that has it
  await app.register(login, { providers: { google: { clientSecret: { variable: 'X' } } } })
  // @ts-expect-error texts
  await app.register(login, { providers: { google: { scope: 5 } } })
  // @ts-expect-error a function
  await app.register(login, { providers: { google: { profileToUser: 'email' } } })
  // @ts-expect-error it is told the provider's name first
  await app.register(login, { providers: { google: { profileToUser: (profile: Profile) => profile.emails } } })
  // @ts-expect-error no such member of a profile's address
  await app.register(login, { providers: { google: { profileToUser: (_name, { emails }) => emails?.[0]?.address } } })
  // @ts-expect-error entries have two fields
  await app.register(login, { providers: { google: { profileMapping: [{ userField: 'email' }] } } })
}
use(right, wrong)
