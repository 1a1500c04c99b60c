/**
 * Brings rows into shape before they are stored: types, unknown properties, ids, validations. All that is wrong is said
 * at once.
 */
import type { CoercionViolation } from '../properties/row-model.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { UniqueIndexError, ValidationError } from '../errors.js'
import { propertyOf, type FoundViolation } from '../violation.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import { isInstance } from '../instances/instance.js'
import { setErrors } from '../instances/instance-errors.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { allowsOperators } from '../query/extended-operators.js'
import { isRemote } from './origin.js'
import { refuseRelatedRows } from './related-data.js'
import { describeValue } from '../validations/describe-value.js'
import { notUnique } from '../validations/not-unique.js'
import { validateInstance } from '../validations/validate.js'

/** The 422 for these violations, with values described as LoopBack does. */
export function validationError (
  model: CompiledModel, violations: readonly FoundViolation[], row: Readonly<Row>
): ValidationError {
  return new ValidationError(model.name, violations, property => describeValue(model, property, row))
}

/**
 * Values in the property's type, with those that the default scope sets; what cannot be converted is added to
 * `violations`.
 * @throws RequestError 400 for data with rows of relations
 */
export function coerceInto (model: CompiledModel, given: Readonly<Row>, violations: FoundViolation[]): Row {
  if (!isInstance(given)) refuseRelatedRows(model, given)
  const data = model.scopeValues === undefined ? given : { ...given, ...model.scopeValues(given) }
  return model.coerce(data, (violation: CoercionViolation) => { violations.push(violation) })
}

/** The same for a row that is stored as a whole: it has null where a model persists undefined as null. */
export function coerceFull (model: CompiledModel, given: Readonly<Row>, violations: FoundViolation[]): Row {
  const row = coerceInto(model, given, violations)
  if (model.settings.persistUndefinedAsNull === true) {
    for (const { name, idPosition } of model.properties) if (idPosition === 0 && !(name in row)) row[name] = null
  }
  return row
}

/**
 * The same for a partial update. Where a model persists undefined as null, setting a property to undefined sets it to
 * null. Operators of the store's own (`$set`) go to it as they are where code may use them.
 */
export function coerceChanges (
  model: CompiledModel, data: Readonly<Row>, violations: FoundViolation[], options: OperationOptions = {}
): Row {
  if (!isRemote(options) && allowsOperators(model, options)) {
    const [operators, values] = [true, false].map(ofStore =>
      Object.fromEntries(Object.entries(data).filter(([name]) => name.startsWith('$') === ofStore))) as [Row, Row]
    return { ...changesOf(model, values, violations), ...operators }
  }
  return changesOf(model, data, violations)
}

function changesOf (model: CompiledModel, data: Readonly<Row>, violations: FoundViolation[]): Row {
  const changes = coerceInto(model, data, violations)
  if (model.settings.persistUndefinedAsNull === true) {
    for (const name of Object.keys(data)) {
      if (data[name] === undefined && name !== model.id?.name && model.propertyByName.has(name)) changes[name] = null
    }
  }
  return changes
}

/**
 * Options of an update under the setting `validateUpdate`, of an upsert under `validateUpsert`: false switches
 * validations off unless the caller wants them.
 */
export function validatedBy (
  model: CompiledModel,
  setting: 'validateUpdate' | 'validateUpsert',
  options: OperationOptions
): OperationOptions {
  return model.settings[setting] === false && options.validate === undefined ? { ...options, validate: false } : options
}

/** Whether the operation validates: settings and options can switch it off. */
export function validates (model: CompiledModel, options: OperationOptions): boolean {
  if (options.validate !== undefined) return options.validate
  return options.skipValidation !== true && model.settings.automaticValidation !== false
}

/**
 * Runs the model's validations and throws when anything is wrong.
 * @param only names of the properties that a partial update touches
 * @param told the instance whose `errors` say what is wrong
 * @throws ValidationError 422
 */
export function mustBeValid (
  model: CompiledModel,
  instance: ModelInstance,
  violations: FoundViolation[],
  options: OperationOptions,
  only?: ReadonlySet<string>,
  told: ModelInstance = instance
): MaybePromise<void> {
  const conclude = (found: readonly FoundViolation[]): void => {
    const all = together(violations, found)
    if (all.length === 0) {
      if (model.validations.length > 0 || told.errors !== undefined) setErrors(model, told, undefined)
      return
    }
    const error = validationError(model, all, instance as Row)
    setErrors(model, told, error)
    throw error
  }
  if (!validates(model, options)) return conclude([])
  const own = ownIsValid(told)
  if (own !== undefined) {
    const tell = (found: readonly FoundViolation[]): void =>
      conclude(found.length > 0 || violations.length > 0 ? found : [unsaid])
    return chain(askInstance(own, told, options), isRight =>
      isRight ? conclude([]) : chain(validateInstance(model, instance, options, only), tell))
  }
  if (model.validations.length === 0) return conclude([])
  const found = validateInstance(model, instance, options, only)
  return isPromise(found) ? found.then(conclude) : conclude(found)
}

/** What is told where an `isValid` of the application refuses a row that breaks no rule. */
const unsaid: FoundViolation = { path: '', code: 'invalid', message: 'is not valid', info: {} }

/** Marks the `isValid` of all models: where an instance has it, operations run the validations themselves. */
export const STANDARD = Symbol('fastback.standard')

type IsValid = (callback: (valid?: boolean) => void, data: object, options: OperationOptions) => unknown

/** An `isValid` that the application has put in the place of the models' own. */
function ownIsValid (instance: ModelInstance): IsValid | undefined {
  const { isValid } = instance
  const isOwn = isInstance(instance) && typeof isValid === 'function' && !(STANDARD in isValid)
  return isOwn ? isValid as IsValid : undefined
}

/** What an `isValid` of the application calls back; at once where it does. */
function askInstance (isValid: IsValid, instance: ModelInstance, options: OperationOptions): MaybePromise<boolean> {
  let answer: boolean | undefined
  let resume: ((valid: boolean) => void) | undefined
  isValid.call(instance, valid => {
    answer ??= valid === true
    resume?.(answer)
  }, instance, options)
  return answer ?? new Promise(resolve => { resume = resolve })
}

/**
 * Everything that is wrong with an instance as it is, also values that cannot be what their property says.
 *
 * ```js
 * const found = await violationsOf(Note.compiled, new Note({ stars: 'many' }))
 * ```
 */
export function violationsOf (
  model: CompiledModel, instance: ModelInstance, options: OperationOptions = {}
): MaybePromise<readonly FoundViolation[]> {
  const refused: FoundViolation[] = []
  model.coerce(instance, violation => { refused.push(violation) })
  return chain(validateInstance(model, instance, options), found => together(refused, found))
}

/** Of a property whose value cannot be stored, rules say nothing more, unless there is one for dates. */
function together (refused: readonly FoundViolation[], found: readonly FoundViolation[]): readonly FoundViolation[] {
  if (refused.length === 0) return found
  const ofDates = new Set(found.filter(({ code }) => code === 'date').map(propertyOf))
  const others = ofDates.size === 0 ? refused : refused.filter(violation => !ofDates.has(propertyOf(violation)))
  const named = new Set(others.flatMap(violation => [violation.path, `.${propertyOf(violation)}`]))
  const isNew = (violation: FoundViolation): boolean =>
    !named.has(violation.path) && !named.has(`.${propertyOf(violation)}`)
  return [...others, ...found.filter(isNew)]
}

/**
 * Largest number that may stand in the place of a generated id. Stores go on from the largest id they have: from one
 * near the end of the whole numbers that a double holds, they would come to ids that nobody can ask for (security.md,
 * S-03). Half of these numbers are left for generated ids.
 */
export const largestGivenId = 2 ** 52

/**
 * `id` given although the model generates it (behaviour.md, section 1: create with id), or, where that is allowed, too
 * large.
 */
export function forbiddenId (model: CompiledModel, data: Readonly<Row>): FoundViolation | undefined {
  const { id } = model
  const given = id === undefined ? undefined : data[id.name]
  if (id === undefined || given === undefined || given === null) return undefined
  if (forcesId(model)) return { path: `.${id.name}`, code: 'absence', message: 'can\'t be set', info: {} }
  if (
    !id.generated ||
    (typeof given !== 'number' && typeof given !== 'bigint') ||
    (given <= largestGivenId && given >= -largestGivenId)
  ) { return undefined }
  return {
    path: `.${id.name}`,
    code: 'maximum',
    message: `is beyond ${largestGivenId}, the largest id that can stand in place of a generated one`,
    info: { limit: largestGivenId }
  }
}

/** `forceId`: true, or (the default, "auto") true where ids are generated. */
export function forcesId (model: CompiledModel): boolean {
  // No store gives compound ids out, and models without an id have none to force.
  if (model.id === undefined && model.key.length > 1) return false
  const { forceId } = model.settings
  return forceId === undefined || forceId === 'auto' || forceId === null
    ? model.id?.generated === true
    : forceId === true
}

/** Turns the store's refusal of a duplicate into the 422 of a uniqueness validation (security.md, S-42). */
export function storing<T> (model: CompiledModel, row: Readonly<Row>, write: () => MaybePromise<T>): MaybePromise<T> {
  const translate = (error: unknown): never => {
    if (!(error instanceof UniqueIndexError)) throw error
    const properties = error.properties.length === 0 ? [model.key[0]?.name ?? 'id'] : error.properties
    const found = notUnique(model, properties, row, { message: messageFor(model, properties[0] as string) })
    throw validationError(model, [found], row)
  }
  try {
    const result = write()
    return isPromise(result) ? result.catch(translate) : result
  } catch (error) {
    return translate(error)
  }
}

const messageFor = (model: CompiledModel, property: string): string | undefined =>
  model.validations.find(validation => validation.property === property && validation.unique !== undefined)?.unique
    ?.message
