/** Where a condition looks in documents, and how much is known of what stands there. */
import type { PropertyPath, PropertyType } from '@fastback/core'
import { isFieldName, type EncodeRule } from '../documents/encode.js'
import type { DocumentMap, Field } from '../documents/document-map.js'

/**
 * `scalar`: one value of a known type. `list`: a list of them. `free`: anything, at the top of a document. `walk`: a
 * path that may lead through lists, or through nobody knows what: MongoDB walks otherwise than the reference.
 */
export type ShapeKind = 'scalar' | 'list' | 'free' | 'walk'

export interface Shape {
  readonly kind: ShapeKind
  /** Path in documents, with dots; undefined where no document can have anything. */
  readonly name: string | undefined
  /** Names of the prefixes of `name` that may be lists, for `walk`. */
  readonly prefixes: readonly string[]
  readonly type: PropertyType
  readonly rule: EncodeRule
}

const scalarKinds: ReadonlySet<string> =
  new Set(['string', 'number', 'integer', 'long', 'bigint', 'decimal', 'boolean', 'date', 'buffer', 'geopoint'])
const plainRule: EncodeRule = { objectIds: 'never', decimal: false, keys: false, geoJson: false }

export function shapeOf (map: DocumentMap, path: PropertyPath): Shape {
  const field = map.field(path.property)
  const root = field?.name ?? path.property
  const known = field !== undefined || (map.isUndeclared(root) && isFieldName(root))
  const rule = path.path.length === 0 && field !== undefined ? field.rule : plainRule
  const parts = partsOf(path, field)
  const isNameable = known && parts.every(part => isFieldName(part))
  return {
    kind: path.path.length === 0
      ? kindOf(field?.property.type)
      : isDeclaredWalk(path, field) ? kindOf(path.type) : 'walk',
    name: isNameable ? [root, ...parts].join('.') : undefined,
    prefixes: isNameable ? [root, ...parts].map((_, i, all) => all.slice(0, i + 1).join('.')) : [],
    type: path.type,
    rule
  }
}

/** Coordinates of points stand in a list where they are GeoJSON. */
function partsOf ({ path }: PropertyPath, field: Field | undefined): readonly string[] {
  if (field?.rule.geoJson !== true || path.length !== 1) return path
  return ['coordinates', path[0] === 'lat' ? '1' : '0']
}

function kindOf (type: PropertyType | undefined): ShapeKind {
  if (type === undefined) return 'free'
  if (scalarKinds.has(type.kind)) return 'scalar'
  return type.kind === 'array' && type.items !== undefined && scalarKinds.has(type.items.kind) ? 'list' : 'free'
}

/** Whether every step leads into a declared member of an object, so that there are no lists on the way. */
function isDeclaredWalk ({ path }: PropertyPath, field: Field | undefined): boolean {
  let type = field?.property.type
  for (const part of path) {
    if (type?.kind === 'geopoint') return field?.rule.geoJson !== true
    const members = type?.kind === 'object' ? type.members : undefined
    if (members === undefined || !Object.hasOwn(members, part)) return false
    type = members[part]
  }
  return true
}
