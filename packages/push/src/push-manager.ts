/** Sends notifications to installations: the API of LoopBack's component (PU-05, PU-35 to PU-44). */
import { EventEmitter } from 'node:events'
import { isRemote, RequestError, type ModelClass, type OperationCallback, type OperationOptions, type Row } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { findRowById } from '@fastback/core/remote'
import { ApnsProvider } from './apns/apns-provider.js'
import { Applications } from './delivery/applications.js'
import { mustBeObject, plain, sendOptionsOf } from './delivery/messages.js'
import { Outbox } from './delivery/outbox.js'
import { Recorder } from './delivery/recorder.js'
import type { PushReport } from './delivery/report.js'
import { deviceOf, pagesOf, Sending, type Device } from './delivery/sender.js'
import { noCondition, pushError } from './errors.js'
import { FcmProvider } from './fcm/fcm-provider.js'
import { PushModels } from './models/push-models.js'
import type { OwnProvider, ProviderClass, ProviderContext, PushSettings } from './provider/provider.js'
import { readSettings, type FilledOptions, type PushOptions } from './settings.js'
import { StubProvider } from './stub/stub-provider.js'
import { WebProvider } from './web/web-provider.js'

/** What a call came to, where it was waited for; undefined where the notification was put into the database. */
type Sent = PushReport | undefined
type Done = OperationCallback<Sent>

/** Classes of providers by types of devices; an application may add its own. */
const providers: Record<string, ProviderClass> = {
  ios: ApnsProvider, android: FcmProvider, fcm: FcmProvider, web: WebProvider, stub: StubProvider
}

class Manager extends EventEmitter {
  static readonly providers = providers
  readonly options: FilledOptions
  readonly models: PushModels
  readonly #applications: Applications
  readonly #recorder: Recorder
  readonly #outbox: Outbox | undefined
  /** What calls with callbacks have not finished. */
  readonly #background = new Set<Promise<unknown>>()

  /** @throws FBK_CORE_DATA_SOURCE_SETTINGS */
  constructor (settings: PushOptions & { readonly [key: string]: unknown } = {}, name = 'push') {
    super()
    this.options = readSettings(settings, name)
    this.models = new PushModels(this.options, undefined)
    this.#recorder = new Recorder(this.models, this.options, error => { this.#fault(error) })
    this.#applications = new Applications({
      models: this.models,
      options: this.options,
      providers,
      context: () => this.#context(),
      made: (provider, appId, deviceType) => { this.#listen(provider, appId, deviceType) }
    })
    if (this.options.persist === true) {
      const parts = { models: this.models, applications: this.#applications, recorder: this.#recorder }
      this.#outbox = new Outbox(parts, this.options, error => { this.#fault(error) })
    }
  }

  get Installation (): ModelClass | undefined { return this.models.find('Installation') }
  set Installation (Model: ModelClass) { this.models.set('Installation', Model) }
  get Notification (): ModelClass | undefined { return this.models.find('Notification') }
  set Notification (Model: ModelClass) { this.models.set('Notification', Model) }
  get Application (): ModelClass | undefined { return this.models.find('Application') }
  set Application (Model: ModelClass) { this.models.set('Application', Model) }

  /** Sends to the installation with an id. @throws Error 404 with `details.installationId` */
  notifyById (installationId: unknown, notification: object): Promise<Sent>
  notifyById (installationId: unknown, notification: object, callback: Done): undefined
  notifyById (...args: unknown[]): unknown {
    return this.#call(args, async ([id, notification], waits) => {
      const found = await findRowById(this.models.get('Installation').compiled, id as string, undefined, { notify: false })
      if (found !== undefined) return await this.#toRow(found, notification, waits)
      throw pushError(`Installation id ${String(id)} not found`, 404, { installationId: id })
    })
  }

  /**
   * Sends to the installations of a condition.
   *
   * A callback, and a request, are answered when the first page was handed over; the rest goes on by itself.
   * @throws RequestError 400 without a condition; `{}` means all
   */
  notifyByQuery (where: object, notification: object): Promise<Sent>
  notifyByQuery (where: object, notification: object, callback: Done): undefined
  notifyByQuery (...args: unknown[]): unknown {
    return this.#call(args, async ([where, notification, options], waits) => {
      if (where === null || typeof where !== 'object' || Array.isArray(where)) throw noCondition()
      mustBeObject(notification)
      const asked = (options ?? {}) as OperationOptions
      const message = plain(notification)
      const isOutside = isRemote(asked)
      if (isOutside) delete message.id
      if (this.#outbox !== undefined) return await this.#outbox.addQuery(where, message, asked)
      return await this.#byQuery(where, message, asked, waits && !isOutside)
    })
  }

  /** Sends to one installation, a row or instance. */
  notify (installation: object, notification: object): Promise<Sent>
  notify (installation: object, notification: object, callback: Done): undefined
  notify (...args: unknown[]): unknown {
    return this.#call(args, async ([installation, notification], waits) =>
      await this.#toRow(installation as Row, notification, waits))
  }

  /** Sends to tokens of one application and type, whether or not there are installations with them. */
  notifyMany (appId: unknown, deviceType: string, deviceTokens: readonly string[], notification: object): Promise<Sent>
  notifyMany (
    appId: unknown, deviceType: string, deviceTokens: readonly string[], notification: object, callback: Done
  ): undefined
  notifyMany (...args: unknown[]): unknown {
    return this.#call(args, async ([appId, type, tokens, notification], waits) => {
      if (!Array.isArray(tokens) || tokens.length === 0) {
        throw new RequestError(400, 'deviceTokens must be an array', { name: 'Error', code: 'INVALID_DEVICE_TOKENS' })
      }
      mustBeObject(notification)
      const deviceType = String(type)
      // What is not set up is told now, and not for each message.
      await this.#applications.lane(appId, deviceType)
      const devices = tokens.map(token => ({ appId, deviceType, token: String(token) }))
      if (this.#outbox !== undefined) return await this.#outbox.addDevices(devices, plain(notification))
      return await this.#toDevices(devices, plain(notification), waits)
    })
  }

  /** The provider of an application for a type of device. @throws Error with `details` */
  configureApplication (appId: unknown, deviceType: string): Promise<OwnProvider>
  configureApplication (appId: unknown, deviceType: string, callback: OperationCallback<OwnProvider>): undefined
  configureApplication (...args: unknown[]): unknown {
    const { values: [appId, deviceType], callback } = splitCallback(args)
    const find = async (): Promise<OwnProvider> =>
      (await this.#applications.lane(appId, String(deviceType))).provider
    return promiseOrCallback(find, callback, false, this.models.registry)
  }

  /**
   * Makes a provider that belongs to no application; null where there is no class for the type.
   * @throws FBK_PUSH_SETTINGS, FBK_PUSH_GCM_GONE
   */
  configureProvider (deviceType: string, pushSettings: PushSettings): OwnProvider | null {
    const Provider = Object.hasOwn(providers, deviceType) ? providers[deviceType] : undefined
    if (Provider === undefined) return null
    const provider = new Provider(pushSettings, this.#context())
    this.#listen(provider, undefined, deviceType)
    return provider
  }

  /**
   * The key that browsers subscribe with, of an application.
   * @throws Error 404 with `details`
   */
  async webKey (appId: unknown): Promise<string> {
    const { web } = await this.#applications.settings(appId, 'web') as { web?: { publicKey?: unknown } }
    if (typeof web?.publicKey === 'string') return web.publicKey
    throw pushError('The application has no key for Web Push', 404, { appId })
  }

  /** Gone with the protocol that it asked (PU-35). */
  feedback (): void {
    this.models.registry?.log.warn({}, 'push: there is no feedback service any more; devices that are gone are removed when a message fails')
  }

  /** Begins to work on notifications in the database; without `persist` there is nothing to begin. */
  start (): void {
    this.#recorder.measure(this.#applications.waiting)
    this.#outbox?.start()
  }

  /** What is on its way is finished, up to `stopTimeout`; the rest is failed, or stays in the database (PU-72). */
  async stop (): Promise<void> {
    const { stopTimeout } = this.options
    await this.#outbox?.stop()
    await this.#applications.stop(stopTimeout)
    await Promise.allSettled([...this.#background])
    await this.#outbox?.settled()
    await this.#recorder.flush()
    this.#recorder.close()
  }

  #call (
    args: readonly unknown[], run: (values: readonly unknown[], waits: boolean) => Promise<Sent>
  ): unknown {
    const { values, callback } = splitCallback(args)
    const notification = values.find((value, i) => i > 0 && value !== null && typeof value === 'object' && 'options' in value)
    const waits = callback === undefined || sendOptionsOf((notification ?? {}) as Row).wait === true
    return promiseOrCallback(async () => await run(values, waits), callback, false, this.models.registry)
  }

  async #toRow (row: Row, notification: unknown, waits: boolean): Promise<Sent> {
    mustBeObject(notification)
    const Installation = this.models.find('Installation')
    const device = deviceOf(row, Installation?.getIdName() ?? 'id')
    if (this.#outbox === undefined) return await this.#toDevices([device], plain(notification), waits)
    await this.#applications.lane(device.appId, device.deviceType)
    return await this.#outbox.addDevices([device], plain(notification))
  }

  async #toDevices (devices: readonly Device[], notification: Row, waits: boolean): Promise<Sent> {
    const sending = this.#sending(notification)
    for (const device of devices) await sending.add(device, waits)
    return waits ? await sending.finished() : undefined
  }

  async #byQuery (where: object, notification: Row, options: OperationOptions, waits: boolean): Promise<Sent> {
    const sending = this.#sending(notification)
    const Installation = this.models.get('Installation')
    const idName = Installation.getIdName() as string
    const pages = pagesOf(this.models, where, options)
    const hand = async (rows: readonly Row[]): Promise<void> => {
      for (const row of rows) await sending.tryAdd(deviceOf(row, idName))
    }
    const { value: first = [] } = await pages.next() as { value?: Row[] }
    const rest = async (): Promise<Sent> => {
      for await (const page of pages) await hand(page)
      const report = await sending.finished()
      if (sending.fault !== undefined) this.#fault(sending.fault)
      return report
    }
    if (!waits) {
      // Who calls back is told of what cannot be sent at all; a slow provider does not hold the response.
      for (const type of new Map(first.map(row => [JSON.stringify([row.appId, row.deviceType]), row])).values()) {
        await this.#applications.lane(type.appId, String(type.deviceType))
      }
      this.#later(hand(first).then(rest))
      return undefined
    }
    await hand(first)
    const report = await rest()
    if (sending.fault !== undefined && report?.sent === 0) throw sending.fault as Error
    return report
  }

  #sending (notification: Row): Sending {
    return new Sending(
      { models: this.models, applications: this.#applications, recorder: this.#recorder }, notification
    )
  }

  #later (work: Promise<unknown>): void {
    const settled = work.catch(error => { this.#fault(error) }).finally(() => { this.#background.delete(settled) })
    this.#background.add(settled)
  }

  #listen (provider: OwnProvider, appId: unknown, deviceType: string): void {
    provider.on('devicesGone', (tokens: unknown) => {
      this.#recorder.gone(appId, deviceType, ([tokens].flat() as unknown[]).map(String))
    })
    provider.on('error', error => { this.#fault(error) })
  }

  #context (): ProviderContext {
    const { registry } = this.models
    return {
      baseDir: registry?.baseDir ?? process.cwd(),
      allowLoopback: process.env.NODE_ENV !== 'production',
      warn: (details, message) => { registry?.log.warn(details, message) }
    }
  }

  /** Nobody who listens to nothing ends for it (PU-43). */
  #fault (error: unknown): void {
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else {
      const { code, message } = (error ?? {}) as { code?: unknown, message?: unknown }
      this.models.registry?.log.warn({ code, reason: typeof code === 'string' ? message : undefined }, 'push: sending failed')
    }
  }
}

/** A manager of push notifications. */
export type PushManager = Manager

interface PushManagerClass {
  new (settings?: PushOptions & { readonly [key: string]: unknown }, name?: string): Manager
  (settings?: PushOptions & { readonly [key: string]: unknown }, name?: string): Manager
  readonly prototype: Manager
  /** Classes of providers by types of devices; an application adds its own. */
  readonly providers: Record<string, ProviderClass>
}

/**
 * Makes a manager, with or without `new`.
 *
 * ```js
 * const push = new PushManager({ retries: 3 })
 * push.Installation = app.models.Installation
 * const { sent, gone } = await push.notifyByQuery({ userId: '7' }, { alert: 'Your order is on its way' })
 * ```
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS
 */
// eslint-disable-next-line @typescript-eslint/no-redeclare -- a type and its constructor, as Map has them
export const PushManager: PushManagerClass = new Proxy(Manager, {
  apply: (Class, _this, args: []) => new Class(...args)
}) as unknown as PushManagerClass
