/** The providers of applications: one, with its queue, for each application and type of device (PU-39, PU-40). */
import { findRowById, forgetOnChange } from '@fastback/core/remote'
import type { ModelClass } from '@fastback/core'
import { PushBusyError, pushError } from '../errors.js'
import type { PushModels } from '../models/push-models.js'
import type { OwnProvider, ProviderClass, ProviderContext, PushSettings } from '../provider/provider.js'
import type { FilledOptions } from '../settings.js'
import { Lane, type Job } from './lane.js'

interface Entry {
  readonly lane: Lane
  readonly settings: string
  readonly made: number
  /** When the row was last looked at. */
  checked: number
}

/** Milliseconds after which a change by another process is seen, where nothing tells of it. */
const recheck = 60_000

export interface ApplicationsHost {
  readonly models: PushModels
  readonly options: FilledOptions
  readonly providers: Readonly<Record<string, ProviderClass>>
  context (): ProviderContext
  /** Listens to what a provider emits. */
  made (provider: OwnProvider, appId: unknown, deviceType: string): void
}

export class Applications {
  readonly #entries = new Map<string, Promise<Entry>>()
  #watched: ModelClass | undefined
  #sweep: NodeJS.Timeout | undefined

  constructor (readonly host: ApplicationsHost) {}

  /** Messages that are not done. */
  readonly waiting = (): number => this.#waiting
  #waiting = 0

  /** @throws Error with `details`, FBK_PUSH_SETTINGS, FBK_PUSH_GCM_GONE */
  async lane (appId: unknown, deviceType: string): Promise<Lane> {
    const key = JSON.stringify([String(appId), deviceType])
    this.#watch()
    for (;;) {
      const found = this.#entries.get(key) ?? this.#make(key, appId, deviceType)
      const entry = await found
      if (this.#entries.get(key) !== found || entry.lane.isStopped) continue
      const now = Date.now()
      const { ttlInSeconds } = this.host.options
      const isOver = ttlInSeconds > 0 && now - entry.made > ttlInSeconds * 1000
      if (!isOver && now - entry.checked < recheck) return entry.lane
      entry.checked = now
      if (!isOver && JSON.stringify(await this.settings(appId, deviceType)) === entry.settings) return entry.lane
      this.#retire(key, appId, deviceType)
    }
  }

  /** Takes a message; without room it waits, or refuses where nobody can wait (PU-71). */
  async add (appId: unknown, deviceType: string, job: Job, mayWait: boolean): Promise<void> {
    let lane = await this.lane(appId, deviceType)
    while (!lane.hasRoom) {
      if (!mayWait) throw new PushBusyError(this.host.options.queueSize)
      await lane.room()
      // It may have ended meanwhile, as another one's settings came.
      lane = await this.lane(appId, deviceType)
    }
    this.#waiting++
    lane.add({
      ...job, done: result => {
        this.#waiting--
        job.done(result)
      }
    })
  }

  /** Ends the providers of all applications: the next message makes new ones, and those that wait go to them. */
  forget (): void {
    for (const key of [...this.#entries.keys()]) {
      const [appId, deviceType] = JSON.parse(key) as [string, string]
      this.#retire(key, appId, deviceType)
    }
  }

  async stop (grace: number): Promise<void> {
    clearInterval(this.#sweep)
    this.#sweep = undefined
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    await Promise.all(entries.map(async entry => {
      const made = await entry.catch(() => undefined)
      await made?.lane.stop(grace)
    }))
  }

  #make (key: string, appId: unknown, deviceType: string): Promise<Entry> {
    const entry = (async () => {
      const settings = await this.settings(appId, deviceType)
      const Provider = Object.hasOwn(this.host.providers, deviceType) ? this.host.providers[deviceType] : undefined
      if (Provider === undefined) throw pushError(`There is no provider for the device type "${deviceType}"`, 422, { deviceType })
      const provider = new Provider(settings, this.host.context())
      this.host.made(provider, appId, deviceType)
      const now = Date.now()
      const lane = new Lane(provider, this.host.options)
      return { lane, settings: JSON.stringify(settings), made: now, checked: now }
    })()
    this.#entries.set(key, entry)
    // What cannot be made now may be set right before the next message.
    entry.catch(() => { if (this.#entries.get(key) === entry) this.#entries.delete(key) })
    return entry
  }

  /** The settings of an application. @throws Error with `details` */
  async settings (appId: unknown, deviceType: string): Promise<PushSettings> {
    const Application = this.host.models.find('Application')
    const row = Application === undefined || Application.dataSource === null
      ? undefined
      : await findRowById(Application.compiled, appId as string, undefined, { notify: false })
    if (row === undefined) throw pushError(`Application id ${shown(appId)} not found`, 404, { appId })
    const { pushSettings } = row
    if (pushSettings === null || typeof pushSettings !== 'object') {
      throw pushError('There are no push settings for the application', 422, { application: { id: appId, deviceType } })
    }
    return pushSettings as PushSettings
  }

  #retire (key: string, appId: unknown, deviceType: string): void {
    const entry = this.#entries.get(key)
    this.#entries.delete(key)
    entry?.then(async ({ lane }) => {
      const jobs = lane.retire()
      for (const job of jobs) {
        try {
          (await this.lane(appId, deviceType)).add(job)
        } catch {
          job.done({ status: 'failed', reason: 'NotConfigured', attempts: 0 })
        }
      }
      await lane.stop(this.host.options.stopTimeout)
    }).catch(() => {})
  }

  /** From the first message on. */
  #watch (): void {
    const Application = this.host.models.find('Application')
    if (Application !== undefined && this.#watched === undefined) {
      this.#watched = Application
      forgetOnChange(Application, ['after save', 'after delete'], () => { this.forget() })
    }
    const { ttlInSeconds, checkPeriodInSeconds } = this.host.options
    if (ttlInSeconds === 0 || checkPeriodInSeconds === 0 || this.#sweep !== undefined) return
    this.#sweep = setInterval(() => {
      for (const [key, entry] of this.#entries) {
        entry.then(({ made }) => {
          if (Date.now() - made <= ttlInSeconds * 1000 || this.#entries.get(key) !== entry) return
          const [appId, deviceType] = JSON.parse(key) as [string, string]
          this.#retire(key, appId, deviceType)
        }, () => {})
      }
    }, checkPeriodInSeconds * 1000)
    this.#sweep.unref()
  }
}

const shown = (id: unknown): string => typeof id === 'string' || typeof id === 'number' ? String(id) : typeof id
