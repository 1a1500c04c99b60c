/**
 * Rows of relations within the data of a row (`{ "name": "x", "books": [{…}] }`). Nothing stores them: they are
 * refused, or, in applications that say `nestedWrites: "ignore"`, left out, which is said once.
 */
import { RequestError } from '../errors.js'
import { isMarked } from '../instances/marks.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Row } from '../properties/types.js'

/**
 * Refuses data with rows of relations. A related row of a belongsTo relation stands for its key, as in LoopBack; what
 * stands on an instance is what an include has put there.
 *
 * ```js
 * refuseRelatedRows(Author.compiled, { name: 'Ann', books: [{ title: 'x' }] }) // throws
 * ```
 * @param prefix of the row in a list: `[1]`
 * @param nests whether rows of relations with `nestedWrite` may come: they are written with the row
 * @throws RequestError 400 RELATED_ROWS_IN_DATA
 */
export function refuseRelatedRows (model: CompiledModel, data: Readonly<Row>, prefix = '', nests = false): void {
  if (model.relations.size === 0) return
  for (const name of Object.keys(data)) {
    const value = data[name]
    if (value === undefined || value === null || typeof value === 'function') continue
    const relation = model.propertyByName.has(name) ? undefined : model.relations.get(name)
    if (relation === undefined || standsForKey(relation, value)) continue
    if (nests && relation.nestedWrite !== false) continue
    const { embedded, definition: { property } } = relation
    const what = embedded && property !== undefined
      ? `its rows stand in the property "${property}"`
      : 'its rows are written by themselves, or by the routes of the relation'
    const message = `"${prefix}${name}" is a relation of "${model.name}": ${what}`
    if (model.refusesRelatedRows) {
      throw new RequestError(400, `${message}.`, { code: 'RELATED_ROWS_IN_DATA', details: { relation: name } })
    }
    model.tellIgnored(`Data of ${model.name} have "${name}", which is a relation; it is left out: ${what}`)
  }
}

type Related = CompiledModel['relations'] extends ReadonlyMap<string, infer Each> ? Each : never

function standsForKey ({ type, definition }: Related, value: unknown): boolean {
  if (type !== 'belongsTo' || typeof value !== 'object' || value === null) return false
  const key = definition.primaryKey ?? 'id'
  return definition.polymorphic !== undefined || Object.hasOwn(value, key) || key in value || isMarked(value)
}
