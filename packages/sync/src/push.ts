/** The writes of a client (SYD-22): each by itself, or all or none; sent again, they are answered again. */
import { RequestError, ValidationError, type ModelClass, type OperationOptions, type Row } from '@fastback/core'
import { byClock, sha256 } from '@fastback/core/connector'
import { maxViolations, storedAsOne, userKeyOf, type TokenOfUser } from '@fastback/core/remote'
import { ChangeLog } from './change-log.js'
import { keyReused, malformed, notAtomic, pushTooLarge } from './errors.js'
import { RevisionMismatch } from './expected-revision.js'
import { allAsOfNow, asOfNow, storedResultOf, refusedAsFull, ResultsBudget, type StoredResult } from './push-results.js'
import { checkedPush, type PushedChange, type PushRequest } from './push-request.js'
import { presentRow, pushRow } from './push-row.js'
import type { PushResult, Writer } from './push-writer.js'
import { SyncRecords } from './records.js'
import { syncSettings } from './sync-settings.js'
import { checkVersion } from './version.js'

export interface Pushed { readonly results: PushResult[] }

/** A response as it is kept. */
interface Kept { readonly results: StoredResult[] }

/** Times that a write is tried anew where somebody else was faster each time. */
const mostTries = 5

/**
 * @param key the header Idempotency-Key
 * @throws RequestError 400 INVALID_CHANGES; 409 CLIENT_OUTDATED; 413 TOO_MANY_CHANGES, PUSH_RESPONSE_TOO_LARGE; 422
 * IDEMPOTENCY_KEY_REUSED, ATOMIC_NOT_SUPPORTED
 */
export async function push (
  Model: ModelClass, body: unknown, key: string | undefined, options: OperationOptions = {}
): Promise<Pushed> {
  checkVersion(Model, (body as { version?: unknown } | null | undefined)?.version)
  const request = checkedPush(body)
  const { connector } = Model.compiled
  if (request.atomic && connector.transactions === undefined) throw notAtomic()
  const writer = { Model, options }
  if (key === undefined || key === '') return { results: await results(writer, request, undefined) }
  if (key.length > 255) throw malformed('The Idempotency-Key has more than 255 characters.')
  const repeat = new Repeat(Model, key, body, options)
  return await repeat.once(
    async () => ({ results: await results(writer, request, repeat) }),
    async answer => ({ results: await allAsOfNow(writer, answer.results) })
  )
}

const hash = (...parts: unknown[]): string => sha256(JSON.stringify(parts))

/**
 * Responses that are kept under a client's key. Each row that was written leaves a record in the transaction of the
 * row: anyone who is cut off in the middle, and comes again, finds what was done and gets the rest done.
 */
class Repeat {
  readonly #records: SyncRecords
  readonly #id: string
  readonly #asked: string
  readonly #ttl: number
  /** Requests with one key go one after the other, as far as this process has them. */
  static readonly #busy = new Map<string, Promise<unknown>>()

  constructor (Model: ModelClass, key: string, body: unknown, { accessToken }: OperationOptions) {
    const user = userKeyOf(Model.registry, accessToken as TokenOfUser | null | undefined)
    this.#records = SyncRecords.of(ChangeLog.of(Model).dataSource)
    this.#id = hash(Model.modelName, user ?? '', key)
    this.#asked = hash(body)
    this.#ttl = syncSettings(Model).idempotencyTtl
  }

  /** @param again what is answered to who comes again, made of the response that was kept */
  async once (work: () => Promise<Pushed>, again: (answer: Kept) => Promise<Pushed>): Promise<Pushed> {
    const busy = Repeat.#busy.get(this.#id)
    const own = Promise.resolve(busy).catch(() => {}).then(async () => await this.#answer(work, again))
    Repeat.#busy.set(this.#id, own)
    try {
      return await own
    } finally {
      if (Repeat.#busy.get(this.#id) === own) Repeat.#busy.delete(this.#id)
    }
  }

  async #answer (work: () => Promise<Pushed>, again: (answer: Kept) => Promise<Pushed>): Promise<Pushed> {
    const known = await this.#begun()
    if (known.asked !== this.#asked) throw keyReused()
    if (known.answer != null) return await again(known.answer as unknown as Kept)
    const answer = await work()
    const kept: Kept = { results: answer.results.map(storedResultOf) }
    await this.#records.answer(this.#id, kept as unknown as Row)
    return answer
  }

  async #begun (): Promise<{ asked: string, answer?: Row | null }> {
    const found = await this.#records.find(this.#id)
    if (found !== undefined) return found
    const begun = { id: this.#id, asked: this.#asked, expires: this.#end }
    try {
      await this.#records.create(begun, {})
      return begun
    } catch (error) {
      const other = await this.#records.find(this.#id)
      if (other === undefined) throw error
      return other
    }
  }

  get #end (): Date {
    return new Date(Date.now() + this.#ttl * 1000)
  }

  #rowId (index: number): string {
    return `${this.#id} ${String(index)}`
  }

  /** What became of a row, where it was written before. */
  async of (index: number): Promise<StoredResult | undefined> {
    return (await this.#records.find(this.#rowId(index)))?.answer as StoredResult | undefined
  }

  /** Keeps what became of a row, in the transaction that it is written in. */
  async keep (index: number, result: PushResult, log: ChangeLog): Promise<void> {
    const answer = storedResultOf(result) as unknown as Row
    const record = { id: this.#rowId(index), asked: this.#asked, answer, expires: this.#end }
    await this.#records.create(record, log.options)
  }
}

async function results (
  writer: Writer, { changes, atomic }: PushRequest, repeat: Repeat | undefined
): Promise<PushResult[]> {
  if (atomic) return await together(writer, changes, repeat)
  const done: PushResult[] = []
  const pauses = byClock()
  const budget = new ResultsBudget(writer)
  for (const [index, change] of changes.entries()) {
    if (pauses.isDue) await pauses.rest()
    done.push(budget.isFull ? refusedAsFull(change.id) : budget.take(await one(writer, change, index, repeat)))
  }
  return withFewDetails(done)
}

/** Rows that were refused tell no more together than one response may (security.md, S-106). */
function withFewDetails (results: readonly PushResult[]): PushResult[] {
  let left = maxViolations
  return results.map(result => {
    const { details } = (result.error ?? {}) as { readonly details?: unknown }
    if (!Array.isArray(details)) return result
    const told = (details as unknown[]).slice(0, left)
    left -= told.length
    return told.length === details.length ? result : { ...result, error: { ...result.error, details: told } }
  })
}

/** One write in a transaction of its own, where the store has them. */
async function one (
  writer: Writer, change: PushedChange, index: number, repeat: Repeat | undefined
): Promise<PushResult> {
  const { Model } = writer
  const log = ChangeLog.of(Model)
  for (let tries = 1; ; tries++) {
    try {
      const known = await repeat?.of(index)
      if (known !== undefined) return await asOfNow(writer, known)
      return await storedAsOne(Model.compiled, {}, async () => {
        const result = await pushRow(writer, change)
        if (result.ok === true) await repeat?.keep(index, result, log)
        return result
      })
    } catch (error) {
      const known = await repeat?.of(index)
      if (known !== undefined) return await asOfNow(writer, known)
      // Somebody else was faster: the row is looked at again. So is one that was made meanwhile.
      if (error instanceof RevisionMismatch && tries < mostTries) {
        await log.rectify(change.id)
        continue
      }
      if (isBusy(error) && tries < mostTries) continue
      if (tries < mostTries && isTaken(error) && change.base === null && await isThere(writer, change)) continue
      return { id: change.id, error: toldError(writer, error) }
    }
  }
}

/** Transactions got in each other's way: a deadlock, or a store that locks nothing. */
const isBusy = (error: unknown): boolean => (error as { code?: unknown }).code === 'DATABASE_BUSY'

const isTaken = (error: unknown): boolean => {
  const { statusCode } = error as { statusCode?: unknown }
  return statusCode === 409 || statusCode === 422 || statusCode === undefined || statusCode === 500
}

const isThere = async (writer: Writer, { id }: PushedChange): Promise<boolean> =>
  await presentRow(writer, id) !== undefined

/** Takes back what was written before the one that failed. */
class Stopped extends Error {
  constructor (readonly results: PushResult[]) { super('One of the changes was not written.') }
}

async function together (
  writer: Writer, changes: readonly PushedChange[], repeat: Repeat | undefined
): Promise<PushResult[]> {
  const log = ChangeLog.of(writer.Model)
  for (let tries = 1; ; tries++) {
    try {
      return await storedAsOne(writer.Model.compiled, {}, async () => {
        const done: PushResult[] = []
        const pauses = byClock()
        const budget = new ResultsBudget(writer)
        for (const [index, change] of changes.entries()) {
          if (pauses.isDue) await pauses.rest()
          const known = await repeat?.of(index)
          const result = known !== undefined
            ? await asOfNow(writer, known)
            : await attempted(writer, change, index, changes, tries)
          if (result.ok !== true) throw new Stopped(only(changes, index, result))
          if (known === undefined) await repeat?.keep(index, result, log)
          done.push(budget.take(result))
          if (budget.isFull) throw pushTooLarge()
        }
        return done
      })
    } catch (error) {
      if (error instanceof Stopped) return error.results
      if (!(error instanceof RevisionMismatch || isBusy(error)) || tries >= mostTries) throw error
    }
  }
}

async function attempted (
  writer: Writer, change: PushedChange, index: number, changes: readonly PushedChange[], tries: number
): Promise<PushResult> {
  try {
    return await pushRow(writer, change)
  } catch (error) {
    if ((error instanceof RevisionMismatch || isBusy(error)) && tries < mostTries) throw error
    throw new Stopped(only(changes, index, { id: change.id, error: toldError(writer, error) }))
  }
}

/** The response of a push that came to nothing: what stopped it, and that the others were not written. */
const only = (changes: readonly PushedChange[], stopped: number, result: PushResult): PushResult[] =>
  changes.map(({ id }, index) => index === stopped ? result : { id, skipped: true })

/** An error of a row, in the shape that errors have. What is not the client's fault is told to the log alone. */
function toldError ({ Model }: Writer, error: unknown): object {
  if (error instanceof RevisionMismatch) {
    return { statusCode: 409, code: 'CONFLICT', message: 'Others write this row all the time. Push it again.' }
  }
  const { statusCode } = error as { statusCode?: unknown }
  const status = typeof statusCode === 'number' && statusCode >= 400 && statusCode <= 599 ? statusCode : 500
  if (status >= 500) {
    Model.registry.log.warn({ err: error, model: Model.modelName }, 'A pushed row could not be written')
    return { statusCode: status, message: status === 503 ? 'Service Unavailable' : 'Internal Server Error' }
  }
  const { name, code, message, details } = error instanceof ValidationError ? error.told() : error as RequestError
  return {
    statusCode: status,
    name,
    ...(code === undefined ? {} : { code }),
    message,
    ...(details === undefined ? {} : { details })
  }
}
