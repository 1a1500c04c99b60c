/** Tokens that nobody stored: tools of this process ask as a user with them. */
import { randomBytes } from 'node:crypto'
import type { ModelClass, ModelInstance, Row } from '@fastback/core'
import { coerceId } from '@fastback/core/connector'
import { findRowById, instantiate, type LentTo } from '@fastback/core/remote'
import { UnknownUserError } from '../errors.js'
import { tokensOf } from '../user/user-model.js'
import { userModelsOf } from '../user/user-models.js'

/** Seconds; nobody asks whether it has ended. */
const ttl = 60

export class LentTokens {
  readonly #byText = new Map<string, ModelInstance>()

  /**
   * A text that stands for a full login of a user, for as long as the process lives.
   *
   * ```js
   * const text = await lent.lend(AccessToken, { userId: '7' })
   * await app.inject({ url: '/api/Notes', headers: { authorization: text } })
   * ```
   * @throws FBK_AUTH_UNKNOWN_USER
   */
  async lend (TokenModel: ModelClass, { userId, model }: LentTo): Promise<string> {
    const users = userModelsOf(TokenModel.registry)
    const Model = users.named(model)
    if (Model === undefined) {
      const names = users.inUse.map(({ modelName }) => modelName).join(', ')
      throw new UnknownUserError(model === undefined
        ? `Several models have users: say which one is meant, of ${names}.`
        : `"${model}" is no model of users. There are: ${names}.`)
    }
    const id = coerceId(Model.compiled, userId)
    const user = id === undefined ? undefined : await findRowById(Model.compiled, id, undefined, { notify: false })
    if (user === undefined) throw new UnknownUserError(`There is no ${Model.modelName} with the id "${userId}".`)
    const text = randomBytes(32).toString('hex')
    const row: Row = { id: text, userId: id, ttl, created: new Date() }
    if (users.attached.length > 1) row.principalType = Model.modelName
    this.#byText.set(text, instantiate((tokensOf(Model)?.TokenModel ?? TokenModel).compiled, row))
    return text
  }

  /** The token that a text was lent for. */
  of (text: string | undefined): ModelInstance | undefined {
    return text === undefined ? undefined : this.#byText.get(text)
  }
}
