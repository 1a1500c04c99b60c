/** Responses that must not tell by their time whether an account is there (security.md, S-46). */
import { setTimeout } from 'node:timers/promises'
import type { UserModel } from './user-model.js'

/** Milliseconds from the question to the response, whatever was done in between. */
export const defaultResponseTime = 100

/**
 * Does what there is to do for an account, and resolves when the time of a response is over: the same for accounts that
 * are there and those that are not. What takes longer goes on after the response.
 * @param work undefined: there is nothing to do
 * @param failed what the log says where the work fails; the response tells nothing of it
 */
export async function respondInTime (
  Model: UserModel, work: (() => Promise<unknown>) | undefined, failed: string
): Promise<void> {
  const over = setTimeout(Model.settings.accountAnswerTime ?? defaultResponseTime)
  if (work !== undefined) {
    setImmediate(() => {
      work().catch((err: unknown) => { Model.registry.log.warn({ err, model: Model.modelName }, failed) })
    })
  }
  await over
}
