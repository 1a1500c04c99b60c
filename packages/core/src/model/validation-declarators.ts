/** Functions of model classes that declare validations, with LoopBack's signatures: names first, then options. */
import { settleValidations } from '../validations/declared-validations.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { InvalidDefinitionError } from '../errors.js'
import type { ValueKind } from '../validations/checks.js'
import type { ValidationConfig } from '../validations/config.js'
import { customValidation, type AsyncValidator, type CustomValidator } from '../validations/custom.js'
import { uniquenessValidation } from '../operations/uniqueness.js'
import type { Validation } from '../interfaces/validation.js'
import { valueValidation } from '../validations/value-validation.js'

/** `('a', 'b', { min: 3 })`: one or several properties, then options. */
type Names = readonly [string, ...Array<string | ValidationConfig>]

function declare (
  Model: ModelClass,
  given: readonly unknown[],
  make: (property: string, config: ValidationConfig) => Validation
): void {
  const last = given.at(-1)
  const config = last !== null && typeof last === 'object' ? (last as ValidationConfig) : {}
  const properties = given.filter(name => typeof name === 'string')
  if (properties.length === 0) {
    throw new InvalidDefinitionError(`model "${Model.modelName}"`, 'a validation needs the name of a property')
  }
  settleValidations(Model)
  for (const property of properties) Model.state.validations.push(make(property, config))
  Model.state.invalidate()
}

const ofKind = (kind: ValueKind, needs?: keyof ValidationConfig) => function (this: ModelClass, ...given: Names): void {
  declare(this, given, (property, config) => {
    if (needs !== undefined && config[needs] === undefined) {
      throw new InvalidDefinitionError(
        `model "${this.modelName}", property "${property}"`,
        `the validation of its ${kind} needs the option "${String(needs)}"`
      )
    }
    return valueValidation(kind, property, config)
  })
}

const custom = (async: boolean) =>
  function (
    this: ModelClass,
    property: string,
    validator: CustomValidator | AsyncValidator,
    config: ValidationConfig = {}
  ): void {
    if (typeof validator !== 'function') {
      throw new InvalidDefinitionError(
        `model "${this.modelName}", property "${property}"`,
        'a validation of its own needs a function'
      )
    }
    declare(this, [property, config], (name, options) => customValidation(name, validator, options, async))
  }

/**
 * Put on the root model class; every other inherits them. Declared validations hold for the model and for all that
 * extend it.
 */
export const validationDeclarators = {
  /** Not undefined, null, empty text, an empty list or NaN. */
  validatesPresenceOf: ofKind('presence'),
  /** Undefined, null, empty text or an empty list. */
  validatesAbsenceOf: ofKind('absence'),
  /** `min`, `max`, `is`: length of text or of a list. */
  validatesLengthOf: ofKind('length'),
  /** A number; `int: true`: without fraction. */
  validatesNumericalityOf: ofKind('numericality'),
  /** One of `in`. */
  validatesInclusionOf: ofKind('inclusion', 'in'),
  /** None of `in`. */
  validatesExclusionOf: ofKind('exclusion', 'in'),
  /** Text that matches `with`. */
  validatesFormatOf: ofKind('format', 'with'),
  /** A date, or something that can be read as one. */
  validatesDateOf: ofKind('date'),
  /** Not in another row; `scopedTo`, `ignoreCase`. */
  validatesUniquenessOf (this: ModelClass, ...given: Names): void {
    declare(this, given, (property, config) => uniquenessValidation(this, property, config))
  },
  /** A rule of one's own: `function (fail, options)` with the instance as `this`. */
  validate: custom(false),
  /** A rule of one's own that answers later: `function (fail, done)`. */
  validateAsync: custom(true)
}
