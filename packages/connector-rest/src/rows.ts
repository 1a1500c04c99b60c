import type { CompiledProperty, Row, StoredModel } from '@fastback/core'
import { isMeddling } from './template/convert.js'

/** A row of what a service answered: values as their properties' types, as far as they can be (SC-C4). */
export function rowOf (given: Readonly<Row>, model: StoredModel): Row {
  const row: Row = {}
  for (const key of Object.keys(given)) {
    if (isMeddling(key)) continue
    const property = model.propertyByName.get(key)
    row[key] = property === undefined ? given[key] : typed(given[key], property)
  }
  return row
}

function typed (value: unknown, { type: { kind } }: CompiledProperty): unknown {
  switch (kind) {
    case 'date': return dateOf(value)
    case 'string': return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    case 'number': case 'integer': return numberOf(value)
    default: return value
  }
}

function dateOf (value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : date
}

function numberOf (value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value
  const number = Number(value)
  return Number.isNaN(number) ? value : number
}

/** Whether something can be a row at all. */
export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
