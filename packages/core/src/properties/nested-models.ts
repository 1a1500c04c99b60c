/** Rows of other models within a property: embedded relations, `{ type: 'Address' }`, lists and objects of such. */
import type { RowModel } from './row-model.js'
import type { CompiledProperty } from '../definition/stored-model.js'
import { holdsBase64 } from './bytes.js'
import type { ModelLookup } from './coerce.js'
import { invalidType } from './type-location.js'
import type { PropertyType } from './types.js'

/** Whether rows of a model stand in values of this type, at any depth. */
export const holdsModel = (type: PropertyType): boolean => modelsIn(type).length > 0

/** The names of the models whose rows stand in values of this type, at any depth of the type. */
export function modelsIn (type: PropertyType): readonly string[] {
  if (type.kind === 'model') return [type.model as string]
  const parts = [...type.items === undefined ? [] : [type.items], ...Object.values(type.members ?? {})]
  return parts.flatMap(modelsIn)
}

/**
 * A test whether only the models themselves can write rows within rows of these properties: they have something to hide
 * (hidden or protected properties, also of what they hold in turn; security.md, S-10), or bytes, which a store has in
 * another form within a row. Models may change until they are asked.
 */
export function writtenByModels (properties: readonly CompiledProperty[], lookup: ModelLookup): () => boolean {
  const names = properties.flatMap(({ type }) => modelsIn(type))
  const holdsBytes = properties.some(({ type }) => type.kind !== 'buffer' && holdsBase64(type))
  return () => holdsBytes || (names.length > 0 && mustWrite(names, lookup, new Set()))
}

function mustWrite (names: readonly string[], lookup: ModelLookup, seen: Set<string>): boolean {
  return names.some(name => {
    if (seen.has(name)) return false
    seen.add(name)
    const model: RowModel | undefined = lookup(name)
    return (
      model !== undefined &&
      (model.hidden.size > 0 ||
        model.protectedNames.size > 0 ||
        model.properties.some(({ type }) => holdsBase64(type)) ||
        mustWrite(
          model.properties.flatMap(({ type }) => modelsIn(type)),
          lookup,
          seen
        ))
    )
  })
}

/**
 * Files belong to rows that a store has by themselves: nobody would keep those of rows within rows.
 * @throws FBK_CORE_INVALID_DEFINITION
 */
export function refuseNestedFiles (
  model: { readonly name: string, readonly properties: readonly CompiledProperty[] },
  lookup: (name: string) => { readonly files: readonly string[] } | undefined
): void {
  for (const { name, type } of model.properties) {
    const nested = modelsIn(type).find(each => (lookup(each)?.files.length ?? 0) > 0)
    if (nested === undefined) continue
    throw invalidType(
      { model: model.name, property: name },
      `nests rows of "${nested}", which has files; relate to it (hasMany, belongsTo) instead`
    )
  }
}
