/** When a key is published, signs and is taken away (OI-36): what is due, without doing it. */
import type { KeyRow } from './key-rows.js'
import type { KeySettings } from './options.js'

/** One step for the keys of an algorithm. */
export type RotationStep =
  | { readonly kind: 'create', readonly generation: number, readonly state: 'next' | 'current' }
  | { readonly kind: 'promote', readonly key: KeyRow }
  | { readonly kind: 'retire', readonly key: KeyRow }
  | { readonly kind: 'remove', readonly key: KeyRow }

export interface RotationTimes extends Pick<KeySettings, 'rotateEvery' | 'publishBefore' | 'keepAfter'> {
  /** Seconds that the longest token lives that a key signs. */
  readonly longestToken: number
}

/** The key that signs: the newest, while another process has not retired the one before. */
export const signingKeyOf = (rows: readonly KeyRow[]): KeyRow | undefined =>
  rows.find(({ state }) => state === 'current')

/** The number of the next key. */
export const nextGeneration = (rows: readonly KeyRow[]): number =>
  rows.reduce((highest, { generation }) => Math.max(highest, generation), 0) + 1

/**
 * The steps that are due now, in their order. A new key signs when it has been published for `publishBefore` seconds,
 * however late somebody looked.
 *
 * ```js
 * dueSteps([], times, Date.now()) // [{ kind: 'create', generation: 1, state: 'current' }]
 * ```
 * @param rows the keys of one algorithm, the newest first
 * @param now milliseconds
 */
export function dueSteps (rows: readonly KeyRow[], times: RotationTimes, now: number): readonly RotationStep[] {
  const current = signingKeyOf(rows)
  const next = rows.find(({ state }) => state === 'next')
  const isPast = (since: Date, seconds: number): boolean => since.getTime() + seconds * 1000 <= now
  const steps: RotationStep[] = []
  if (current === undefined) {
    steps.push(next === undefined
      ? { kind: 'create', generation: nextGeneration(rows), state: 'current' }
      : { kind: 'promote', key: next })
  } else if (next === undefined) {
    const from = current.currentFrom ?? current.createdAt
    if (isPast(from, Math.max(0, times.rotateEvery - times.publishBefore))) {
      steps.push({ kind: 'create', generation: nextGeneration(rows), state: 'next' })
    }
  } else if (isPast(next.createdAt, times.publishBefore) && next.generation > current.generation) {
    steps.push({ kind: 'promote', key: next }, { kind: 'retire', key: current })
  }
  for (const key of rows) {
    if (key.state === 'current' && key !== current) steps.push({ kind: 'retire', key })
    if (key.state === 'past' && isPast(key.pastFrom ?? key.createdAt, times.longestToken + times.keepAfter)) {
      steps.push({ kind: 'remove', key })
    }
  }
  return steps
}
