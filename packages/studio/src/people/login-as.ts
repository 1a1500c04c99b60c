/** A token of any user, for who develops the application: `POST login-as`. */
import { authService, newLoginToken, userModelsOf } from '@fastback/auth/service'
import { RequestError, type ModelInstance, type ModelRegistry } from '@fastback/core'
import { coerceId } from '@fastback/core/connector'
import { findRowById, instantiate } from '@fastback/core/remote'
import type { LoginAs } from '@fastback/ui/contracts'
import { Type, type Static } from '@sinclair/typebox'

export const LoginAsBody = Type.Object({
  model: Type.String({ minLength: 1, maxLength: 200 }),
  id: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Number()])
}, { additionalProperties: false })

/** Seconds that the token holds. */
const ttl = 3_600

/**
 * A token as a login without a second factor gives it; the audit has it.
 * @throws RequestError 404 for a user that is not there
 */
export async function loginAs (
  registry: ModelRegistry, { model, id }: Static<typeof LoginAsBody>
): Promise<LoginAs> {
  const Model = userModelsOf(registry).inUse.find(({ modelName }) => modelName === model)
  const key = Model === undefined ? undefined : coerceId(Model.compiled, id)
  const row = Model === undefined || key === undefined
    ? undefined
    : await findRowById(Model.compiled, key, undefined, { notify: false })
  if (Model === undefined || row === undefined) {
    throw new RequestError(404, 'There is no such user', { code: 'USER_NOT_FOUND' })
  }
  const user = instantiate(Model.compiled, row)
  const token: ModelInstance = await newLoginToken(Model, user as Parameters<typeof newLoginToken>[1], { ttl })
  authService(registry).audit({ event: 'login as', model, userId: key })
  const userId: unknown = key
  return {
    id: String((token as { getId (): unknown }).getId()), ttl, userId: typeof userId === 'number' ? userId : String(userId), model
  }
}
