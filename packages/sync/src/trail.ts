/**
 * Which properties of a row changed since a revision, for merges (SYD-22): a short hash of each property as it is, and
 * of those that each of the last writes replaced.
 */
import type { ModelClass, Row } from '@fastback/core'
import { canonicalJson } from './canonical-json.js'
import { hashOf } from './revision.js'
import { syncSettings } from './sync-settings.js'

type Hashes = Readonly<Record<string, string | null>>

export interface Trail {
  readonly now: Hashes
  /** A revision that the row had, and the hashes that the write after it replaced; the latest last. */
  readonly steps: ReadonlyArray<readonly [rev: string, replaced: Hashes]>
}

/** Writes that are remembered, and properties in them all together: who is further behind gets a conflict. */
const mostSteps = 50
const mostNames = 5_000

export const hasTrail = (Model: ModelClass): boolean =>
  Model.settings.trackChanges === true && syncSettings(Model).merge

const hashOfValue = (value: unknown): string => hashOf(canonicalJson(value)).slice(0, 16)

const hashesOf = (data: Readonly<Row>): Hashes =>
  // What a row does not say is null to a store with columns.
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null).map(([name, value]) =>
    [name, hashOfValue(value)]))

const differing = (one: Hashes, other: Hashes): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter(name => (one[name] ?? null) !== (other[name] ?? null))

/** The trail of a row that is now this, after the one that its change has. */
export function nextTrail (trail: Trail | null | undefined, was: string | null, data: Readonly<Row>): Trail {
  const now = hashesOf(data)
  // Of a row that is made, or made again, nobody holds an earlier revision that could be merged.
  if (trail == null || was === null) return { now, steps: [] }
  const replaced = Object.fromEntries(differing(trail.now, now).map(name => [name, trail.now[name] ?? null]))
  return { now, steps: lastOf([...trail.steps, [was, replaced] as const]) }
}

/** Rows of open models may have thousands of properties, which are stored with each step. */
function lastOf (steps: Trail['steps']): Trail['steps'] {
  let left = mostNames
  const first = steps.findLastIndex(([, replaced]) => (left -= Object.keys(replaced).length) < 0) + 1
  return steps.slice(Math.max(first, steps.length - mostSteps))
}

/** What changed since a revision. */
export interface SinceBase {
  /** Properties that the row has other values of by now. */
  readonly changed: ReadonlySet<string>
  /** Those of some values that are others than the row had at that revision. */
  differing (data: Readonly<Row>): string[]
}

/** Undefined where the trail does not reach back to that revision. */
export function sinceBase (trail: Trail | null | undefined, base: string): SinceBase | undefined {
  const from = trail?.steps.findLastIndex(([rev]) => rev === base) ?? -1
  if (trail == null || from < 0) return undefined
  const replaced = trail.steps.slice(from).map(([, hashes]) => hashes).reverse()
  const then = Object.assign({}, trail.now, ...replaced) as Hashes
  return {
    changed: new Set(differing(then, trail.now)),
    differing: data => {
      const given = hashesOf(data)
      return Object.keys(data).filter(name => (given[name] ?? null) !== (then[name] ?? null))
    }
  }
}
