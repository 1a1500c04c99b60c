/** Validations that follow from the definition of properties. */
import { Type } from '@sinclair/typebox'
import type { CompiledProperty } from '../definition/stored-model.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { Validation } from '../interfaces/validation.js'
import { memberPath } from '../properties/path.js'
import { propertySchema } from '../properties/property-schema.js'
import type { JsonSchema } from '../schemas/normalise.js'
import { sentenceOf } from '../schemas/sentences.js'
import type { Validators } from '../schemas/validators.js'
import type { FoundViolation, Violation } from '../violation.js'
import { isBlank } from './checks.js'
import type { ValidationConfig } from './config.js'
import { valueValidation } from './value-validation.js'

/**
 * `required` (true, or the options of a presence validation). A generated id comes from the store. What is missing is
 * told as the schema of a body tells it: a client need not know which of the two has found it.
 */
export function requiredValidations (properties: readonly CompiledProperty[], validators: Validators): Validation[] {
  return properties.filter(property => property.required && !property.generated).map(property => {
    const presence = valueValidation('presence', property.name, optionsOf(property.definition.required))
    const asSchema = schemaEntry(property, validators)
    return {
      ...presence,
      check (instance: ModelInstance, report: (violation: FoundViolation) => void, options) {
        if (!isBlank(instance[property.name])) return
        return presence.check(instance, found => { report(asSchema(instance[property.name], found)) }, options)
      }
    } satisfies Validation
  })
}

/** What a schema says of a value that is not there; other blank values pass it, and have the validation's word. */
function schemaEntry (
  { name, type, definition }: CompiledProperty, validators: Validators
): (value: unknown, found: Violation) => FoundViolation {
  const path = memberPath(name)
  const info = { missingProperty: name }
  const missing = { path: '', code: 'required', message: sentenceOf('required', info) as string, info }
  const schema = propertySchema(type, definition, () => Type.Object({}))
  const validate = validators.json(schema as JsonSchema)
  const { message: own, code: ownCode } = optionsOf(definition.required)
  return (value, found) => {
    if (own !== undefined || ownCode !== undefined) return found
    const inProcess = { path, code: found.code, message: found.message }
    if (value === undefined) return { ...missing, inProcess }
    const [refused] = value === null ? validate(null) ?? [] : []
    return refused === undefined ? found : { ...refused, path: path + refused.path, inProcess }
  }
}

const optionsOf = (required: unknown): ValidationConfig =>
  required !== null && typeof required === 'object' ? (required as ValidationConfig) : {}
