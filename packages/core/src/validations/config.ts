/** What a validation is configured with, and the codes and messages that follow from it (behaviour.md, section 6). */
import type { Violation } from '../errors.js'
import type { ModelInstance } from '../instances/model-instance.js'
import { memberPath } from '../properties/path.js'

export type Condition = string | ((this: ModelInstance) => unknown)

/**
 * Options of a validation, as LoopBack has them: `Model.validatesLengthOf('name', { min: 2, message: { min: 'is too
 * short' } })`.
 */
export interface ValidationConfig {
  /** One message, or one per reason (`{ min: 'is too short' }`). */
  readonly message?: string | Readonly<Record<string, string>> | undefined
  /** Stands in the violation in place of the kind of validation. */
  readonly code?: string | undefined
  /** A function, or the name of a method or property: the validation runs only while it is true. */
  readonly if?: Condition | undefined
  /** The same, while it is false. */
  readonly unless?: Condition | undefined
  readonly allowNull?: boolean | undefined
  readonly allowBlank?: boolean | undefined
  /** `length` */
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly is?: number | undefined
  /** `numericality`: whole numbers only. */
  readonly int?: boolean | undefined
  /** `inclusion`, `exclusion` */
  readonly in?: readonly unknown[] | undefined
  /** `format` */
  readonly with?: RegExp | string | undefined
  /** `uniqueness`: other properties within whose values the value must be unique. */
  readonly scopedTo?: readonly string[] | undefined
  readonly ignoreCase?: boolean | undefined
  /**
   * Whether the validation is for models that extend the one that declares it, too: true, where the application's
   * setting `inheritValidations` is false as well; false, of `uniqueness`, leaves them out.
   */
  readonly inherited?: boolean | undefined
  readonly [key: string]: unknown
}

/**
 * Calls `fail(reason?)` when something is wrong; `fail(false)` makes the instance invalid without a message of its own.
 */
export type CustomFail = (reason?: string | false) => void

const defaultMessages: Readonly<Record<string, string>> = {
  presence: 'can\'t be blank',
  absence: 'can\'t be set',
  'length.min': 'too short',
  'length.max': 'too long',
  'length.is': 'length is wrong',
  'numericality.number': 'is not a number',
  'numericality.int': 'is not an integer',
  inclusion: 'is not included in the list',
  exclusion: 'is reserved',
  format: 'is invalid',
  uniqueness: 'is not unique',
  date: 'is not a valid date'
}

/** Messages of reasons that several kinds have. */
const reasonMessages: Readonly<Record<string, string>> = { blank: 'is blank', null: 'is null' }

/** The message of a violation: configured for the reason, configured for all, or LoopBack's. */
export function messageOf (kind: string, reason: string | undefined, { message }: ValidationConfig): string {
  if (typeof message === 'string') return message
  const configured =
    reason !== undefined && message !== undefined && Object.hasOwn(message, reason) ? message[reason] : undefined
  return (
    configured ??
    (reason === undefined ? defaultMessages[kind] : (defaultMessages[`${kind}.${reason}`] ?? reasonMessages[reason])) ??
    'is invalid'
  )
}

/** The violation of a property: code `length.min`, `custom.email`, or with the configured code in place of the kind. */
export function violationOf (
  property: string,
  kind: string,
  reason: string | undefined,
  config: ValidationConfig
): Violation {
  const code = config.code ?? kind
  return {
    path: memberPath(property),
    code: reason === undefined ? code : `${code}.${reason}`,
    message: messageOf(kind, reason, config),
    info: {}
  }
}

/**
 * Whether `if` and `unless` let the validation run. A name that the instance does not have counts as "run" for `if`, as
 * "do not" for `unless`.
 */
export function applies (instance: ModelInstance, config: ValidationConfig): boolean {
  return holds(instance, config.if, true) && !holds(instance, config.unless, config.unless !== undefined)
}

function holds (instance: ModelInstance, condition: Condition | undefined, missing: boolean): boolean {
  if (typeof condition === 'function') return Boolean(condition.call(instance))
  if (typeof condition !== 'string') return missing
  const member = instance[condition]
  if (typeof member === 'function') return Boolean(member.call(instance))
  return Object.hasOwn(instance, condition) ? Boolean(member) : missing
}
