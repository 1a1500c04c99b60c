/** Validations that follow from the definition of properties. */
import type { CompiledProperty } from '../definition/stored-model.js'
import type { ValidationConfig } from './config.js'
import type { Validation } from '../interfaces/validation.js'
import { valueValidation } from './value-validation.js'

/** `required` (true, or the options of a presence validation). A generated id comes from the store. */
export function requiredValidations (properties: readonly CompiledProperty[]): Validation[] {
  return properties
    .filter(property => property.required && !property.generated)
    .map(({ name, definition }) => valueValidation('presence', name, optionsOf(definition.required)))
}

const optionsOf = (required: unknown): ValidationConfig =>
  required !== null && typeof required === 'object' ? (required as ValidationConfig) : {}
