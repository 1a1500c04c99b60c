/** The built-in models of this package, with the functions that LoopBack's component gives them (LG-126). */
import type { BuiltinModel, ModelClass, ModelInstance } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { setStoreLayer } from '@fastback/core/remote'
import { ProviderTokenError } from '../errors.js'
import { closeWrites, refuseLastUnlink } from '../linking.js'
import {
  applicationCredentialDefinition, credentialDefinition, identityDefinition, sessionDefinition, stateDefinition
} from './definitions.js'
import { sealedCredentials, sealingOf } from './sealed-credentials.js'

type Rows = ModelClass & {
  findOne (filter: object): Promise<ModelInstance | null>
  create (data: object): Promise<ModelInstance>
}

/** A static with a promise or a trailing callback; a callback may get several values. */
const statically = (work: (Model: ModelClass, values: readonly unknown[]) => Promise<unknown>, spread = false) =>
  function (this: ModelClass, ...args: unknown[]): unknown {
    const { values, callback } = splitCallback(args)
    if (callback !== undefined) return promiseOrCallback(() => work(this, values), callback, spread, this.registry)
    return promiseOrCallback(async () => {
      const result = await work(this, values)
      return spread ? (result as unknown[])[0] : result
    }, undefined, false, this.registry)
  }

function put (Model: object, name: string, value: unknown): void {
  Object.defineProperty(Model, name, { value, enumerable: false, configurable: true, writable: true })
}

function seal (Model: ModelClass): void {
  const { registry } = Model
  setStoreLayer(Model, sealedCredentials(sealingOf(registry), message => { registry.log.warn({}, message) }))
  closeWrites(Model)
}

/** `UserIdentity.login(provider, authScheme, profile, credentials, [options], cb(error, user, identity, token))` */
const login = statically(async (Model, [provider, authScheme, profile, credentials, options]) => {
  const { loginInProcess } = await import('../in-process.js')
  const { user, identity, token } = await loginInProcess(Model, provider, authScheme, profile, credentials, options)
  return [user, identity, token]
}, true)

/** `UserCredential.link(userId, provider, authScheme, profile, credentials, [options], cb(error, credential))` */
const link = statically(async (Model, [userId, provider, authScheme, profile, credentials]) => {
  const { linkCredential } = await import('../linking.js')
  return await linkCredential(Model, userId, String(provider), String(authScheme), profile as never,
    (credentials ?? {}) as object)
})

/** `row.providerToken([callback(error, token)])`: an access token of the provider that lasts, in process alone. */
function providerToken (this: ModelInstance, ...args: unknown[]): unknown {
  const { callback } = splitCallback(args)
  const { registry } = this.constructor as unknown as ModelClass
  return promiseOrCallback(async () => {
    const { loginsOf } = await import('../logins.js')
    const logins = loginsOf(registry)
    if (logins === undefined) throw new ProviderTokenError('no logins are set up')
    return await logins.providerTokens.of(this)
  }, callback, false, registry)
}

/** `ApplicationCredential.link(appId, provider, authScheme, credentials, cb)`: one row for each provider (LG-66). */
const linkApplication = statically(async (Model, [appId, provider, authScheme, credentials]) => {
  const Rows = Model as Rows
  const modified = new Date()
  const row = await Rows.findOne({ where: { appId, provider } })
  if (row === null) return await Rows.create({ appId, provider, authScheme, credentials, created: modified, modified })
  return await (row.updateAttributes as (data: object) => Promise<unknown>)({ credentials, modified })
})

export const loginModels: readonly BuiltinModel[] = [
  {
    definition: identityDefinition,
    setUp: Model => {
      seal(Model)
      refuseLastUnlink(Model)
      put(Model, 'login', login)
      put(Model.prototype as object, 'providerToken', providerToken)
    }
  },
  {
    definition: credentialDefinition,
    setUp: Model => { seal(Model); put(Model, 'link', link); put(Model.prototype as object, 'providerToken', providerToken) }
  },
  { definition: applicationCredentialDefinition, setUp: Model => { seal(Model); put(Model, 'link', linkApplication) } },
  { definition: stateDefinition },
  { definition: sessionDefinition }
]
