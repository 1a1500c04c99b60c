import type { CompiledModel, Connector, ConnectorLog, KeyValueSupport, StoredModel } from '@fastback/core'
import { isPersisted, RowlessConnector } from '@fastback/core/connector'
import { Redis, type RedisOptions } from 'ioredis'
import { KeysOnlyError, NotReachableError } from './errors.js'
import { RedisKeyValue } from './key-value.js'
import type { RedisSettings } from './settings.js'

/** Values by key in Redis. It keeps no rows: models that need them are refused when they are attached. */
export class RedisConnector extends RowlessConnector implements Connector {
  readonly name = 'redis'
  readonly generatedIdType = 'string'
  readonly defaultMigration = 'none'
  readonly keyValue: KeyValueSupport
  readonly modelBase = 'KeyValueModel'
  #redis: Redis | undefined

  constructor (readonly settings: RedisSettings, readonly dataSource: string, readonly log: ConnectorLog) {
    super()
    this.keyValue = new RedisKeyValue(() => this.#connected(), settings.prefix ?? '')
  }

  #connected (): Redis {
    if (this.#redis === undefined) throw new NotReachableError(this.dataSource, 'it is not connected yet')
    return this.#redis
  }

  /**
   * The connection, for commands of the application's own.
   * @throws FBK_REDIS_NOT_REACHABLE while it is not connected
   */
  get client (): Redis {
    return this.#connected()
  }

  /** @throws FBK_REDIS_NOT_REACHABLE when the first connection fails; later ones are tried again */
  async connect (): Promise<void> {
    const { url, prefix, ...rest } = this.settings
    const options: RedisOptions = { ...rest, lazyConnect: true }
    const redis = url === undefined ? new Redis(options) : new Redis(url, options)
    let reason: Error | undefined
    redis.on('error', (error: Error) => {
      reason = error
      if (this.#redis === redis) {
        this.log.warn({ dataSource: this.dataSource, err: error }, 'the connection to Redis failed; trying again')
      }
    })
    try {
      await redis.connect()
    } catch (error) {
      redis.disconnect()
      throw new NotReachableError(this.dataSource, (reason ?? error as Error).message)
    }
    this.#redis = redis
  }

  async disconnect (): Promise<void> {
    const redis = this.#redis
    this.#redis = undefined
    await redis?.quit()
  }

  async ping (): Promise<void> {
    await this.#connected().ping()
  }

  /** @throws FBK_REDIS_KEYS_ONLY for connected models */
  attach (model: StoredModel): void {
    if (isPersisted((model as CompiledModel).Model)) throw this.noRows(model)
  }

  protected noRows (model: StoredModel): Error {
    return new KeysOnlyError(this.dataSource, model.name)
  }
}
