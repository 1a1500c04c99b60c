/** Related rows that an instance has at hand: what include loaded, and what its accessors loaded or were given. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { isInstance } from '../instances/instance.js'
import { dropIncluded, includedOf, RelatedCount, setIncluded } from '../instances/included.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { Row } from '../properties/types.js'
import { toInstance } from './instances.js'

/** Beside the included ones, which are part of an instance's JSON form. */
const LOADED = Symbol('fastback.loaded')

type Loaded = Record<string, ModelInstance | ModelInstance[] | undefined>

/**
 * What was included or loaded under a relation's name, as instances: null where include found nothing, undefined where
 * nobody has asked.
 */
export function recall (
  owner: ModelInstance,
  name: string,
  model: CompiledModel | undefined
): ModelInstance | ModelInstance[] | null | undefined {
  const all = includedOf(owner)
  const included = all?.[name]
  // Of rows that were counted none is at hand.
  if (included instanceof RelatedCount) return loadedOf(owner)?.[name]
  if (included === undefined || included === null) {
    return loadedOf(owner)?.[name] ?? (all !== undefined && name in all ? null : undefined)
  }
  if (model === undefined || [included].flat().every(isInstance)) return included as ModelInstance | ModelInstance[]
  const instances = Array.isArray(included) ? included.map(row => toInstance(model, row)) : toInstance(model, included)
  setIncluded(owner, name, instances as Row | Row[])
  return instances
}

/** Names of the relations that were included or loaded. */
export const recallable = (owner: ModelInstance): string[] =>
  [...new Set([includedOf(owner), loadedOf(owner)].flatMap(each => Object.keys(each ?? {})))]

/** Keeps what was loaded, for accessors called without arguments. */
export function remember (
  owner: ModelInstance, name: string, value: ModelInstance | ModelInstance[] | undefined
): void {
  let loaded = loadedOf(owner)
  if (loaded === undefined) {
    loaded = Object.create(null) as Loaded
    Object.defineProperty(owner, LOADED, { value: loaded, enumerable: false, configurable: true })
  }
  loaded[name] = value
}

/** Forgets what was loaded, after a change. */
export function forget (owner: ModelInstance, name: string): void {
  dropIncluded(owner, name)
  const loaded = loadedOf(owner)
  if (loaded !== undefined) loaded[name] = undefined
}

const loadedOf = (owner: ModelInstance): Loaded | undefined => (owner as { [LOADED]?: Loaded })[LOADED]
