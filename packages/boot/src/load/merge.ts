/** Merging of configuration files as LoopBack does it (behaviour.md, section 12). */

import { isRecord } from './is-record.js'

type Fail = (problem: string) => Error
type Items = Array<Record<string, unknown>>
/** Merges `over` into `base` and returns the result; `fail` makes the error of a problem. */
export type Merge = (
  base: Record<string, unknown>,
  over: Record<string, unknown>,
  fail: Fail
) => Record<string, unknown>

/**
 * Deep merge. Lists are merged item by item and must have the same length; values must be of one kind (list, object,
 * scalar), and null goes with everything.
 */
export const mergeConfig: Merge = (base, over, fail) => mergeObjects(base, over, '', fail)

/** Middleware: no phase and no entry may be added; entries of a list are matched by their `name`. */
export const mergeMiddleware: Merge = (base, over, fail) => {
  const result = { ...base }
  for (const [phase, entries] of Object.entries(over)) {
    if (!isRecord(base[phase]) || !isRecord(entries)) throw fail(`the phase "${phase}" is not defined in the main file`)
    result[phase] = mergePhase(phase, base[phase], entries, fail)
  }
  return result
}

function mergePhase (
  phase: string,
  base: Record<string, unknown>,
  over: Record<string, unknown>,
  fail: Fail
): Record<string, unknown> {
  const result = { ...base }
  for (const [name, entry] of Object.entries(over)) {
    if (!(name in base)) throw fail(`the middleware "${name}" of the phase "${phase}" is not defined in the main file`)
    const before = base[name]
    if (isRecord(before) && isRecord(entry)) result[name] = mergeObjects(before, entry, `${phase}.${name}`, fail)
    else result[name] = mergeNamed(listOf(before), listOf(entry), `${phase}.${name}`, fail)
  }
  return result
}

/** An object counts as a list of one, an empty object as an empty list. */
function listOf (entry: unknown): Items {
  if (Array.isArray(entry)) return entry as Items
  return isRecord(entry) && Object.keys(entry).length > 0 ? [entry] : []
}

function mergeNamed (base: Items, over: Items, key: string, fail: Fail): Items {
  const result = [...base]
  for (const item of over) {
    const at = item.name === undefined ? -1 : result.findIndex(each => each.name === item.name)
    if (at === -1) result.push(item)
    else result[at] = mergeObjects(result[at] as Record<string, unknown>, item, key, fail)
  }
  return result
}

function mergeObjects (
  base: Record<string, unknown>,
  over: Record<string, unknown>,
  path: string,
  fail: Fail
): Record<string, unknown> {
  const result = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const merged = mergeValues(base[key], value, path === '' ? key : `${path}.${key}`, fail)
    // Whatever its name: `__proto__` is a key like any other here.
    Object.defineProperty(result, key, { value: merged, enumerable: true, configurable: true, writable: true })
  }
  return result
}

function mergeValues (base: unknown, over: unknown, path: string, fail: Fail): unknown {
  if (base === null || base === undefined || over === null) return over
  if (Array.isArray(base)) {
    if (!Array.isArray(over)) throw fail(`cannot merge values of different types for "${path}"`)
    if (base.length !== over.length) throw fail(`cannot merge lists of different length for "${path}"`)
    return base.map((each, i) => mergeValues(each, over[i], `${path}[${i}]`, fail))
  }
  if (isRecord(base)) {
    if (!isRecord(over)) throw fail(`cannot merge values of different types for "${path}"`)
    return mergeObjects(base, over, path, fail)
  }
  if (typeof over === 'object') throw fail(`cannot merge values of different types for "${path}"`)
  return over
}
