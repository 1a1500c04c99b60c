/** From samples of free-form data to models (discovery.md, IN-9). */
import { singularize } from 'inflection'
import { shapeOf, type Shape } from './shape.js'

/** A model, as it stands in a folder. */
export interface IntrospectedModel {
  readonly name: string
  readonly base: 'PersistedModel' | 'Model'
  readonly idInjection?: false
  readonly properties: Record<string, Record<string, unknown>>
  /** What may be wanted, and what was widened. */
  readonly notes?: readonly string[]
}

/** Texts of which all must have a format before it counts. */
const fewestTexts = 3
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** An enumeration is suggested where so many samples have so few texts. */
const suggestion = { samples: 10, values: 8 }

/**
 * The models of samples: the one that is named, and one for each object within it.
 *
 * ```js
 * modelsOfSamples('Order', [{ id: 1, lines: [{ sku: 'a' }] }, { id: 2, lines: [], note: 'x' }])
 * // Order { id, lines: ['OrderLine'], note }, OrderLine { sku }
 * ```
 * @param samples objects; what they lack is optional, what they disagree on is any
 * @throws FBK_UNSAFE_NAME, FBK_CORE_TOO_DEEP, FBK_CORE_INVALID_DEFINITION
 */
export function modelsOfSamples (name: string, samples: Iterable<unknown>): IntrospectedModel[] {
  const shape = shapeOf(samples)
  const models: IntrospectedModel[] = []
  addModel(name, shape, models, true)
  return models
}

function addModel (name: string, shape: Shape, models: IntrospectedModel[], isOuter: boolean): void {
  const notes: string[] = []
  const id = isOuter ? ['id', '_id'].find(key => shape.members.has(key)) : undefined
  const place = models.length
  const properties = Object.fromEntries([...shape.members].map(([key, member]) => {
    const isAlways = member.seen === shape.objects && member.nulls === 0 && member.blanks === 0
    const { type, ...more } = typeOf(member, key, name, models, notes)
    const facts = { ...(isAlways ? { required: true } : {}), ...(key === id ? { id: true, generated: false } : {}) }
    return [key, { type, ...facts, ...more }]
  }))
  models.splice(place, 0, {
    name,
    base: isOuter ? 'PersistedModel' : 'Model',
    ...(isOuter && id === undefined ? {} : { idInjection: false as const }),
    properties,
    ...(notes.length === 0 ? {} : { notes })
  })
}

function typeOf (
  shape: Shape, key: string, owner: string, models: IntrospectedModel[], notes: string[]
): Record<string, unknown> {
  const { booleans, numbers, dates, texts, objects, lists } = shape
  const kinds = [booleans, numbers, dates, texts, objects, lists].filter(count => count > 0)
  if (kinds.length === 0) return { type: 'any' }
  if (kinds.length > 1) {
    notes.push(`${key}: the samples have values of several types, so that any is taken`)
    return { type: 'any' }
  }
  if (shape.booleans > 0) return { type: 'boolean' }
  if (shape.dates > 0) return { type: 'date' }
  if (shape.numbers > 0) return { type: shape.whole ? 'integer' : 'number' }
  if (shape.texts > 0) return textType(shape, key, notes)
  if (shape.lists > 0) {
    if (shape.items === undefined) return { type: 'array' }
    const { type } = typeOf(shape.items, singularize(key), owner, models, notes)
    return { type: Array.isArray(type) ? 'array' : [type] }
  }
  if (shape.members.size === 0) return { type: 'object' }
  const name = freeName(owner + key.split(/[^\p{L}\p{N}]+/u).map(capital).join(''), models)
  addModel(name, shape, models, false)
  return { type: name }
}

function textType (shape: Shape, key: string, notes: string[]): Record<string, unknown> {
  const [format] = shape.texts >= fewestTexts ? shape.formats : []
  if (format === 'date-time' || format === 'date') return { type: 'date' }
  const { distinct } = shape
  const isFew = format === undefined && distinct !== undefined && distinct.size <= suggestion.values
  if (isFew && shape.texts >= suggestion.samples) {
    notes.push(`${key}: has few values; perhaps "enum": ${JSON.stringify([...distinct])}`)
  }
  return { type: 'string', ...(format === undefined ? {} : { format }) }
}

function freeName (name: string, models: readonly IntrospectedModel[]): string {
  let free = name
  for (let number = 2; models.some(model => model.name === free); number++) free = `${name}${number}`
  return free
}
