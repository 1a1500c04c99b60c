/** `near` with `maxDistance`, `minDistance` and `unit`. */
import { invalid, toGeoPoint } from '../properties/convert.js'
import type { Condition, PropertyPath } from './ast.js'
import { metresPer } from './geo.js'
import { badClause, type ParseContext } from './parse-context.js'
import { nameOf } from './parse-value.js'

export function readNear (
  _context: ParseContext,
  path: PropertyPath,
  operand: unknown,
  clause: Readonly<Record<string, unknown>>
): Condition {
  const { kind } = path.type
  if (kind !== 'geopoint' && kind !== 'any' && kind !== 'object') {
    throw badClause(nameOf(path), clause, `near needs a geopoint, and the property is a ${kind}`)
  }
  const point = toGeoPoint(operand)
  if (point === invalid) throw badClause(nameOf(path), clause, 'near expects { lat, lng } or "lat,lng"')
  const factor = unitOf(path, clause)
  const maxDistance = distance(path, clause, 'maxDistance')
  const minDistance = distance(path, clause, 'minDistance')
  return {
    kind: 'near',
    path,
    lat: point.lat,
    lng: point.lng,
    ...(maxDistance === undefined ? {} : { maxDistance: maxDistance * factor }),
    ...(minDistance === undefined ? {} : { minDistance: minDistance * factor })
  }
}

/** Metres of one unit; miles where nothing is said (behaviour.md, section 2). */
function unitOf (path: PropertyPath, clause: Readonly<Record<string, unknown>>): number {
  const { unit = 'miles' } = clause
  const metres = typeof unit === 'string' ? metresPer.get(unit) : undefined
  if (metres === undefined) {
    throw badClause(nameOf(path), clause, `unit must be one of ${[...metresPer.keys()].join(', ')}`)
  }
  return metres
}

function distance (path: PropertyPath, clause: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const given = clause[name]
  if (given === undefined || given === null) return undefined
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) {
    throw badClause(nameOf(path), clause, `${name} must be a number`)
  }
  return number
}
