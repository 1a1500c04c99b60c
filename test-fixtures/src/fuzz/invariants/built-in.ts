/**
 * Which methods are the product's, and what they may do to rows. All others are the application's own: what they answer
 * and change is theirs to say.
 */
import type { Operation } from '../routes.js'

/** To the rows of their own model: nothing, one row, new rows only, as many as the response counts. */
export const effects: Readonly<Record<string, 'none' | 'one' | 'new' | 'counted'>> = {
  find: 'none',
  findById: 'none',
  findOne: 'none',
  exists: 'none',
  count: 'none',
  createChangeStream: 'none',
  create: 'new',
  patchOrCreate: 'one',
  replaceOrCreate: 'one',
  upsertWithWhere: 'one',
  replaceById: 'one',
  'prototype.patchAttributes': 'one',
  deleteById: 'one',
  updateAll: 'counted',
  login: 'none',
  logout: 'none',
  confirm: 'one',
  resetPassword: 'none',
  changePassword: 'one',
  setPassword: 'one',
  'prototype.verify': 'one'
}

/** Of `prototype.__get__orders`, or of a scope's `__get__cheap`: `get` and `orders`. */
export function relationMethod ({ method }: Operation): readonly [what: string, name: string] | undefined {
  const found = /^(?:prototype\.)?__([a-zA-Z]+?)__(\w+)$/.exec(method)
  return found === null ? undefined : [found[1] as string, found[2] as string]
}

export const isBuiltIn = (operation: Operation): boolean =>
  Object.hasOwn(effects, operation.method) || relationMethod(operation) !== undefined
