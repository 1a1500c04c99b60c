/** The statements on rows of jobs. Each works on every store: who changes a row first by a condition has it. */
import { randomBytes } from 'node:crypto'
import type { ModelClass, OperationOptions, Row } from '@fastback/core'
import { countRows, createInstance, deleteRows, findOrCreate, findRows, updateRows } from '@fastback/core/remote'
import type { FailedJob, QueueCounts } from '../engine.js'

export interface JobRow {
  readonly id: string
  readonly queue: string
  readonly due: Date
  readonly attempts: number
  readonly lease: string
  readonly data: string
  readonly schedule: string | null | undefined
}

export interface NewRow {
  readonly id: string
  readonly queue: string
  readonly due: Date
  readonly slot: string
  readonly data: string
  readonly schedule?: string
}

/** Hooks of applications do not see these rows. */
const internal = { notify: false }

const within = (transaction: unknown): OperationOptions =>
  transaction === undefined ? internal : { ...internal, transaction }

const stored = (row: NewRow): Row => ({ ...row, state: 'waiting', lease: '', attempts: 0 })

export class JobRows {
  constructor (readonly Model: ModelClass) {}

  get #model (): ModelClass['compiled'] {
    return this.Model.compiled
  }

  async add (row: NewRow, transaction: unknown): Promise<void> {
    await createInstance(this.#model, stored(row), within(transaction))
  }

  /** @returns false where another job has the slot */
  async addOnce (row: NewRow, transaction: unknown): Promise<boolean> {
    const [, isNew] = await findOrCreate(
      this.#model, { where: { slot: row.slot } }, stored(row), within(transaction)
    )
    return isNew
  }

  /** Takes jobs that are due, the oldest first. */
  async take (queue: string, count: number, leaseEnd: Date): Promise<JobRow[]> {
    const where = { queue, state: 'waiting', due: { lte: new Date() } }
    const found = await this.#find({ where, order: ['due ASC', 'id ASC'], limit: count })
    const lease = randomBytes(18).toString('base64url')
    const taken: JobRow[] = []
    for (const [attempts, rows] of byAttempts(found)) {
      const ids = rows.map(({ id }) => id)
      const changes = { state: 'active', lease, attempts: attempts + 1, due: leaseEnd }
      const { count: changed } = await updateRows(
        this.#model, { id: { inq: ids }, state: 'waiting', attempts }, changes, internal
      )
      const mine = changed === rows.length
        ? rows
        : changed === 0 ? [] : await this.#find({ where: { id: { inq: ids }, lease }, order: 'id ASC' })
      taken.push(...mine.map(row => ({ ...row, lease, attempts: attempts + 1 })))
    }
    return taken
  }

  /** Others may take what processes have left that died. */
  async release (queues: readonly string[]): Promise<void> {
    await updateRows(
      this.#model,
      { queue: { inq: [...queues] }, state: 'active', due: { lte: new Date() } },
      { state: 'waiting', lease: '' },
      internal
    )
  }

  /** @returns false where the job is another process's by now */
  async change ({ id, lease }: JobRow, changes: Row): Promise<boolean> {
    const { count } = await updateRows(this.#model, { id, lease, state: 'active' }, changes, internal)
    return count === 1
  }

  async remove ({ id, lease }: JobRow): Promise<void> {
    await deleteRows(this.#model, { id, lease, state: 'active' }, internal)
  }

  async removeScheduled (queue: string, exceptId?: string): Promise<void> {
    const where = { queue, state: 'waiting', schedule: { neq: null } }
    await deleteRows(this.#model, exceptId === undefined ? where : { ...where, id: { neq: exceptId } }, internal)
  }

  async scheduled (queue: string): Promise<JobRow | undefined> {
    const where = { queue, state: 'waiting', schedule: { neq: null }, attempts: 0 }
    return (await this.#find({ where, order: 'due ASC', limit: 1 }))[0]
  }

  /** Removes jobs that ended so long ago that nobody is to read them. */
  async removeOld (): Promise<void> {
    await deleteRows(
      this.#model, { state: { inq: ['completed', 'failed'] }, due: { lte: new Date() } }, internal
    )
  }

  async counts (queue: string): Promise<QueueCounts> {
    const now = new Date()
    const of = async (where: Row): Promise<number> => await countRows(this.#model, { queue, ...where }, internal)
    const [waiting, delayed, active, completed, failed] = await Promise.all([
      of({ state: 'waiting', due: { lte: now } }),
      of({ state: 'waiting', due: { gt: now } }),
      of({ state: 'active' }),
      of({ state: 'completed' }),
      of({ state: 'failed' })
    ])
    return { waiting, delayed, active, completed, failed }
  }

  async failed (queue: string, limit: number): Promise<FailedJob[]> {
    const rows: Row[] = await findRows(
      this.#model, { where: { queue, state: 'failed' }, order: ['ended DESC', 'id DESC'], limit }, internal
    )
    return rows.map(row => ({
      id: String(row.id),
      data: JSON.parse(row.data as string) as unknown,
      attempts: Number(row.attempts),
      failedAt: new Date(row.ended as Date),
      reason: String(row.reason)
    }))
  }

  async retry (queue: string, id: string): Promise<boolean> {
    const changes = { state: 'waiting', lease: '', attempts: 0, due: new Date(), ended: null, reason: null }
    return (await updateRows(this.#model, { id, queue, state: 'failed' }, changes, internal)).count === 1
  }

  async discard (queue: string, id: string): Promise<boolean> {
    return (await deleteRows(this.#model, { id, queue, state: 'failed' }, internal)).count === 1
  }

  async #find (filter: object): Promise<JobRow[]> {
    return await findRows(this.#model, filter, internal) as Row[] as unknown as JobRow[]
  }
}

function byAttempts (rows: readonly JobRow[]): Map<number, JobRow[]> {
  const groups = new Map<number, JobRow[]>()
  for (const row of rows) {
    const group = groups.get(row.attempts)
    if (group === undefined) groups.set(row.attempts, [row])
    else group.push(row)
  }
  return groups
}
