/** What sends messages to the devices of one type. */
import { EventEmitter } from 'node:events'
import type { Outcome } from './outcome.js'

/** A notification as plain values: its declared properties, and those that travel as data. */
export type Message = Readonly<Record<string, unknown>>

/** What a provider is told besides the settings of its application. */
export interface ProviderContext {
  /** The folder that file names in settings are relative to. */
  readonly baseDir: string
  /** Whether addresses of this machine may be called: outside production (PU-69). */
  readonly allowLoopback: boolean
  warn (details: object, message: string): void
}

/**
 * The base of providers. One of an application's own extends it and implements `deliver`, or is any class with
 * `pushNotification(notification, deviceToken)` that emits `devicesGone` and `error` (PU-06).
 *
 * ```js
 * class PigeonProvider extends Provider {
 *   async deliver (message, token) {
 *     return await loft.send(token, message.alert) ? { status: 'sent' } : { status: 'gone', reason: 'Flown' }
 *   }
 * }
 * PushManager.providers.pigeon = PigeonProvider
 * ```
 */
export abstract class Provider extends EventEmitter {
  /** How many messages may be on their way at a time. */
  readonly concurrency: number = 100

  /** Hands one message to the service, once. Never rejects: whatever goes wrong is an outcome. */
  abstract deliver (message: Message, token: string): Promise<Outcome>

  /** Ends connections. Safe to call twice. */
  close (): void {}

  /**
   * Names the service that a device's messages go to, where there may be several: one that fails or is slow holds up
   * its own devices alone. Default: undefined, there is one.
   */
  serviceOf (_token: string): string | undefined {
    return undefined
  }

  /**
   * The form of LoopBack's component: sends without waiting, and emits `devicesGone` and `error`.
   *
   * ```js
   * provider.pushNotification({ alert: 'Hello' }, installation.deviceToken)
   * ```
   */
  pushNotification (notification: Message, deviceToken: string | readonly string[]): void {
    for (const token of [deviceToken].flat() as string[]) {
      const tell = (reason: string): void => {
        if (this.listenerCount('error') > 0) this.emit('error', new Error(reason))
      }
      this.deliver(notification, token).then(outcome => {
        if (outcome.status === 'gone') this.emit('devicesGone', [token])
        else if (outcome.status !== 'sent') tell(outcome.reason)
      }, () => { tell('ProviderFailed') })
    }
  }
}

/** A provider as an application may bring it. */
export interface OwnProvider extends EventEmitter {
  pushNotification (notification: Message, deviceToken: string | readonly string[]): unknown
  close? (): unknown
}

/** A class of providers, made with the `pushSettings` of an application. */
export type ProviderClass = new (settings: PushSettings, context: ProviderContext) => OwnProvider

/** `Application.pushSettings`: a part for each service (PU-18). */
export type PushSettings = Readonly<Record<string, unknown>>

const noContext: ProviderContext = {
  baseDir: process.cwd(), allowLoopback: process.env.NODE_ENV !== 'production', warn () {}
}

/** The context for providers that code makes by itself. */
export const contextOr = (given: ProviderContext | undefined): ProviderContext => given ?? noContext
