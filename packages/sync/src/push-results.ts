/** What is told of the writes of a push: no more than a response may have; and to who comes again, rows as they are. */
import { isRemote, type OperationOptions } from '@fastback/core'
import { byClock, charactersOf } from '@fastback/core/connector'
import { presentRow } from './push-row.js'
import type { PushResult, Writer } from './push-writer.js'
import { asServerHas } from './sync-conflict.js'

/** A result as it is kept: rows are read again for who comes again. */
export interface StoredResult extends Omit<PushResult, 'data' | 'conflict'> {
  /** Whether the row was told with it. */
  readonly withData?: boolean
  readonly conflict?: { readonly rev: string | null }
}

export function storedResultOf ({ data, conflict, ...others }: PushResult): StoredResult {
  return {
    ...others,
    ...(data === undefined ? {} : { withData: true }),
    ...(conflict === undefined ? {} : { conflict: { rev: conflict.rev } })
  }
}

/**
 * What became of a write, with the row as it is by now: who asks again may have pulled it since, and would go back to
 * what it was.
 */
export async function asOfNow (writer: Writer, kept: StoredResult | PushResult): Promise<PushResult> {
  // Results that were kept by earlier versions have the row itself.
  const { withData, data, conflict, ...others } = kept as StoredResult & PushResult
  if (others.ok !== true && conflict === undefined) return others
  const present = await presentRow(writer, others.id)
  if (conflict !== undefined) return { ...others, conflict: asServerHas(present) }
  if (present === undefined) return { ...others, rev: null }
  const isOld = present.rev !== others.rev
  return isOld || withData === true || data !== undefined
    ? { ...others, rev: present.rev, data: present.data }
    : others
}

/**
 * What the results of one push may tell together (security.md, S-180): with some bytes a client names a row that has a
 * thousand times as many, and names it again.
 */
export class ResultsBudget {
  #left: number

  constructor ({ Model, options }: Writer) {
    this.#left = isRemote(options as OperationOptions) ? Model.registry.queryLimits.bytes : Infinity
  }

  get isFull (): boolean {
    return this.#left < 0
  }

  /** Counts a result. */
  take (result: PushResult): PushResult {
    this.#left -= charactersOf(result)
    return result
  }
}

/** Not written, or not told: clients push such a write again, with those that came to a result settled. */
export const refusedAsFull = (id: string | number): PushResult => ({
  id,
  error: { statusCode: 409, code: 'CONFLICT', message: 'The response to this push is full. Push the rest again.' }
})

/** The results of before, for who comes again. */
export async function allAsOfNow (writer: Writer, given: readonly StoredResult[]): Promise<PushResult[]> {
  const now: PushResult[] = []
  const pauses = byClock()
  const budget = new ResultsBudget(writer)
  for (const result of given) {
    if (pauses.isDue) await pauses.rest()
    now.push(budget.isFull ? refusedAsFull(result.id) : budget.take(await asOfNow(writer, result)))
  }
  return now
}
