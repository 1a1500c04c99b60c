/** Filters, by mingo: an implementation of MongoDB's query language that is not ours. What it lacks is added here. */
import { Query } from 'mingo'
import { Context } from 'mingo/core'
import type { Document } from 'mongodb'
import { valuesAt } from './bson-order.js'

type Loose = any

const typeNames: ReadonlyArray<readonly [name: string, test: (value: Loose) => boolean]> = [
  ['string', value => typeof value === 'string'],
  ['number', value => typeof value === 'number' || ['Long', 'Int32', 'Double', 'Decimal128'].includes(value?._bsontype)],
  ['bool', value => typeof value === 'boolean'],
  ['date', value => value instanceof Date],
  ['null', value => value === null],
  ['objectId', value => value?._bsontype === 'ObjectId'],
  ['binData', value => value?._bsontype === 'Binary'],
  ['array', value => Array.isArray(value)],
  ['object', value =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date) && value._bsontype === undefined]
]

function hasType (value: unknown, wanted: unknown): boolean {
  const names = [wanted].flat()
  return typeNames.some(([name, test]) => test(value) && names.includes(name))
}

/** `$type`, of the values and of the elements of lists: mingo does not know the driver's classes. */
const $bsonType = (selector: string, wanted: unknown) => (document: Document): boolean =>
  valuesAt(document, selector.split('.'))
    .some(value => hasType(value, wanted) || (Array.isArray(value) && value.some(element => hasType(element, wanted))))

/** Points within a circle, as far as the tests need it. */
const $geoWithin = (selector: string, { $centerSphere }: Loose) => (document: Document): boolean => {
  const [[lng, lat], radius] = $centerSphere
  return valuesAt(document, selector.split('.')).some((point: Loose) => {
    if (point?.type !== 'Point') return false
    const [x, y] = point.coordinates.map((degrees: number) => degrees * Math.PI / 180)
    const [a, b] = [lng, lat].map((degrees: number) => degrees * Math.PI / 180) as [number, number]
    return Math.acos(Math.min(1, Math.sin(y) * Math.sin(b) + Math.cos(y) * Math.cos(b) * Math.cos(x - a))) <= radius
  })
}

const context = Context.init({ query: { $bsonType, $geoWithin } as Loose })

/** Patterns are of Unicode characters, as MongoDB's are. */
function prepared (filter: unknown): unknown {
  if (Array.isArray(filter)) return filter.map(prepared)
  if (filter === null || typeof filter !== 'object' || Object.getPrototypeOf(filter) !== Object.prototype) return filter
  const { $regex, $options = '' } = filter as Loose
  if (typeof $regex === 'string') return { $regex: new RegExp($regex, `${String($options)}u`) }
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [key === '$type' ? '$bsonType' : key, key === '$eq' ? value : prepared(value)]))
}

/** @throws Error for a filter that MongoDB refuses as well */
export function matcher (filter: Document): (document: Document) => boolean {
  checkLists(filter)
  const query = new Query(prepared(filter) as Loose, { context })
  return document => query.test(document)
}

function checkLists (filter: Document): void {
  for (const key of ['$and', '$or', '$nor']) {
    if (filter[key] === undefined) continue
    if (!Array.isArray(filter[key]) || filter[key].length === 0) throw new Error(`${key} must be a nonempty array`)
    for (const inner of filter[key] as Document[]) checkLists(inner)
  }
}
