/**
 * Changes of a model that other processes made, and those that they are told of. A message has the row's id; who
 * listens reads the row itself. A removed row cannot be read: what of it may be seen goes with the message.
 */
import { BusPayloadError } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { whereIds } from '../operations/context.js'
import { rowsInStore } from '../operations/read.js'
import { coerceId, rowId } from '../query/id.js'
import type { Row } from '../properties/types.js'
import type { Change } from './change.js'

/**
 * `id` of `bulk`: milliseconds. `text`: of a removal the row as it was, of an update too where readers see a part of
 * the rows.
 */
type Message = readonly [type: Change['type'] | 'gap' | 'bulk', id?: unknown, text?: string]

/** Who hears what happened elsewhere. */
export interface RemoteChangeListener {
  /** Whether it is of use here: else no row is read. */
  isWanted (): boolean
  /**
   * @param before of an update: the row as it was, where that is known
   * @param isPartial whether that (of a removal: the row) is without its hidden properties
   */
  changed (type: Change['type'], row: Row, before?: Row, isPartial?: boolean): void
  /** Changes may be missing. */
  gap (): void
  /** A write by a condition is over, which began so many milliseconds ago. */
  bulk (age: number): void
}

export class RemoteChanges {
  #waiting: Message[] = []
  #reading: Promise<void> | undefined
  #stop: (() => void) | undefined

  constructor (
    readonly Model: ModelClass,
    readonly listener: RemoteChangeListener,
    readonly others: (areThere: boolean) => void
  ) {}

  /** Whether anybody has to be told. */
  get hasOthers (): boolean {
    return this.#stop !== undefined && this.Model.registry.bus.hasOthers
  }

  join (): void {
    this.#stop ??= this.Model.registry.bus.subscribe(this.#topic, {
      message: payload => { this.#take(payload as Message) },
      reset: () => { this.#take(['gap']) },
      others: this.others
    })
  }

  get #topic (): string {
    return `changes of ${this.Model.modelName}`
  }

  /**
   * @param text the row as JSON, without hidden properties; needed of a removed one
   * @param before the row before an update
   */
  tell (type: Change['type'], row: Row, text: string | undefined, before: Row | undefined): void {
    const { bus } = this.Model.registry
    const model = this.Model.compiled
    const id = rowId(model, row)
    const was = before === undefined ? undefined : model.stringify(before, false)
    const told = withoutSealed(model, type === 'remove' ? text : was)
    const idText = typeof id === 'bigint' ? String(id) : id
    const message: Message = id === undefined ? ['gap'] : told === undefined ? [type, idText] : [type, idText, told]
    try {
      bus.publish(this.#topic, message)
    } catch (error) {
      if (!(error instanceof BusPayloadError)) throw error
      bus.publish(this.#topic, ['gap'])
    }
  }

  tellGap (): void {
    this.Model.registry.bus.publish(this.#topic, ['gap'])
  }

  /** @param age milliseconds since a write by a condition began */
  tellBulk (age: number): void {
    this.Model.registry.bus.publish(this.#topic, ['bulk', Math.ceil(age)])
  }

  /** Rows are read together, as many messages as came meanwhile; what is told keeps their order. */
  #take (message: Message): void {
    if (!this.listener.isWanted()) return
    this.#waiting.push(message)
    this.#reading ??= this.#readAll()
  }

  async #readAll (): Promise<void> {
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const messages = this.#waiting.splice(0, 100)
      try {
        this.#tellAll(messages, await this.#rowsOf(messages))
      } catch (err) {
        this.Model.registry.log.warn({ err, model: this.Model.modelName }, 'changes elsewhere cannot be read')
        this.listener.gap()
      }
    }
    // At once: what comes in the next tick must find nobody who has just stopped looking.
    this.#reading = undefined
  }

  async #rowsOf (messages: readonly Message[]): Promise<ReadonlyMap<string, Row>> {
    const model = this.Model.compiled
    const ids = messages.flatMap(([type, id]) => {
      const known = type === 'create' || type === 'update' ? coerceId(model, id) : undefined
      return known === undefined ? [] : [known]
    })
    if (ids.length === 0) return new Map()
    const rows = await rowsInStore(model, whereIds(model, [...new Set(ids)]))
    return new Map(rows.map(row => [String(rowId(model, row)), row]))
  }

  /** A row that is not there any more was removed since: the message of that follows. */
  #tellAll (messages: readonly Message[], rows: ReadonlyMap<string, Row>): void {
    const model = this.Model.compiled
    for (const [type, id, text] of messages) {
      if (type === 'gap') this.listener.gap()
      else if (type === 'bulk') this.listener.bulk(Number(id))
      else if (type === 'remove') this.listener.changed(type, rowOfText(model, text as string), undefined, true)
      else {
        const row = rows.get(String(coerceId(model, id)))
        const before = text === undefined ? undefined : rowOfText(model, text)
        if (row !== undefined) this.listener.changed(type, row, before, before !== undefined)
      }
    }
  }
}

/** What is sealed at rest is not told to others by a bus, which may store its messages. */
function withoutSealed ({ sealedRows }: CompiledModel, text: string | undefined): string | undefined {
  if (sealedRows === undefined || text === undefined) return text
  const row = JSON.parse(text) as Row
  return JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !sealedRows.isSealed(name))))
}

const rowOfText = (model: CompiledModel, text: string): Row =>
  model.coerce(JSON.parse(text) as Row, () => {})
