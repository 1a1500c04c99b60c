/** Who acts in the process by the rules of a caller, as a token: what hooks and rules look at. */
import { isUserModel } from '@fastback/auth'
import { isInstance, type Acting, type ModelClass, type ModelInstance, type ModelRegistry } from '@fastback/core'
import { compiledOf } from '@fastback/core/remote'
import type { AclService } from '../service.js'
import { authorizationRequired } from '../errors.js'

/**
 * The token of a caller; null for somebody who is not logged in. It is stored nowhere.
 *
 * ```js
 * (await tokenOf(app.registry, service, { user: 7 })).userId // 7
 * ```
 * @throws RequestError 401 for a token that is not valid
 */
export async function tokenOf (
  registry: ModelRegistry, service: AclService, acting: Acting
): Promise<ModelInstance | null> {
  if ('token' in acting) return await tokenGiven(registry, acting.token)
  if ('appId' in acting) return made(registry, { appId: acting.appId })
  const { user, userModel } = acting
  if (user === undefined || user === null) return null
  const isRow = isInstance(user)
  const Model = isRow ? compiledOf(user).Model : undefined
  if (isRow && !isUserModel(Model as ModelClass)) throw new TypeError('"user" is a row of no user model.')
  const userId: unknown = isRow ? (user as { getId (): unknown }).getId() : user
  const name = userModel ?? Model?.modelName
  const types = name === undefined ? undefined : principalTypeOf(service, name)
  return made(registry, { userId, ...types === undefined ? {} : { principalType: types } })
}

/** With one user model tokens do not say whose they are. */
function principalTypeOf ({ users }: AclService, name: string): string | undefined {
  const User = users.named(name)
  if (User === undefined) throw new TypeError(`"${name}" is no user model.`)
  return users.principalTypes(User).includes('USER') ? undefined : name
}

async function tokenGiven (registry: ModelRegistry, token: unknown): Promise<ModelInstance | null> {
  if (token === null || typeof token === 'object') return token as ModelInstance | null
  const Token = registry.getModelByType('AccessToken') as (ModelClass & { resolve?: Resolve }) | undefined
  const found = await Token?.resolve?.(token)
  if (found === undefined || found === null) throw authorizationRequired()
  return found
}

type Resolve = (token: unknown) => Promise<ModelInstance | null | undefined>

function made (registry: ModelRegistry, data: Readonly<Record<string, unknown>>): ModelInstance {
  const Token = registry.getModelByType('AccessToken')
  return Token === undefined ? data as unknown as ModelInstance : Object.assign(new Token({}), data) as ModelInstance
}
