import type { ModelClass, ModelRegistry } from '@fastback/core'
import { isUserModel, type UserSettings } from './user-model.js'

/**
 * Something, an @, and a domain of at least one label; no blanks, no control or format characters, no encoded words
 * (security.md, S-176) and no second @. Whether mail arrives only mail can tell.
 */
const address =
  /^(?!.*=\?)[^\s\p{Cc}\p{Cf}@<>(),;:\\"[\]]+@[^\s\p{Cc}\p{Cf}@<>(),;:\\"[\].]+(?:\.[^\s\p{Cc}\p{Cf}@<>(),;:\\"[\].]+)*$/u

type Fail = (reason: string) => void
interface Declarators {
  validate (property: string, check: (this: { email?: unknown }, fail: Fail) => void, config: object): void
  validatesUniquenessOf (property: string, config: object): void
}

/** The format of e-mails, for all user models. */
export function validateEmail (User: ModelClass): void {
  (User as unknown as Declarators).validate('email', function (fail) {
    if (
      this.email !== undefined &&
      this.email !== null &&
      !(typeof this.email === 'string' && address.test(this.email))
    ) { fail('email') }
  }, { message: 'is invalid', inherited: true })
}

/**
 * E-mails and user names are unique per model, within a realm where realms are in use. Declared when a model is
 * attached, because only then its settings are known, and for each model on its own: one that extends another may have
 * realms where that has none.
 */
export function validateUniqueness (registry: ModelRegistry): void {
  const done = new Set<ModelClass>()
  registry.on('modelAttached', (Model: ModelClass) => {
    if (!isUserModel(Model) || Model.dataSource === null || done.has(Model)) return
    done.add(Model)
    const { realmRequired, realmDelimiter } = Model.settings as UserSettings
    const scope = realmRequired === true && Boolean(realmDelimiter) ? { scopedTo: ['realm'] } : {}
    const declare = Model as unknown as Declarators
    declare.validatesUniquenessOf('email', { message: 'Email already exists', inherited: false, ...scope })
    declare.validatesUniquenessOf('username', { message: 'User already exists', inherited: false, ...scope })
  })
}
