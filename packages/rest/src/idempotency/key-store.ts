/** The keys of one data source and the responses that are stored for them. */
import { randomUUID } from 'node:crypto'
import type { CompiledModel, DataSource, MaybePromise, ModelClass, ModelRegistry, Row } from '@fastback/core'
import { chain, parseFilter, parseWhere } from '@fastback/core/connector'
import { isInStore, nowAndThen, sealingIsSet, storeOptions } from '@fastback/core/remote'
import type { IdempotencyLimits } from './settings.js'
import { keyInUse, keyReused, outcomeUnknown } from './errors.js'
import type { StoredResponse } from './response.js'

/** A row: a request that is under way, or one that was done. */
interface KeyRow extends Row {
  readonly id: string
  readonly fingerprint: string
  /** Of the process that runs the request. */
  readonly claim: string
  /** Until when that process has the request. */
  readonly lease: Date
  readonly expires: Date
  /** Null while the request is under way. */
  readonly status: number | null
  readonly headers: string | null
  readonly body: string | null
  /** Whether there was a body that is not stored. */
  readonly omitted: boolean
}

/** What becomes of a request: it is run under a claim, or the response of the first one is sent again. */
export type Claimed = { readonly claim: string } | { readonly response: StoredResponse }

/** The model's name where one data source has keys. */
const modelName = 'IdempotencyKey'
const kStores = Symbol('fastback.idempotency')
/** Rows that are removed by one statement. */
const step = 500
/** Milliseconds between two looks for what is no longer needed. */
const sweepInterval = 60_000

const isStoringRows = (dataSource: DataSource | null | undefined): dataSource is DataSource =>
  dataSource?.supportTypes('db') === true && dataSource.connector.modelBase === undefined

/**
 * The keys for a method's requests: in the data source of its model, so that a response is stored in the transaction
 * of the write; made where there are none yet. Undefined where no data source stores rows.
 * @throws FBK_CORE_UNKNOWN_DATA_SOURCE for a setting that names none
 */
export function keyStoreFor (
  registry: ModelRegistry, own: DataSource | null, { dataSource: named }: IdempotencyLimits
): KeyStore | undefined {
  const dataSource = named === undefined
    ? [own, ...Object.values(registry.dataSources)].find(isStoringRows)
    : named
  if (dataSource === undefined) return undefined
  const name = typeof dataSource === 'string' ? dataSource : dataSource.name
  const all = registry.slot(kStores, () => new Map<string, KeyStore>())
  let store = all.get(name)
  if (store === undefined) {
    store = new KeyStore(registry, name, all.size === 0 ? modelName : `${modelName}-${name}`)
    all.set(name, store)
  }
  return store
}

export class KeyStore {
  readonly Model: ModelClass
  /** Requests of this process that are under way, by the ids of their rows. */
  readonly underWay = new Set<string>()

  constructor (registry: ModelRegistry, dataSource: string, name: string) {
    registry.defineModel({
      name,
      base: 'PersistedModel',
      strict: true,
      properties: {
        id: { type: 'string', id: true, generated: false, length: 64 },
        fingerprint: { type: 'string', required: true, length: 64 },
        claim: { type: 'string', required: true, length: 36 },
        lease: { type: 'date', required: true },
        expires: { type: 'date', required: true, index: true },
        status: 'number',
        headers: 'string',
        // It may have values of sealed properties.
        body: { type: 'string', sealed: sealingIsSet(registry, registry.dataSources[dataSource]) },
        omitted: 'boolean'
      }
    })
    this.Model = registry.attach(name, dataSource, { public: false })
    nowAndThen(registry, {
      interval: sweepInterval,
      work: async () => { await this.sweep() },
      failed: err => {
        registry.log.warn({ err, model: name }, 'stored responses that are too old could not be removed')
      }
    })
  }

  get dataSource (): DataSource {
    return this.Model.dataSource as DataSource
  }

  /**
   * Claims a key for a request, or gives the response of the first one.
   * @param isTransactional whether what the first one did is rolled back where it was cut off: then it is run again
   * @throws RequestError 409 IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_OUTCOME_UNKNOWN; 422 IDEMPOTENCY_KEY_REUSED
   */
  async claim (
    id: string, fingerprint: string, { ttl, lease }: IdempotencyLimits, isTransactional: boolean
  ): Promise<Claimed> {
    const now = Date.now()
    const claim = randomUUID()
    const fresh = {
      fingerprint, claim, lease: new Date(now + lease * 1000), expires: new Date(now + ttl * 1000),
      status: null, headers: null, body: null, omitted: false
    }
    if (await this.#create({ id, ...fresh })) return { claim }
    const found = await this.#find(id)
    // The first one failed in this moment.
    if (found === undefined) throw keyInUse()
    const response = settled(found, fingerprint, now)
    if (response !== undefined) return { response }
    if (!isTransactional && found.expires.getTime() > now) throw outcomeUnknown()
    if (await this.#update({ id, claim: found.claim, status: found.status }, fresh) === 0) throw keyInUse()
    return { claim }
  }

  /** Whether a request that waits for nothing can be done and stored in one unit of the store (`onceAtOnce`). */
  hasUnits (): boolean {
    const { connector, ambient } = this.dataSource
    return ambient.unitsOf(connector) !== undefined && isInStore(this.Model.compiled)
  }

  /**
   * Does a request and stores its response, in a unit of the store; or gives the response of the first one with the
   * key. What others claimed and was cut off is taken over.
   * @param work is done once the key is found to be free
   * @throws RequestError 409 IDEMPOTENCY_KEY_IN_USE; 422 IDEMPOTENCY_KEY_REUSED
   */
  runAtOnce<T> (
    id: string, fingerprint: string, { ttl }: IdempotencyLimits, model: CompiledModel, ofThisTick: boolean,
    work: () => { readonly result: T, readonly response: StoredResponse }
  ): MaybePromise<{ readonly result: T } | { readonly response: StoredResponse }> {
    const { dataSource: { connector, ambient }, Model: { compiled } } = this
    const done = ambient.runUnit(connector, [compiled, model], { ofThisTick }, () => {
      const now = Date.now()
      const within = storeOptions(compiled, {})
      const found = compiled.connector.findById(compiled, id, compiled.selectAll, within) as KeyRow | undefined
      try {
        const response = found && settled(found, fingerprint, now)
        if (response !== undefined) return { response }
      } catch (error) {
        // Nothing is written: those who share the commit need not begin anew.
        return { error }
      }
      const { result, response } = work()
      const { status, headers, body, omitted } = columnsOf(response)
      const row = {
        id, fingerprint, claim: randomUUID(), lease: new Date(now), expires: new Date(now + ttl * 1000),
        status, headers, body, omitted
      }
      if (found === undefined) compiled.connector.create(compiled, row, within)
      else compiled.connector.updateById(compiled, id, withoutId(row), within)
      return { result }
    })
    return chain(done, outcome => {
      if ('error' in outcome) throw outcome.error
      return outcome
    })
  }

  /**
   * Stores the response of a request, in the transaction that it is called in.
   * @throws RequestError 409 IDEMPOTENCY_KEY_IN_USE where another process has taken over: the work is to be rolled back
   */
  async complete (id: string, claim: string, response: StoredResponse): Promise<void> {
    if (await this.#update({ id, claim, status: null }, columnsOf(response)) === 0) throw keyInUse()
  }

  /** Takes a claim back, after which the key is as new. */
  async release (id: string, claim: string): Promise<void> {
    const { compiled } = this.Model
    await compiled.connector.deleteAll(compiled, this.#where({ id, claim, status: null }), storeOptions(compiled, {}))
  }

  /** Ends the lease of a request that failed, where nobody knows what it has done: it is not run again. */
  async abandon (id: string, claim: string): Promise<void> {
    await this.#update({ id, claim, status: null }, { lease: new Date(0) })
  }

  async #create (row: Row): Promise<boolean> {
    const { compiled } = this.Model
    try {
      await compiled.connector.create(compiled, row, storeOptions(compiled, {}))
      return true
    } catch (error) {
      if ((error as { code?: unknown }).code === 'DUPLICATE_ID') return false
      throw error
    }
  }

  async #find (id: string): Promise<KeyRow | undefined> {
    const { compiled } = this.Model
    return await compiled.connector.findById(compiled, id, compiled.selectAll, storeOptions(compiled, {})) as
      KeyRow | undefined
  }

  async #update (where: object, changes: Row): Promise<number> {
    const { compiled } = this.Model
    return await compiled.connector.updateAll(compiled, this.#where(where), changes, storeOptions(compiled, {}))
  }

  #where (where: object): ReturnType<typeof parseWhere> {
    const { compiled } = this.Model
    return parseWhere(compiled, where, compiled.parsing.internal)
  }

  /** Removes rows whose time is over, a few with each statement. */
  async sweep (): Promise<void> {
    const { compiled } = this.Model
    const { connector, parsing } = compiled
    const options = storeOptions(compiled, {})
    for (;;) {
      const where = { expires: { lt: new Date() } }
      const query = parseFilter(compiled, { where, fields: ['id'], limit: step }, parsing.internal)
      const ids = (await connector.find(compiled, query, options)).map(({ id }) => id)
      // One that was claimed anew in between has another time.
      if (ids.length > 0) await connector.deleteAll(compiled, this.#where({ id: { inq: ids }, ...where }), options)
      if (ids.length < step) return
    }
  }
}

/**
 * The response of the first request with a key; undefined where the key is free again, or its request was cut off.
 * @throws RequestError 409 IDEMPOTENCY_KEY_IN_USE; 422 IDEMPOTENCY_KEY_REUSED
 */
function settled (found: KeyRow, fingerprint: string, now: number): StoredResponse | undefined {
  if (found.expires.getTime() <= now) return undefined
  if (found.fingerprint !== fingerprint) throw keyReused()
  if (found.status !== null) return responseOf(found)
  if (found.lease.getTime() > now) throw keyInUse()
  return undefined
}

const withoutId = ({ id: _, ...columns }: Row): Row => columns

const columnsOf = ({ status, headers, body }: StoredResponse): Pick<KeyRow, 'status' | 'headers' | 'body' | 'omitted'> =>
  ({ status, headers: JSON.stringify(headers), body: body ?? null, omitted: body === undefined })

const responseOf = ({ status, headers, body, omitted }: KeyRow): StoredResponse => ({
  status: status as number,
  headers: JSON.parse(headers ?? '{}') as Record<string, string>,
  body: omitted ? undefined : body
})
