/**
 * Ids of several properties. Inside the core such an id is one text, so that whatever takes an `Id` takes it; stores
 * never see it: the layer in `operations/whole-keys.ts` makes conditions of it.
 */
import type { CompiledProperty, StoredModel } from '../definition/stored-model.js'
import type { Condition } from './ast.js'
import type { Row } from '../properties/types.js'
import { coerceScalarId } from './scalar-id.js'

export const isCompound = ({ key }: Pick<StoredModel, 'key'>): boolean => key.length > 1

/**
 * The id of a row, or of its parts by name; undefined when a part is missing or cannot be what it should.
 *
 * ```js
 * compoundId(OrderLine.compiled, { orderId: 7, lineNo: 2, amount: 1 }) // '[7,2]'
 * ```
 */
export function compoundId ({ key }: StoredModel, row: Readonly<Row>): string | undefined {
  const parts: unknown[] = []
  for (const property of key) {
    const part = coercePart(property, row[property.name])
    if (part === undefined) return undefined
    parts.push(typeof part === 'bigint' ? String(part) : part)
  }
  return JSON.stringify(parts)
}

/** The parts by name of an id that `compoundId` made; undefined for any other value. */
export function partsOf ({ key }: StoredModel, id: unknown): Row | undefined {
  const parts = listOf(id)
  if (parts?.length !== key.length) return undefined
  const row: Row = {}
  for (let i = 0; i < key.length; i++) {
    const property = key[i] as CompiledProperty
    const part = coercePart(property, parts[i])
    if (part === undefined) return undefined
    row[property.name] = part
  }
  return row
}

/** The condition that the row with this id meets, and no other; one that no row meets where it is no id. */
export function compoundCondition (model: StoredModel, id: unknown): Condition {
  const parts = partsOf(model, id)
  if (parts === undefined) return { kind: 'or', conditions: [] }
  return {
    kind: 'and',
    conditions: model.key.map(({ name, type }) => ({
      kind: 'compare',
      path: { property: name, path: [], type, declared: true },
      op: 'eq',
      value: parts[name] as Part
    }))
  }
}

type Part = string | number | bigint | boolean | Date

function coercePart ({ type }: CompiledProperty, value: unknown): Part | undefined {
  switch (type.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'date': {
      const date = value instanceof Date ? value : typeof value === 'string' ? new Date(value) : undefined
      return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
    }
    default:
      return coerceScalarId(type, value)
  }
}

function listOf (id: unknown): unknown[] | undefined {
  if (typeof id !== 'string' || !id.startsWith('[')) return undefined
  try {
    const parts: unknown = JSON.parse(id)
    return Array.isArray(parts) ? parts : undefined
  } catch {
    return undefined
  }
}
