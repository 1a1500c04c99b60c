/**
 * What the routes of today keep in a data source: the key that cursors are signed with, and answers to pushes, for
 * those that are sent again. Rows with an end.
 */
import { randomBytes } from 'node:crypto'
import type { DataSource, ModelClass, Row, StoreOptions } from '@fastback/core'
import { parseFilter, parseWhere } from '@fastback/core/connector'
import { storeOptions } from '@fastback/core/remote'

const kRecords = Symbol('fastback.sync.records')
const keyId = 'key'
/** Milliseconds between two looks for records that have ended. */
const sweep = 600_000

/** A response that is kept. */
export interface SyncRecord {
  readonly id: string
  /** What was asked, as a hash. */
  readonly asked: string
  /** Undefined while the response is being made. */
  readonly answer?: Row | null
  readonly expires: Date
}

export class SyncRecords {
  readonly Model: ModelClass
  #key: Promise<string> | undefined
  #swept = 0

  private constructor (dataSource: DataSource) {
    const { registry } = dataSource
    const Model = registry.defineModel({
      name: 'sync-record',
      base: 'PersistedModel',
      strict: true,
      properties: {
        id: { type: 'string', id: true, generated: false },
        asked: 'string',
        answer: 'object',
        expires: { type: 'date', index: true }
      }
    }, { unlisted: true }) as unknown as ModelClass
    this.Model = registry.attach(Model, dataSource as never, { public: false })
  }

  /** Those of a data source. */
  static of (dataSource: DataSource): SyncRecords {
    const all = dataSource.registry.slot(kRecords, () => new Map<DataSource, SyncRecords>())
    const known = all.get(dataSource)
    if (known !== undefined) return known
    const made = new SyncRecords(dataSource)
    all.set(dataSource, made)
    return made
  }

  /** The key of this data source, which all its processes have. */
  key (): Promise<string> {
    this.#key ??= this.#makeKey().catch((error: unknown) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  async #makeKey (): Promise<string> {
    const { compiled } = this.Model
    const query = parseFilter(compiled, { where: { id: keyId }, limit: 1 }, compiled.parsing.internal)
    // In 9999: it is none of those that end.
    const made = { id: keyId, asked: randomBytes(32).toString('base64url'), expires: new Date(253_370_764_800_000) }
    const { row } = await compiled.connector.findOrCreate(compiled, query, made, storeOptions(compiled, {}))
    return String(row.asked)
  }

  /** One that has not ended. */
  async find (id: string, options?: StoreOptions): Promise<SyncRecord | undefined> {
    const { compiled } = this.Model
    const row = await compiled.connector.findById(
      compiled, id, compiled.selectAll, { ...options ?? storeOptions(compiled, {}), mayBeMissing: true }
    ) as SyncRecord | undefined
    return row !== undefined && row.expires.getTime() > Date.now() ? row : undefined
  }

  /** Fails where there is one with that id. */
  async create (record: SyncRecord, options: StoreOptions): Promise<void> {
    const { compiled } = this.Model
    await this.#sweep()
    await compiled.connector.create(compiled, { ...record }, options)
  }

  async answer (id: string, answer: Row): Promise<void> {
    const { compiled } = this.Model
    await compiled.connector.updateById(compiled, id, { answer }, { ...storeOptions(compiled, {}), mayBeMissing: true })
  }

  /** Drops those that have ended, now and then. */
  async #sweep (): Promise<void> {
    const now = Date.now()
    if (now - this.#swept < sweep) return
    this.#swept = now
    const { compiled } = this.Model
    const where = parseWhere(compiled, { expires: { lt: new Date(now) } }, compiled.parsing.internal)
    await compiled.connector.deleteAll(compiled, where, storeOptions(compiled, {}))
  }
}
