/**
 * Devices that wait for somebody's decision: rows that all processes see. Which of several decisions, and which of
 * several polls, counts is decided by the store: a row can be added, and removed, once.
 */
import type { Row } from '@fastback/core'
import { randomText } from '../digest.js'
import type { StoredParameter } from '../openid/context.js'
import type { States } from '../stores/states.js'
import { newUserCode } from './user-code.js'

/** What a device asked for. */
export interface DeviceRequest {
  readonly clientId: string
  readonly scopes: readonly string[]
  /** What the access is for (RFC 8707); undefined: this server. */
  readonly resources?: readonly string[] | undefined
}

interface WaitingDevice extends DeviceRequest {
  /** Milliseconds since 1970; the row stays longer, so that a late poll is told what happened. */
  readonly ends: number
  /** Seconds. */
  readonly interval: number
  /** Milliseconds since 1970. */
  readonly polled: number
}

/** What somebody decided. */
export type Decision =
  | { readonly allowed: false }
  | {
    readonly allowed: true
    readonly userId: unknown
    /** It ends with what the user gave to this client. */
    readonly clientId: string
    readonly grantId: string
    readonly scopes: readonly string[]
    readonly resources?: readonly string[] | undefined
    /** What the tokens are told of the login. */
    readonly parameters?: readonly StoredParameter[]
  }

/** A device whose user code somebody typed. */
export interface FoundDevice extends DeviceRequest {
  readonly userCode: string
  /** Names the row of the device; it is no code. */
  readonly key: string
  readonly ends: Date
}

/** What a poll finds. */
export type Polled =
  | 'unknown' | 'expired' | 'pending' | 'too soon' | 'denied'
  | { readonly key: string, readonly decision: Decision & { readonly allowed: true } }

/** Seconds that a poll learns of an old code that it is old. */
const remembered = 600
/** Seconds that the interval grows by (RFC 8628, section 3.5). */
const slower = 5

export class DeviceCodes {
  constructor (readonly states: States, readonly settings: { readonly ttl: number, readonly interval: number }) {}

  /** Two new codes. */
  async begin (request: DeviceRequest): Promise<{ readonly deviceCode: string, readonly userCode: string }> {
    const { states, settings: { ttl, interval } } = this
    const deviceCode = randomText()
    const key = states.digest(deviceCode)
    const ends = Date.now() + ttl * 1000
    let userCode = newUserCode()
    // Two devices with the same code would be one.
    while (!await states.add('user code', userCode, new Date(ends), { ...request, device: key })) {
      userCode = newUserCode()
    }
    const waiting: WaitingDevice = { ...request, ends, interval, polled: 0 }
    await states.add('device', key, new Date(ends + remembered * 1000), waiting)
    return { deviceCode, userCode }
  }

  /** The device that waits with a user code; undefined once somebody has decided. */
  async find (userCode: string): Promise<FoundDevice | undefined> {
    const found = await this.states.get('user code', userCode)
    if (found === undefined) return undefined
    const { device, clientId, scopes, resources } = found.data as Row & DeviceRequest & { device: string }
    return { userCode, key: device, clientId, scopes, resources, ends: found.expiredAt }
  }

  /** Stores a decision: false where somebody else has decided, or it is too late. */
  async decide ({ userCode, key, ends }: FoundDevice, decision: Decision): Promise<boolean> {
    if (!await this.states.remove('user code', userCode)) return false
    const until = new Date(ends.getTime() + remembered * 1000)
    // It ends with the credentials of the user who made it.
    return await this.states.add('device decision', key, until, decision, decision.allowed ? decision.userId : undefined)
  }

  /** Takes a decision back that no poll has seen the use of. */
  async withdraw ({ key }: Pick<FoundDevice, 'key'>): Promise<void> {
    await this.states.remove('device', key)
    await this.states.remove('device decision', key)
  }

  /** What a device with this code of this client may know (OI-143). */
  async poll (deviceCode: string, clientId: string): Promise<Polled> {
    const { states } = this
    const key = states.digest(deviceCode)
    const waiting = (await states.get('device', key))?.data as WaitingDevice | undefined
    if (waiting === undefined || waiting.clientId !== clientId) return 'unknown'
    const now = Date.now()
    if (waiting.ends <= now) return 'expired'
    const decision = await this.decisionOf(key)
    if (decision !== undefined) return decision.allowed ? { key, decision } : 'denied'
    const isTooSoon = now - waiting.polled < waiting.interval * 1000
    const interval = isTooSoon ? waiting.interval + slower : waiting.interval
    await states.change('device', key, { ...waiting, interval, polled: now })
    return isTooSoon ? 'too soon' : 'pending'
  }

  /** Undefined: nobody has decided, or the user's credentials have changed since. */
  async decisionOf (key: string): Promise<Decision | undefined> {
    return (await this.states.get('device decision', key))?.data as Decision | undefined
  }

  /** Uses a device code up: true for one caller only, whichever process it is in. */
  async use (key: string): Promise<boolean> {
    return await this.states.remove('device', key)
  }
}
