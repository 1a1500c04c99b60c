/** Notifications in the database, which processes share and no end of one loses (PU-73, PU-75). */
import { randomUUID } from 'node:crypto'
import { isRemote, type ModelClass, type OperationOptions, type Row } from '@fastback/core'
import { asRemote, countRows, createInstance, createInstances, deleteRows, findRowById, findRows, updateRows } from '@fastback/core/remote'
import type { FilledOptions } from '../settings.js'
import { BatchWork } from './batch-work.js'
import type { BatchRow } from './batch-row.js'
import { Lease } from './lease.js'
import { pagesOf, type Device } from './sender.js'
import type { OutboxParts } from './outbox-parts.js'

/** Devices of a batch. */
const batchSize = 100
/** Batches that a process works on at a time. */
const mostOpen = 5
/** Rows that are looked at to find one that nobody has taken. */
const candidates = 20
const topic = 'push queued'
const quiet = { notify: false }

export class Outbox {
  readonly #open = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #again = false
  #isStopped = true
  #unsubscribe: (() => void) | undefined

  constructor (
    readonly parts: OutboxParts,
    readonly options: FilledOptions,
    readonly fault: (error: unknown) => void
  ) {}

  /** Stores a notification for a condition. */
  async addQuery (where: object, notification: Row, options: OperationOptions): Promise<undefined> {
    // A condition that is none is the caller's fault, and is said now: it is read as the caller's, with one row.
    await pagesOf(this.parts.models, { and: [where, { appId: '' }] }, options).next()
    const notificationId = await this.#store(notification, '*', '*')
    await this.#addBatches(notification, [{
      notificationId, where: { asked: where, outside: isRemote(options) }
    }])
    this.#wake()
    return undefined
  }

  /** Stores a notification for devices: by their rows, else by their tokens. */
  async addDevices (devices: readonly Device[], notification: Row): Promise<undefined> {
    const [{ deviceType, token } = { deviceType: '*', token: '*' }] = devices
    const notificationId = await this.#store(notification, deviceType, devices.length === 1 ? token : '*')
    await this.#addBatches(notification, batchesOf(devices).map(batch => ({ notificationId, ...batch })))
    this.#wake()
    return undefined
  }

  start (): void {
    if (!this.#isStopped) return
    this.#isStopped = false
    const { bus } = this.parts.models.get('PushBatch').registry
    const look = (): void => { this.#look() }
    this.#unsubscribe = bus.subscribe(topic, { message: look, reset: look })
    this.#timer = setInterval(look, this.options.pollInterval)
    this.#timer.unref()
    this.#look()
  }

  /** Takes nothing new. */
  async stop (): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#unsubscribe?.()
    await this.#looking
  }

  /** What was taken is written down, so that others go on with the rest. */
  async settled (): Promise<void> {
    await Promise.allSettled([...this.#open])
  }

  async #store (notification: Row, deviceType: string, deviceToken: string): Promise<string> {
    const Notification = this.parts.models.get('Notification')
    const { id: _id, options: _options, ...row } = notification
    const stored = await createInstance(
      Notification.compiled, { ...row, deviceType, deviceToken, status: 'queued' }, {}
    ) as Row
    return String(stored[Notification.getIdName() as string])
  }

  async #addBatches (notification: Row, rows: readonly Row[]): Promise<void> {
    const { compiled } = this.#model
    const { scheduledTime } = notification
    const due = scheduledTime === undefined || scheduledTime === null ? new Date() : new Date(scheduledTime as string)
    await createInstances(compiled, rows.map(row => ({ ...row, status: 'queued', due, lease: '', attempts: 0 })), quiet)
  }

  get #model (): ModelClass {
    return this.parts.models.get('PushBatch')
  }

  #wake (): void {
    this.#model.registry.bus.publish(topic, null)
    this.#look()
  }

  #look (): void {
    if (this.#isStopped) return
    if (this.#looking !== undefined) {
      this.#again = true
      return
    }
    this.#looking = this.#takeAll().catch(this.fault).finally(() => {
      this.#looking = undefined
      if (!this.#again) return
      this.#again = false
      this.#look()
    })
  }

  async #takeAll (): Promise<void> {
    while (!this.#isStopped && this.#open.size < mostOpen) {
      const taken = await this.#take()
      if (taken === undefined) {
        await this.#finishLeft()
        return
      }
      const work = this.#work(taken).catch(this.fault).finally(() => {
        this.#open.delete(work)
        this.#look()
      })
      this.#open.add(work)
    }
  }

  /** A row that is due belongs to anyone who changes its lease first. */
  async #take (): Promise<BatchRow | undefined> {
    const { compiled } = this.#model
    const id = this.#model.getIdName() as string
    const found: Row[] = await findRows(compiled, {
      where: { status: 'queued', due: { lte: new Date() } }, order: 'due ASC', limit: candidates
    }, quiet)
    // Others look at the same rows: they begin with different ones.
    for (let i = found.length; i > 0; i--) {
      const [row] = found.splice(Math.floor(Math.random() * i), 1) as [Row]
      const lease = randomUUID()
      const attempts = Number(row.attempts ?? 0) + 1
      const { count } = await updateRows(compiled, {
        [id]: row[id], status: 'queued', lease: row.lease, attempts: row.attempts
      }, { lease, attempts, due: this.#leaseEnd() }, quiet)
      if (count === 1) return { ...row, id: row[id], lease, attempts } as unknown as BatchRow
    }
    return undefined
  }

  #leaseEnd (): Date {
    return new Date(Date.now() + this.options.lease)
  }

  async #work (row: BatchRow): Promise<void> {
    const lease = new Lease(this.#model, row, () => this.#leaseEnd(), this.options.lease / 3)
    try {
      const Notification = this.parts.models.get('Notification')
      const notification = await findRowById(Notification.compiled, row.notificationId, undefined, quiet)
      if (notification === undefined) {
        await lease.end('faulty')
        await this.#finish(row.notificationId)
        return
      }
      await this.#begin(row.notificationId, notification)
      if (row.where !== undefined && row.where !== null) await this.#expand(row, notification, lease)
      else await new BatchWork(this.parts, row, notification, lease, () => this.#isStopped).run()
      await this.#finish(row.notificationId)
    } finally {
      lease.stop()
    }
  }

  /**
   * Goes through a query. Each page becomes batches at once, and a page that a process was ended after is not made
   * again.
   */
  async #expand (row: BatchRow, notification: Row, lease: Lease): Promise<void> {
    const { models } = this.parts
    const { asked, outside } = row.where as { asked: object, outside: boolean }
    const Installation = models.get('Installation')
    const idName = Installation.getIdName() as string
    const options = outside ? asRemote({}) : {}
    let cursor = row.cursor === undefined || row.cursor === null ? undefined : JSON.parse(row.cursor) as unknown
    if (row.attempts > 1) cursor = await this.#passMade(row, cursor)
    for await (const page of pagesOf(models, asked, options, cursor)) {
      if (this.#isStopped || !lease.isOurs) {
        await lease.release()
        return
      }
      const last = JSON.stringify(page.at(-1)?.[idName])
      const devices = page.map(each => ({
        appId: each.appId, deviceType: String(each.deviceType), token: '', installationId: each[idName]
      }))
      const part = partOf(row, cursor)
      await this.#addBatches({ ...notification, scheduledTime: undefined }, batchesOf(devices)
        .map(batch => ({ notificationId: row.notificationId, part, last, ...batch })))
      cursor = JSON.parse(last) as unknown
      await lease.change({ cursor: last })
      this.#wake()
    }
    await lease.end('done')
  }

  /** Pages that were made before their place was written down. */
  async #passMade (row: BatchRow, from: unknown): Promise<unknown> {
    const [made]: Row[] = await findRows(this.#model.compiled, { where: { part: partOf(row, from) }, limit: 1 }, quiet)
    return made === undefined ? from : JSON.parse(made.last as string)
  }

  async #begin (notificationId: string, { status }: Row): Promise<void> {
    if (status === 'queued') await this.#mark({ status: 'queued' }, notificationId, 'sending')
  }

  async #mark (from: Row, notificationId: string, status: string): Promise<void> {
    const Notification = this.parts.models.get('Notification')
    const where = { ...from, [Notification.getIdName() as string]: notificationId }
    await updateRows(Notification.compiled, where, { status }, quiet)
  }

  /**
   * The last batch of a notification ends it. Batches with failures stay, as what could not be sent. Rows that say that
   * there was work go last: a process that is killed in the middle leaves something for `#finishLeft` to find.
   */
  async #finish (notificationId: string): Promise<void> {
    const { compiled } = this.#model
    const having = async (status: string): Promise<number> =>
      await countRows(compiled, { notificationId, status }, quiet)
    if (await having('queued') > 0) return
    const isWhole = await having('faulty') + await having('failed') === 0
    await this.#mark({}, notificationId, isWhole ? 'sent' : 'failed')
    await updateRows(compiled, { notificationId, status: 'faulty' }, { status: 'failed' }, quiet)
    await deleteRows(compiled, { notificationId, status: 'done' }, quiet)
  }

  /** Ends what a process that was killed had no time to end; a notification is looked at once in a lease's time. */
  async #finishLeft (): Promise<void> {
    const { compiled } = this.#model
    const ended = { status: { inq: ['done', 'faulty'] } }
    const [left]: Row[] = await findRows(compiled, { where: { ...ended, due: { lte: new Date() } }, limit: 1 }, quiet)
    if (left === undefined) return
    const notificationId = left.notificationId as string
    await updateRows(compiled, { ...ended, notificationId }, { due: this.#leaseEnd() }, quiet)
    await this.#finish(notificationId)
  }
}

const partOf = (row: BatchRow, cursor: unknown): string => `${String(row.id)}:${JSON.stringify(cursor ?? null)}`

/** Devices of one application and type, at most a hundred together. */
function batchesOf (devices: readonly Device[]): Row[] {
  const groups = new Map<string, Device[]>()
  for (const device of devices) {
    const key = JSON.stringify([device.appId, device.deviceType, device.installationId === undefined])
    groups.set(key, [...groups.get(key) ?? [], device])
  }
  return [...groups.values()].flatMap(group => {
    const [{ appId, deviceType, installationId }] = group as [Device, ...Device[]]
    const batches: Row[] = []
    for (let i = 0; i < group.length; i += batchSize) {
      const some = group.slice(i, i + batchSize)
      batches.push({
        appId: String(appId),
        deviceType,
        ...(installationId === undefined
          ? { deviceTokens: some.map(({ token }) => token) }
          : { installationIds: some.map(each => String(each.installationId)) })
      })
    }
    return batches
  })
}
