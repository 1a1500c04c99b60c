/** Writes that expect to find a row with a revision, and are a conflict otherwise. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ModelClass } from '@fastback/core'

/** A row was not as its writer expected it: the write is a conflict. */
export class RevisionMismatch extends Error {
  constructor () {
    super('The row has another revision than the write expects.')
  }
}

/** What the write of a row expects to find: the row with this revision. */
export interface Expected {
  readonly Model: ModelClass
  readonly id: unknown
  readonly rev: string | null
}

/** One application's writes never see another's. */
const expected = new AsyncLocalStorage<Expected>()

/** The expectation of the write that is being done. */
export const expectation = (): Expected | undefined => expected.getStore()

/**
 * Does a write of a row that is to have a revision. Where the store locks no rows, such writes of one row come one
 * after the other, as far as this process goes.
 * @throws RevisionMismatch
 */
export async function expecting<T> (wanted: Expected, work: () => Promise<T>): Promise<T> {
  const { Model: { compiled, dataSource, modelName }, id } = wanted
  const write = async (): Promise<T> => await expected.run(wanted, work)
  if (dataSource === null || compiled.connector.holdsLocks === true) return await write()
  return await dataSource.edits.run(`sync ${modelName} ${String(id)}`, write)
}
