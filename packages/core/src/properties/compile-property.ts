/** One property, compiled. */
import type { CompiledProperty } from '../definition/stored-model.js'
import type { PropertyDefinition } from '../definition/definition.js'
import { applyDefinition, countingDefinition } from './apply-definition.js'
import { makeDefault } from './defaults.js'
import { fileTypeOf } from './file-type.js'
import { resolveType } from './resolve-type.js'
import { sealedOf } from '../sealing/sealed-properties.js'
import { invalidType, type TypeLocation } from './type-location.js'
import type { PropertyType } from './types.js'

/**
 * Compiles a property from its expanded definition (`hidden` and `protected` already hold what the model's lists say).
 * @throws FBK_CORE_INVALID_DEFINITION for a name, type or default that cannot be (specification, Errors 4)
 */
export function compileProperty (
  name: string,
  written: PropertyDefinition,
  location: TypeLocation
): CompiledProperty {
  const definition = countingDefinition(written, location)
  if (name.includes('.')) {
    throw invalidType(
      location,
      'has a name with a dot, which would be a path in filters; use another character such as an underscore'
    )
  }
  if (name === '__proto__' || name === 'constructor') {
    throw invalidType(location, 'has a name that cannot be used for a property')
  }
  const type = fileTypeOf(definition, location) ??
    applyDefinition(
      inColumn(withDefault(resolveType(definition.type, location), definition), definition), definition, location
    )
  const idPosition = idPositionOf(definition.id, location)
  const sealed = sealedOf(definition, type, location)
  return {
    name,
    type,
    idPosition,
    generated: idPosition > 0 && definition.generated === true,
    required: Boolean(definition.required),
    hidden: definition.hidden === true,
    protected: definition.protected === true,
    internal: false,
    ...(sealed === undefined ? {} : { sealed }),
    makeDefault: makeDefault(definition, type, location),
    definition
  }
}

/**
 * To LoopBack a list is an object as well, and an item of a list of lists need not be one. A property that begins as
 * the one takes both, so that a row can be sent back as it came.
 */
function withDefault (type: PropertyType, { default: value }: PropertyDefinition): PropertyType {
  if (!Array.isArray(value)) return type
  if (isAnyObject(type)) return { kind: 'any' }
  const { kind, items } = type
  return kind === 'array' && items !== undefined && (isAnyObject(items) || items.kind === 'array')
    ? { kind, items: { kind: 'any' } }
    : type
}

/**
 * What is in a column is to be sent back as it came. One of the type JSON may have lists and single values in it, a
 * list of the database's (`text[]`) nulls.
 */
function inColumn (type: PropertyType, definition: PropertyDefinition): PropertyType {
  if (type.kind === 'array' && isDeclared(definition, /\[\]$/)) return { ...type, nullItems: true }
  return isAnyObject(type) && isDeclared(definition, /^jsonb?$/i) ? { ...type, anyJson: true } : type
}

/** Whether a store's own settings name a type of column. */
const isDeclared = (definition: PropertyDefinition, pattern: RegExp): boolean =>
  Object.values(definition).some(own => own !== null && typeof own === 'object' &&
    pattern.test(String((own as { readonly dataType?: unknown }).dataType)))

const isAnyObject = ({ kind, members }: PropertyType): boolean => kind === 'object' && members === undefined

/** `id: true` is the first part of the id, `id: 2` the second. */
function idPositionOf (id: unknown, location: TypeLocation): number {
  if (id === undefined || id === null || id === false || id === 0) return 0
  if (id === true) return 1
  const position = Number(id)
  if (!Number.isInteger(position) || position < 1) {
    throw invalidType(location, 'has an "id" that is neither true nor a position (1, 2 …)')
  }
  return position
}
