/** Sends one notification to many devices: by a query, a list of tokens, or one row. */
import { isRemote, type OperationOptions, type Row } from '@fastback/core'
import { findRows, updateRows } from '@fastback/core/remote'
import type { PushModels } from '../models/push-models.js'
import type { Message } from '../provider/provider.js'
import type { Result } from '../provider/outcome.js'
import type { Applications } from './applications.js'
import { deadlineOf, messageFor } from './messages.js'
import type { Recorder } from './recorder.js'
import { Report } from './report.js'

/** A device to send to. */
export interface Device {
  readonly appId: unknown
  readonly deviceType: string
  readonly token: string
  readonly installationId?: unknown
  readonly badge?: unknown
}

/** Rows that are read at a time (PU-44). */
export const pageSize = 500

/** One call: its notification, and what has become of its messages so far. */
export class Sending {
  readonly report = new Report()
  readonly #messages = new Map<string, Promise<Message>>()
  #open = 0
  #resolve: (() => void) | undefined
  /** Devices whose application or type cannot be sent to. */
  fault: unknown

  /**
   * @param told called with each result, once it is known
   */
  constructor (
    readonly parts: { readonly models: PushModels, readonly applications: Applications, readonly recorder: Recorder },
    readonly notification: Row,
    readonly told: (device: Device, result: Result) => void = () => {}
  ) {}

  /**
   * Hands a message over.
   * @param mayWait whether it waits for room in the queue
   * @throws ValidationError; Error with `details`; FBK_PUSH_BUSY
   */
  async add (device: Device, mayWait: boolean): Promise<void> {
    const { appId, deviceType, token } = device
    const message = await this.#message(device)
    const notificationId = this.notification.id
    this.#open++
    const done = (result: Result): void => {
      this.#open--
      this.report.add(result)
      this.parts.recorder.add({ ...device, notificationId }, result)
      this.told(device, result)
      if (this.#open === 0) this.#resolve?.()
    }
    try {
      const job = { message, token, deadline: deadlineOf(message), done }
      await this.parts.applications.add(appId, deviceType, job, mayWait)
    } catch (error) {
      this.#open--
      throw error
    }
  }

  /** Like `add`, where the fault of one device must not stop the others: it is a failed message. */
  async tryAdd (device: Device): Promise<void> {
    try {
      await this.add(device, true)
    } catch (error) {
      this.fault ??= error
      const result: Result = { status: 'failed', reason: 'NotConfigured', attempts: 0 }
      this.report.add(result)
      this.parts.recorder.add({ ...device, notificationId: this.notification.id }, result)
      this.told(device, result)
    }
  }

  /** All that was handed over is done. */
  async finished (): Promise<Report> {
    if (this.#open > 0) await new Promise<void>(resolve => { this.#resolve = resolve })
    return this.report
  }

  async #message (device: Device): Promise<Message> {
    const { deviceType } = device
    let message = this.#messages.get(deviceType)
    if (message === undefined) {
      message = messageFor(this.parts.models, this.notification, deviceType, device.token)
      this.#messages.set(deviceType, message)
    }
    return this.notification.incrementBadge === true ? await this.#counted(device, await message) : await message
  }

  /** The services cannot count: the row of the device does (PU-76). */
  async #counted ({ installationId, badge }: Device, message: Message): Promise<Message> {
    const step = Number(message.badge)
    const Installation = this.parts.models.find('Installation')
    if (installationId === undefined || Installation === undefined || !Number.isFinite(step)) return message
    const next = Math.max(0, Number(badge ?? 0) + step)
    const where = { [Installation.getIdName() as string]: installationId }
    await updateRows(Installation.compiled, where, { badge: next }, { notify: false })
    return { ...message, badge: next }
  }
}

/** A row as a device. */
export const deviceOf = (row: Row, idName: string): Device => ({
  appId: row.appId,
  deviceType: String(row.deviceType),
  token: String(row.deviceToken),
  installationId: row[idName],
  badge: row.badge
})

/**
 * The devices of a query, a page at a time, in the order of their ids.
 * @param after the id of the last row that was seen
 * @throws RequestError for a condition that is none
 */
export async function * pagesOf (
  models: PushModels, where: unknown, options: OperationOptions, after?: unknown
): AsyncGenerator<Row[]> {
  const Installation = models.get('Installation')
  const idName = Installation.getIdName() as string
  const { compiled } = Installation
  for (let last = after; ;) {
    const page: Row[] = await findRows(compiled, {
      where: last === undefined ? where : { and: [where, { [idName]: { gt: last } }] },
      order: `${idName} ASC`,
      limit: pageSize,
      ...(isRemote(options) ? { fields: [idName] } : {})
    }, options)
    if (page.length === 0) return
    // Somebody outside may choose devices, and see no tokens: those are read apart.
    const chosen = { where: { [idName]: { inq: page.map(row => row[idName]) } }, limit: pageSize }
    yield isRemote(options) ? await findRows(compiled, chosen, { notify: false }) : page
    if (page.length < pageSize) return
    last = page.at(-1)?.[idName]
  }
}
