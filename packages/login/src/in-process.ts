/** `UserIdentity.login` of code in the process: by the rules of every other login (LG-126). */
import type { ModelClass, ModelInstance } from '@fastback/core'
import { relationsOf } from '@fastback/core/remote'
import { Accounts } from './accounts.js'
import type { Entry } from './entry.js'
import type { Profile } from './profile.js'

/** The user model that a model of accounts was set up with. */
export function userModelOf (Model: ModelClass): ModelClass {
  const target = relationsOf(Model).get('user')?.target()
  return target ?? Model.registry.getModelByType('User') as ModelClass
}

export const defaultEmailDomain = 'loopback.<provider>.com'

/** @throws LoginFailure */
export async function loginInProcess (Identity: ModelClass, provider: unknown, authScheme: unknown, profile: unknown,
  credentials: unknown, given: unknown): Promise<{
    user: ModelInstance, identity: ModelInstance,
    token: ModelInstance | undefined
  }> {
  const options = (given ?? {}) as Record<string, unknown>
  const accounts = new Accounts(userModelOf(Identity) as never, Identity as never)
  return await accounts.logIn({
    provider: String(provider),
    authScheme: String(authScheme),
    profileToUser: typeof options.profileToUser === 'function' ? options.profileToUser as Entry['profileToUser'] : undefined,
    emailOptional: options.emailOptional === true,
    linkByEmail: options.linkByEmail !== false,
    trustEmail: options.trustEmail === true,
    autoLogin: options.autoLogin !== false,
    emailDomain: typeof options.generatedEmailDomain === 'string' ? options.generatedEmailDomain : defaultEmailDomain,
    options
  }, profile as Profile, (credentials ?? {}) as object)
}
