import type { ModelClass, ModelInstance, OperationOptions } from '@fastback/core'
import { ownSharedCtor } from '@fastback/core/remote'
import { verificationNotAvailable } from '../errors.js'
import { respondInTime } from './response-time.js'
import { hasMailer } from './verify.js'
import type { User, UserModel } from './user-model.js'

/** The part of a remote call's context that is used here. */
interface Context {
  readonly request: { readonly params: unknown }
  readonly method: { readonly model: ModelClass }
  readonly options: OperationOptions
  instance: ModelInstance | undefined
}

/**
 * `POST /:id/verify` is open to everybody, so it must not tell which accounts there are (security.md, S-46): one that
 * is not there is answered like any other. The message is made and sent while the response waits for its time
 * (`accountAnswerTime`), and after it, so that nothing tells how long that takes. `allowUserEnumeration` gives
 * LoopBack's 404 and waits.
 * @throws RequestError where nobody sends mail at all
 */
export async function verifyLater (context: Context): Promise<void> {
  const Model = context.method.model as UserModel
  if (Model.settings.allowUserEnumeration === true || ownSharedCtor(Model) !== undefined) return
  if (!hasMailer(Model)) throw verificationNotAvailable()
  const user = await Model.findById((context.request.params as { id: string }).id, undefined, context.options)
  context.instance = withVerify(user ?? new Model({}) as User, async (...args) => {
    await respondInTime(
      Model, user === null ? undefined : () => send(Model, user, args), 'a verification was not sent'
    )
  })
}

/** The class's own function: it may be the application's. */
const send = async (Model: UserModel, user: User, args: readonly unknown[]): Promise<unknown> =>
  await (Model.prototype.verify as (...args: unknown[]) => unknown).apply(
    user,
    args.filter(arg => typeof arg !== 'function')
  )

function withVerify (account: User, verify: (...args: unknown[]) => Promise<void>): User {
  return Object.defineProperty(account, 'verify', { value: verify, configurable: true })
}
