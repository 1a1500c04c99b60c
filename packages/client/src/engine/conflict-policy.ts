/** Whose row stays where the server reports a conflict, and nobody is asked. */
import { deepEqual } from '@fastback/core/query'
import type { Id } from '../store.js'
import type { Remote, Row } from './records.js'

/** A decision: this client's row, the server's, another one, or (null) that the row be gone. */
export type Resolution<R = Row> = 'local' | 'remote' | R | null

/** Both sides of a row, and what it was before they parted; null: gone. */
export interface ConflictSides<R = Row> {
  readonly model: string
  readonly id: Id
  readonly local: R | null
  readonly remote: R | null
  readonly base: R | null
}

/**
 * - `client`: this client's write goes over the server's
 * - `server`: the server's row stays
 * - `fields`: what only one side changed is put together; properties that both changed are asked about
 * - `manual`: ask, with this client's side shown until then
 * - a function decides for itself; undefined: ask
 */
export type ConflictPolicy<R = Row> =
  'client' | 'server' | 'fields' | 'manual' | ((sides: ConflictSides<R>) => Resolution<R> | undefined)

/** Undefined: somebody has to be asked. */
export function decide (policy: ConflictPolicy, sides: ConflictSides): Resolution | undefined {
  if (typeof policy === 'function') return policy(sides)
  switch (policy) {
    case 'client': return 'local'
    case 'server': return 'remote'
    case 'fields': return merged(sides)
    case 'manual': return undefined
  }
}

/**
 * The server's row with what this client changed.
 * @param mayOverlap whether properties that both changed are this client's; else there is no such row
 */
export function merged ({ local, remote, base }: Pick<ConflictSides, 'local' | 'remote' | 'base'>, mayOverlap = false): Row | undefined {
  if (local === null || remote === null || base === null) return undefined
  const result = { ...remote }
  for (const name of new Set([...Object.keys(local), ...Object.keys(base)])) {
    if (same(local[name], base[name])) continue
    const isTheirs = !same(remote[name], base[name]) && !same(remote[name], local[name])
    if (isTheirs && !mayOverlap) return undefined
    // What is not said is null to the server.
    result[name] = local[name] ?? null
  }
  return result
}

/** To stores with columns, null is what is not said. */
const same = (a: unknown, b: unknown): boolean => deepEqual(a ?? null, b ?? null)

/** What a resolution makes of the row. */
export function resolved (
  resolution: Resolution, local: Row | null, remote: Remote
): { data: Row | null, isRemote: boolean } {
  if (resolution === 'remote') return { data: remote.data, isRemote: true }
  return { data: resolution === 'local' ? local : resolution as Row | null, isRemote: false }
}
