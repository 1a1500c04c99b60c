/**
 * Empty texts in definitions, which LoopBack's own tools write for what nobody answered: where a name is meant they say
 * nothing, as if they were absent. Otherwise a model would have routes that nobody can ask for.
 */

/** What models name. */
const ofModels = ['plural', 'base', 'super']
/** What relations name. */
const ofRelations = [
  'model', 'foreignKey', 'primaryKey', 'idName', 'through', 'keyThrough', 'property', 'as', 'polymorphic'
]

/**
 * The definition of a model without its empty texts; the same where it has none.
 *
 * ```js
 * modelWithoutEmpty({ name: 'Note', plural: '' }) // { name: 'Note' }
 * ```
 */
export const modelWithoutEmpty = <T extends object>(written: T): T => without(withPathOrNone(written), ofModels)

/**
 * The same for a relation.
 *
 * ```js
 * relationWithoutEmpty({ type: 'hasOne', model: 'Cover', foreignKey: '' }) // { type: 'hasOne', model: 'Cover' }
 * ```
 */
export function relationWithoutEmpty<T extends object> (written: T): T {
  const relation = without(written, ofRelations)
  const { options } = relation as { options?: unknown }
  return isObject(options) ? { ...relation, options: withPathOrNone(options) } : relation
}

/** `http.path`, of a model or of a relation's options. */
function withPathOrNone<T extends object> (written: T): T {
  const { http } = written as { http?: unknown }
  return isObject(http) && isEmpty(http.path) ? { ...written, http: without(http, ['path']) } : written
}

function without<T extends object> (written: T, keys: readonly string[]): T {
  const empty = keys.filter(key => isEmpty((written as Record<string, unknown>)[key]))
  if (empty.length === 0) return written
  return Object.fromEntries(Object.entries(written).filter(([key]) => !empty.includes(key))) as T
}

const isEmpty = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
