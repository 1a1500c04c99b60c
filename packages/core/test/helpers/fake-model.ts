/** Compiled models without a registry, for tests of the parts that only look at properties. */
import type { CompiledModel } from '../../src/interfaces/compiled-model.js'
import type { PropertyDefinition } from '../../src/definition/definition.js'
import { Validators } from '../../src/schemas/validators.js'
import { compileCoerce } from '../../src/properties/coerce.js'
import { compileProperty } from '../../src/properties/compile-property.js'
import { compileDefaults } from '../../src/properties/defaults.js'
import { compileSchemas } from '../../src/properties/schema.js'
import { compileStringify, compileToPlain } from '../../src/properties/stringify.js'
import { requiredValidations } from '../../src/validations/required.js'

export interface FakeOptions {
  hidden?: string[]
  protected?: string[]
  unknown?: CompiledModel['unknown']
  settings?: Record<string, unknown>
  relations?: Record<string, object>
}

export type Models = Map<string, CompiledModel>

/**
 * Compiles a model from definitions or short forms (`{ name: 'string' }`) and adds it to `models`, where nested models
 * are looked up.
 */
export function fakeModel (
  models: Models,
  name: string,
  written: Record<string, unknown>,
  options: FakeOptions = {}
): CompiledModel {
  const hidden = new Set(options.hidden)
  const protectedNames = new Set(options.protected)
  const properties = Object.entries(written).map(([property, type]) => {
    const definition = (
      type !== null &&
      typeof type === 'object' &&
      !Array.isArray(type) &&
      'type' in type &&
      !(Symbol.for('TypeBox.Kind') in type)
        ? type
        : { type }
    ) as PropertyDefinition
    return compileProperty(
      property,
      { ...definition, hidden: hidden.has(property), protected: protectedNames.has(property) },
      { model: name, property }
    )
  })
  const unknown = options.unknown ?? 'keep'
  const lookup = (other: string): CompiledModel | undefined => models.get(other)
  const model = {
    name,
    properties,
    propertyByName: new Map(properties.map(property => [property.name, property])),
    id: properties.find(property => property.idPosition > 0),
    hidden,
    protectedNames,
    unknown,
    open: unknown === 'keep',
    settings: options.settings ?? {},
    relations: new Map(Object.entries(options.relations ?? {})),
    validations: requiredValidations(properties, new Validators())
  } as unknown as CompiledModel
  Object.assign(model, {
    coerce: compileCoerce(model, lookup),
    applyDefaults: compileDefaults(properties),
    stringify: compileStringify(model, lookup),
    toPlain: compileToPlain(model, lookup)
  })
  Object.defineProperty(model, 'schemas', { get: () => compileSchemas(model, lookup) })
  models.set(name, model)
  return model
}
