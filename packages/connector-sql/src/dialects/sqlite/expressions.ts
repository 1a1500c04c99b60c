/**
 * What SQLite's SQL cannot say exactly as the reference does, JavaScript computes while SQLite looks for rows: tests,
 * sort keys, distances. The functions are bound like values (`connection.ts`), so that one statement serves them all.
 */
import type { Comparison, PropertyPath, Row } from '@fastback/core'
import {
  compileCondition, compileValueAt, decimalKey, decimalText, distanceBetween, holdsDecimals, isPoint
} from '@fastback/core/connector'
import type { Expression } from '../../query/expression.js'
import { plainValues } from '../../query/plain-values.js'
import { decodeExtra } from '../../tables/extra.js'
import type { Column } from '../../tables/column.js'
import type { Callback } from './functions.js'

const called: Expression = {
  code: 'c',
  sql: (column, table, placeholders) =>
    `fastback_call(${column === undefined ? table.extra : column.format.read(column.quoted)}, ${placeholders.next()})`
}

/** A comparison that the reference itself decides. */
export function comparisonExpression (
  comparison: Comparison,
  column: Column | undefined,
  values: unknown[]
): Expression {
  values.push(rowTest(comparison, column))
  return called
}

/**
 * A key that sorts (as bytes, NULL first) as the reference orders values: booleans, numbers, text by code units,
 * structures.
 */
export function orderExpression (path: PropertyPath, column: Column | undefined, values: unknown[]): Expression {
  const rowOf = rowReader(path, column)
  const valueAt = compileValueAt(path)
  const keyOf = holdsDecimals(path.type) ? decimalSortKey : sortKey
  const callback: Callback = raw => keyOf(valueAt(rowOf(raw)))
  values.push(callback)
  return called
}

/** Distance in metres; rows without a point come last. */
export function distanceExpression (
  near: Comparison & { kind: 'near' },
  column: Column | undefined,
  values: unknown[]
): Expression {
  const rowOf = rowReader(near.path, column)
  const valueAt = compileValueAt(near.path)
  const callback: Callback = raw => {
    const point = valueAt(rowOf(raw))
    return isPoint(point) ? distanceBetween(near, point) : Infinity
  }
  values.push(callback)
  return called
}

function rowTest (comparison: Comparison, column: Column | undefined): Callback {
  const passes = compileCondition(plainValues(comparison, column))
  const rowOf = rowReader(comparison.path, column)
  return raw => passes(rowOf(raw)) ? 1 : 0
}

/** A row that has just the one property. The same object each time: a test keeps nothing of it. */
function rowReader ({ property }: PropertyPath, column: Column | undefined): (raw: unknown) => Row {
  const row = Object.create(null) as Row
  return raw => {
    if (column !== undefined) row[property] = raw === null ? undefined : column.format.plain(raw)
    else {
      const extra = raw === null ? undefined : decodeExtra(raw)
      row[property] = extra !== undefined && Object.hasOwn(extra, property) ? extra[property] : undefined
    }
    return row
  }
}

function sortKey (value: unknown): Buffer | null {
  switch (typeof value) {
    case 'boolean':
      return Buffer.from([1, Number(value)])
    case 'number':
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? largeKey(BigInt(value)) : numberKey(value)
    case 'bigint':
      return largeKey(value)
    case 'string':
      return Buffer.concat([Buffer.from([3]), Buffer.from(value, 'utf16le').swap16()])
    case 'object':
      return value === null
        ? null
        : value instanceof Uint8Array
          ? Buffer.concat([Buffer.from([5]), value])
          : Buffer.from([6])
    default:
      return null
  }
}

/** Texts that are no decimals come behind those that are. */
function decimalSortKey (value: unknown): Buffer | null {
  if (typeof value !== 'string') return sortKey(value)
  const text = decimalText(value)
  return typeof text === 'string'
    ? Buffer.from(`\u0003${decimalKey(text)}`)
    : Buffer.concat([Buffer.from([4]), Buffer.from(value, 'utf16le').swap16()])
}

/** The nearest double, and how far it is away. */
function largeKey (value: bigint): Buffer {
  const near = Number(value)
  const distance = Buffer.alloc(8)
  if (Number.isFinite(near)) distance.writeBigInt64BE(BigInt.asIntN(64, value - BigInt(near)))
  distance[0] = (distance[0] as number) ^ 0x80
  return Buffer.concat([numberKey(near), distance])
}

/** IEEE 754 sorts as bytes once the sign is turned around; negative numbers with all bits. */
function numberKey (value: number): Buffer {
  const key = Buffer.alloc(9)
  key[0] = 2
  key.writeDoubleBE(value === 0 ? 0 : value, 1)
  const flip = (key[1] as number) & 0x80 ? 0xff : 0
  key[1] = (key[1] as number) ^ (flip | 0x80)
  for (let i = 2; i < 9; i++) key[i] = (key[i] as number) ^ flip
  return key
}
