/** Writes down what became of messages, many at a time: devices that are gone, the log of deliveries, measures. */
import type { Row } from '@fastback/core'
import { createInstances, deleteRows, measuresOf } from '@fastback/core/remote'
import type { PushModels } from '../models/push-models.js'
import type { Result } from '../provider/outcome.js'
import type { FilledOptions } from '../settings.js'

/** Which message to which device. */
export interface Subject {
  readonly appId: unknown
  readonly deviceType: string
  readonly token: string
  readonly installationId?: unknown
  readonly notificationId?: unknown
}

interface Gone { readonly token: string, readonly since: Date | undefined }

/** Rows of a statement (PU-42). */
const batch = 500
/** Milliseconds that a batch waits for more. */
const patience = 500
const day = 24 * 60 * 60 * 1000
const quiet = { notify: false }

export class Recorder {
  readonly #gone = new Map<string, Gone[]>()
  #log: Row[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #swept = 0
  readonly #counts = new Map<string, number>()
  #stopMeasures: Array<() => void> = []

  /** @param fault told of what went wrong; messages do not wait for it */
  constructor (
    readonly models: PushModels,
    readonly options: Pick<FilledOptions, 'deliveryLog' | 'deliveryLogDays'>,
    readonly fault: (error: unknown) => void
  ) {}

  add (subject: Subject, result: Result): void {
    this.#count(result.status)
    const { appId, deviceType, token, installationId, notificationId } = subject
    const reason = 'reason' in result ? result.reason : undefined
    const log = this.models.registry?.log
    const details = { notificationId, installationId, deviceType, reason, attempts: result.attempts }
    if (result.status === 'sent') log?.debug(details, 'push.sent')
    else log?.info(details, result.status === 'gone' ? 'push.gone' : 'push.failed')
    if (result.status === 'gone') this.gone(appId, deviceType, [token], result.since)
    if (this.options.deliveryLog !== true) return
    this.#log.push({
      notificationId: textOf(notificationId),
      installationId: textOf(installationId),
      deviceType,
      status: result.status,
      reason,
      providerId: result.status === 'sent' ? result.providerId : undefined,
      attempts: result.attempts
    })
    this.#later(this.#log.length)
  }

  /** Tokens that lead to no device any more. Without an application those of the type are meant. */
  gone (appId: unknown, deviceType: string, tokens: readonly string[], since?: Date): void {
    const key = JSON.stringify([appId ?? null, deviceType])
    const list = this.#gone.get(key) ?? []
    this.#gone.set(key, list)
    for (const token of tokens) list.push({ token, since })
    this.#later(list.length)
  }

  /** Everything so far is written. */
  async flush (): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gone = [...this.#gone]
    this.#gone.clear()
    const log = this.#log
    this.#log = []
    this.#writing = this.#writing.then(async () => {
      for (const [key, list] of gone) {
        for (let i = 0; i < list.length; i += batch) await this.#remove(key, list.slice(i, i + batch))
      }
      await this.#write(log)
    }).catch(this.fault)
    await this.#writing
  }

  /** @param waiting how many messages are not done */
  measure (waiting: () => number): void {
    const { registry } = this.models
    if (registry === undefined || this.#stopMeasures.length > 0) return
    const measures = measuresOf(registry)
    this.#stopMeasures.push(measures.add('pushWaiting', waiting))
    for (const status of ['sent', 'failed', 'gone', 'expired']) {
      this.#stopMeasures.push(measures.add('pushDone', () => this.#counts.get(status) ?? 0, status))
    }
  }

  #count (status: string): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
  }

  #later (size: number): void {
    const flush = (): void => { this.flush().catch(this.fault) }
    if (size >= batch) flush()
    else this.#timer ??= setTimeout(flush, patience)
  }

  /** A row that was changed after the service says that the device left is of a device that came back. */
  async #remove (key: string, list: readonly Gone[]): Promise<void> {
    const Installation = this.models.find('Installation')
    if (Installation === undefined || Installation.dataSource === null) return
    const [appId, deviceType] = JSON.parse(key) as [unknown, string]
    const always = list.filter(({ since }) => since === undefined).map(({ token }) => token)
    const dated = list.filter(({ since }) => since !== undefined).map(({ token, since }) => ({
      and: [{ deviceToken: token }, { or: [{ modified: { lte: since } }, { modified: null }] }]
    }))
    const which = [...(always.length > 0 ? [{ deviceToken: { inq: always } }] : []), ...dated]
    await deleteRows(Installation.compiled, {
      and: [{ deviceType, ...(appId === null ? {} : { appId }) }, { or: which }]
    }, {})
  }

  async #write (rows: readonly Row[]): Promise<void> {
    const Delivery = this.options.deliveryLog === true ? this.models.find('Delivery') : undefined
    if (Delivery === undefined || Delivery.dataSource === null) return
    if (rows.length > 0) await createInstances(Delivery.compiled, rows as Row[], quiet)
    const now = Date.now()
    if (now - this.#swept < day / 24) return
    this.#swept = now
    const before = new Date(now - this.options.deliveryLogDays * day)
    await deleteRows(Delivery.compiled, { created: { lt: before } }, quiet)
  }

  close (): void {
    for (const stop of this.#stopMeasures.splice(0)) stop()
  }
}

const textOf = (id: unknown): string | undefined => id === undefined || id === null ? undefined : String(id)
