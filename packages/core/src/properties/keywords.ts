/** The JSON Schema keywords that a property's settings stand for. */
import type { PropertyDefinition } from '../definition/definition.js'
import type { PropertyType } from './types.js'
import type { Keywords } from './property-keywords.js'

const ofText = ['minLength', 'maxLength', 'pattern', 'format'] as const
const ofNumbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'] as const
const ofLists = ['minItems', 'maxItems', 'uniqueItems'] as const

/**
 * What a property's settings demand of its values: `maxLength`, `pattern`, `format`, `enum`, `minimum` and their like,
 * and all that stands in `jsonSchema`, which wins. Of a list they speak of the items, as in LoopBack 4; `list` has what
 * they say of the list itself. `length` demands nothing: in LoopBack 3 it is the length of a column.
 */
export function keywordsOf (
  type: PropertyType,
  definition: PropertyDefinition
): { readonly value: Keywords; readonly list: Keywords } {
  const list: Keywords = {}
  if (type.kind === 'array') take(definition, ofLists, list)
  const valued = type.kind === 'array' ? type.items : type
  if (valued === undefined || (type.kind === 'array' && valued.kind === 'any')) {
    return { value: { ...definition.jsonSchema }, list }
  }
  const value: Keywords = {}
  switch (valued.kind) {
    case 'string':
      take(definition, ofText, value)
      break
    case 'number':
    case 'integer':
    case 'long':
    case 'bigint':
      take(definition, ofNumbers, value)
  }
  if (Array.isArray(definition.enum) && definition.enum.length > 0) value.enum = definition.enum
  return { value: { ...value, ...definition.jsonSchema }, list }
}

/** Settings that stand for something else (`pattern: {…}` of a component) are left alone. */
function take (definition: PropertyDefinition, names: readonly string[], into: Keywords): void {
  for (const name of names) {
    const value = definition[name]
    const fits =
      name === 'pattern' || name === 'format'
        ? typeof value === 'string'
        : name === 'uniqueItems'
          ? typeof value === 'boolean'
          : typeof value === 'number' && Number.isFinite(value)
    if (fits) into[name] = value
  }
}
