/** The type of a property as a constructor, which is how LoopBack's code reads definitions. */
import { Kind } from '@sinclair/typebox'
import type { ClassSource } from '../interfaces/data-source.js'
import { constructors } from '../properties/constructors.js'
import { resolveType } from '../properties/resolve-type.js'
import { typeAlone } from '../properties/type-location.js'
import type { PropertyType } from '../properties/types.js'

/** A constructor, a list of one, or the name of a model that is not there yet. */
export type ConstructorType = Function | readonly [ConstructorType] | string | undefined

/**
 * The constructor of a type as it is written.
 *
 * ```js
 * constructorOf(['string'], source) // [String]
 * ```
 */
export function constructorOf (type: unknown, source: ClassSource): ConstructorType {
  if (typeof type === 'function') return type
  if (typeof type === 'string') return ofName(type.trim(), source)
  if (Array.isArray(type)) return type.length === 0 ? Array : [constructorOf(type[0], source)]
  if (type === null || typeof type !== 'object') return undefined
  if (Kind in type && type[Kind] === 'Object') return source.anonymous(type)
  if (Kind in type) return ofResolved(resolveType(type, { model: '', property: '', ...typeAlone }), source)
  if ('type' in type && type.type !== undefined) return constructorOf(type.type, source)
  return Object.keys(type).length === 0 ? Object : source.anonymous(type)
}

function ofName (name: string, source: ClassSource): ConstructorType {
  const list = /^\[(.+)\]$/.exec(name)
  if (list !== null) return [ofName(list[1] as string, source)]
  return constructors[name.toLowerCase()] ?? source.findModel(name) ?? name
}

function ofResolved ({ kind, items, model, members }: PropertyType, source: ClassSource): ConstructorType {
  if (items !== undefined) return [ofResolved(items, source)]
  if (model !== undefined) return ofName(model, source)
  return members === undefined ? ofName(kind, source) : Object
}
