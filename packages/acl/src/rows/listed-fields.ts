/** Lists of properties as rules have them, from tests of single names. */
import type { ModelClass } from '@fastback/core'
import { relationsOf } from '@fastback/core/remote'
import type { Fields } from './fields.js'

/**
 * The properties and relations that may be read, written as in rules. `*` stands for all that are not hidden.
 *
 * ```js
 * readableFields(Person, name => name !== 'salary') // ['*', '-salary']
 * ```
 */
export const readableFields = (Model: ModelClass, reads: Fields | undefined): string[] =>
  listed(namesOf(Model).filter(name => !Model.compiled.hidden.has(name)), reads)

/**
 * The same for those that may be set. The id counts as one: whether clients choose ids is said by `forceId`.
 *
 * ```js
 * writableFields(Person, undefined) // ['*']
 * ```
 */
export const writableFields = (Model: ModelClass, writes: Fields | undefined): string[] =>
  listed(namesOf(Model), writes)

const namesOf = (Model: ModelClass): string[] =>
  [...new Set([...Model.compiled.propertyByName.keys(), ...relationsOf(Model).keys()])]

function listed (names: readonly string[], test: Fields | undefined): string[] {
  const left = test === undefined ? names : names.filter(test)
  const without = names.filter(name => !left.includes(name))
  return without.length < left.length || without.length === 0 ? ['*', ...without.map(name => `-${name}`)] : [...left]
}
