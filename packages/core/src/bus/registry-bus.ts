/** The bus of a registry: in-process until its setting names a driver, and the registry starts. */
import { BusPayloadError, BusSettingsError, UnknownBusDriverError } from '../errors.js'
import { nearest } from '../nearest.js'
import {
  mostBytes,
  mostCharacters,
  type Bus,
  type BusContext,
  type BusDriver,
  type BusDriverFactory,
  type BusListener,
  type BusLog,
  type BusOffer
} from './bus.js'
import { busSettingOf } from './bus-setting.js'
import { SharedBus } from './shared-bus.js'

/** As much of a registry as its bus asks for. */
export interface BusHost {
  readonly settings: Readonly<Record<string, unknown>>
  readonly baseDir: string
  readonly log: BusLog
  readonly dataSources: Readonly<Record<string, { readonly connector: { readonly bus?: BusOffer | undefined } }>>
  readonly busDrivers: ReadonlyMap<string, BusDriverFactory>
  /** The setting, where the settings say nothing. */
  readonly defaultBus: unknown
}

interface Chosen {
  readonly name: string
  readonly driver: BusDriver
  /** Whether somebody asked for it: then the start fails where it cannot connect. */
  readonly isRequired: boolean
}

export class RegistryBus implements Bus {
  readonly #topics = new Map<string, Set<BusListener>>()
  readonly #host: BusHost
  #shared: SharedBus | undefined
  #opening: Promise<void> | undefined
  driver: string | undefined

  constructor (host: BusHost) {
    this.#host = host
  }

  get hasOthers (): boolean {
    return this.#shared?.hasOthers === true
  }

  publish (topic: string, payload: unknown): void {
    const shared = this.#shared
    if (shared === undefined) return
    const text = JSON.stringify(payload) ?? 'null'
    if (text.length > mostCharacters || Buffer.byteLength(text) > mostBytes - 500) throw new BusPayloadError(topic)
    shared.publish(topic, payload)
  }

  subscribe (topic: string, listener: BusListener): () => void {
    let listeners = this.#topics.get(topic)
    if (listeners === undefined) this.#topics.set(topic, listeners = new Set())
    listeners.add(listener)
    return () => { listeners.delete(listener) }
  }

  /**
   * Connects, where the setting `bus` names a driver. Does nothing while it is connected.
   * @throws FBK_CORE_BUS_SETTINGS, FBK_CORE_UNKNOWN_BUS_DRIVER; what the driver throws when it cannot connect
   */
  async open (): Promise<void> {
    await (this.#opening ??= this.#open().catch(async error => {
      this.#opening = undefined
      await this.close()
      throw error
    }))
  }

  async #open (): Promise<void> {
    const chosen = await this.#choose()
    if (chosen === undefined) return
    const shared = new SharedBus(chosen.driver, {
      message: (topic, payload) => {
        for (const listener of this.#topics.get(topic) ?? []) this.#tell(() => { listener.message(payload) })
      },
      reset: () => { this.#all(listener => { listener.reset() }) },
      others: areThere => { this.#all(listener => { listener.others?.(areThere) }) }
    }, this.#host.log)
    this.#shared = shared
    this.driver = chosen.name
    this.#all(listener => { listener.others?.(true) })
    await (chosen.isRequired ? shared.open() : shared.openLater())
  }

  async close (): Promise<void> {
    const shared = this.#shared
    this.#opening = undefined
    if (shared === undefined) return
    await shared.close()
    if (this.#shared !== shared) return
    this.#shared = undefined
    this.driver = undefined
    this.#all(listener => { listener.others?.(false) })
  }

  #all (tell: (listener: BusListener) => void): void {
    for (const listeners of this.#topics.values()) {
      for (const listener of listeners) this.#tell(() => { tell(listener) })
    }
  }

  /** One listener's fault is not the others'. */
  #tell (work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#host.log.warn({ err: error }, 'a listener of the bus failed')
    }
  }

  async #choose (): Promise<Chosen | undefined> {
    const { settings, defaultBus, baseDir, log, dataSources, busDrivers } = this.#host
    const { named, automatic, namespace } = busSettingOf(settings.bus ?? defaultBus)
    const context: BusContext = { namespace, baseDir, log, connector: name => dataSources[name]?.connector }
    // Processes that were started together hear of each other without a setting, unless one says that they shall not.
    const cluster = settings.bus === undefined || automatic === 'nothing stored' ? busDrivers.get('cluster') : undefined
    if (named !== undefined) {
      const factory = busDrivers.get(named.driver)
      if (factory === undefined) {
        throw new UnknownBusDriverError(named.driver, nearest(named.driver, [...busDrivers.keys()]))
      }
      return { name: named.driver, isRequired: true, driver: await factory(named.setting, context) }
    }
    for (const { connector: { bus } } of Object.values(dataSources)) {
      if (bus !== undefined && automatic !== undefined && (automatic === 'anything' || bus.storesNothing)) {
        return { name: bus.driver, isRequired: automatic === 'anything', driver: bus.make(context) }
      }
    }
    if (automatic === 'anything') throw new BusSettingsError('no data source can carry it; name a driver.')
    return cluster === undefined ? undefined : { name: 'cluster', isRequired: true, driver: await cluster(true, context) }
  }
}
