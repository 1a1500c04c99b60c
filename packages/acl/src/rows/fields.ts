/** Which properties a rule is about: `["*", "-salary"]`. */
import type { ModelClass } from '@fastback/core'
import { nearest, relationsOf } from '@fastback/core/remote'
import { shown } from './template.js'

/** Whether a property is one of them. */
export type Fields = (property: string) => boolean

/**
 * Reads a list of properties: names, `*` for all, `-name` for all but that one. The id always belongs to them.
 *
 * ```js
 * readFields(Person, ['*', '-salary']).fields('salary') // false
 * ```
 * @returns the test, and what in the list cannot be meant: sentences
 */
export function readFields (Model: ModelClass, written: unknown): { fields: Fields, faults: readonly string[] } {
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
  return {
    fields: name => isId(Model, name) || (!without.has(name) && (takesAll || named.has(name))),
    faults
  }
}

const isId = ({ compiled }: ModelClass, name: string): boolean => compiled.key.some(each => each.name === name)
