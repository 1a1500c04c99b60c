/** An application whose users log in at one provider, by accounts that may come again with the id of others. */
import type { Test } from 'tap'
import { installAuthModels } from '@fastback/auth'
import type { ModelRegistry } from '@fastback/core'
import { scriptedProvider } from '../../../packages/login/test/provider.js'
import { application } from '../../../packages/login/test/server.js'

/** @param prepare what else is to be done before the application starts */
export async function externalLogins (t: Test, prepare: (registry: ModelRegistry) => void = () => {}) {
  const provider = await scriptedProvider(t)
  const entry = {
    preset: 'oidc', issuer: provider.issuer, clientID: 'client', clientSecret: 'client-secret', session: true,
    successRedirect: '/in', failureRedirect: '/out',
    profileMapping: [{ userField: 'email', providerField: 'emails[0].value' }]
  }
  const { app, model } = await application(t, { providers: { op: entry } } as never, {
    before: ({ registry }) => {
      installAuthModels(registry)
      registry.attach('User', 'db', { public: true, settings: { forceId: false } })
      prepare(registry)
    }
  })
  return { app, model, provider }
}
