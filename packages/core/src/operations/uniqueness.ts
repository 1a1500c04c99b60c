/** `validatesUniquenessOf`: a look into the store, backed by a unique index against races (security.md, S-42). */
import { chain } from '../maybe-promise.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import { uniqueWithin } from '../definition/unique-within.js'
import { asApplication } from './origin.js'
import { findRows } from './read.js'
import type { Row } from '../properties/types.js'
import { rowId } from '../query/id.js'
import { isBlank } from '../validations/checks.js'
import { notUnique } from '../validations/not-unique.js'
import { applies, messageOf, type ValidationConfig } from '../validations/config.js'
import type { Validation } from '../interfaces/validation.js'

/**
 * The value must not occur in another row (with the same values of `scopedTo`). Blank values are not looked at.
 * @param Model the class whose rows are searched: the one that declares the validation or, for rows of a model that
 * extends it, that model
 */
export function uniquenessValidation (Model: ModelClass, property: string, config: ValidationConfig): Validation {
  const tenant = uniqueWithin(Model.settings)
  const scope = [config.scopedTo ?? []].flat()
  const within = tenant === undefined || scope.includes(tenant) ? scope : [...scope, tenant]
  return {
    property,
    kind: 'uniqueness',
    options: config,
    local: false,
    only: config.inherited === false ? Model : undefined,
    unique: {
      properties: [property, ...within],
      ignoreCase: config.ignoreCase === true,
      ...(config.if === undefined && config.unless === undefined ? {} : { conditional: true }),
      message: messageOf('uniqueness', undefined, config)
    },
    check (instance, report, options) {
      if (isBlank(instance[property]) || !applies(instance, config)) return
      const model = modelOf(instance, Model).compiled
      const filter = {
        where: {
          ...whereOf(instance, property, scope, config),
          ...(tenant === undefined ? {} : { [tenant]: instance[tenant] ?? null })
        },
        limit: 2,
        ...(model.key.length === 0 ? {} : { fields: model.key.map(({ name }) => name) })
      }
      return chain<Row[], void>(findRows(model, filter, asApplication(options)), found => {
        if (found.some(row => !isSame(model, row, instance, property))) {
          report(notUnique(model, [property, ...within], instance as Row, config))
        }
      })
    }
  }
}

/** Rows that are no instances belong to the model that declares the validation. */
function modelOf (instance: ModelInstance, Model: ModelClass): ModelClass {
  const prototype = Object.getPrototypeOf(instance) as { constructor?: ModelClass } | null
  return prototype?.constructor?.compiled === undefined ? Model : prototype.constructor
}

function whereOf (
  instance: ModelInstance,
  property: string,
  scope: readonly string[],
  config: ValidationConfig
): Record<string, unknown> {
  const value = instance[property]
  const where: Record<string, unknown> = {
    [property]:
      config.ignoreCase === true && typeof value === 'string' ? { ilike: literalPattern(value) } : { eq: value }
  }
  // As in LoopBack, a scope that the row does not have narrows nothing.
  for (const name of scope) if (instance[name] !== undefined) where[name] = { eq: instance[name] }
  return where
}

const literalPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * Whether a row is the one being validated. When the id itself must be unique, a new instance is not the row that has
 * its id.
 */
function isSame (model: CompiledModel, row: Row, instance: ModelInstance, property: string): boolean {
  const id = model.key.length === 0 ? undefined : rowId(model, instance as Row)
  if (id === undefined || id === null) return false
  const isNew = typeof instance.isNewRecord === 'function' && instance.isNewRecord() === true
  if (isNew && model.key.some(({ name }) => name === property)) return false
  return String(rowId(model, row)) === String(id)
}
