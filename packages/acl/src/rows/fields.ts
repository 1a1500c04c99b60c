/** Which properties a rule is about: `["*", "-salary"]`. */
import type { ModelClass } from '@fastback/core'
import { nearest, relationsOf } from '@fastback/core/remote'
import { shown } from './template.js'

/** Whether a property is one of them. */
export type Fields = (property: string) => boolean

/**
 * Reads a list of properties: names, `*` for all, `-name` for all but that one. The id always belongs to them. What is
 * taken out by one name is taken out by every name: a relation with embedded rows and the property that these stand in;
 * of what may be set, a key of the row's own and the relation whose routes set it.
 *
 * ```js
 * readFields(Person, ['*', '-salary'], 'read').fields('salary') // false
 * ```
 * @returns the test, and what in the list cannot be meant: sentences
 */
export function readFields (
  Model: ModelClass, written: unknown, use: 'read' | 'write'
): { fields: Fields, faults: readonly string[] } {
  if (!Array.isArray(written) || written.some(each => typeof each !== 'string' || each === '' || each === '-')) {
    return { fields: name => isId(Model, name), faults: [`${shown(written)} is no list of properties.`] }
  }
  const list = written as string[]
  const without = new Set(list.filter(each => each.startsWith('-')).map(each => each.slice(1)))
  const named = new Set(list.filter(each => each !== '*' && !each.startsWith('-')))
  const takesAll = list.includes('*') || (named.size === 0 && without.size > 0)
  const known = [...Model.compiled.propertyByName.keys(), ...relationsOf(Model).keys()]
  const faults = [...without, ...named].filter(name => !known.includes(name)).map(name =>
    `"${name}" is no property or relation of "${Model.modelName}".${nearest(name, known)}`)
  const out = new Set([...without, ...otherNames(Model, without, use)])
  return {
    fields: name => isId(Model, name) || (!out.has(name) && (takesAll || named.has(name))),
    faults
  }
}

function otherNames (Model: ModelClass, names: ReadonlySet<string>, use: 'read' | 'write'): string[] {
  if (names.size === 0) return []
  return [...relationsOf(Model).values()].flatMap(relation => {
    const { name, embedded, holdsKey } = relation
    if (!embedded && (use === 'read' || !holdsKey)) return []
    const { joinKeys } = relation
    if (embedded) return names.has(name) || joinKeys.some(key => names.has(key)) ? [name, ...joinKeys] : []
    return joinKeys.some(key => names.has(key)) ? [name] : []
  })
}

const isId = ({ compiled }: ModelClass, name: string): boolean => compiled.key.some(each => each.name === name)
