/** A transaction on a connection of its own. */
import type { MaybePromise } from '@fastback/core'
import { databaseTimeout } from '../../errors.js'
import type { Acting, Connection, Part, TakeRows } from '../driver.js'
import { allRows, isRead, ServerConnection } from './connection.js'
import type { ServerDatabase } from './database.js'
import type { StatementText } from './statement-text.js'

export abstract class TransactionConnection<Client extends object, Result> extends ServerConnection<Client, Result> {
  #tail: Promise<unknown> = Promise.resolve()
  /** What refuses the statements under way. */
  readonly #refusals = new Set<(error: Error) => void>()
  /** Why the transaction was given up with a statement under way, whatever the driver makes of that. */
  #givenUp: Error | undefined
  /** The connection is no longer usable. */
  lost = false
  /** Nothing has been done in the transaction yet. */
  protected fresh = true

  /** @param depth 0 for the transaction itself, more for what runs behind savepoints */
  constructor (database: ServerDatabase<Client, Result>, readonly client: Client, readonly depth: number) {
    super(database)
  }

  /** Undoes everything since a savepoint. */
  protected abstract rollBackTo (savepoint: string): Promise<void>
  /** Undoes the transaction. */
  protected abstract undo (): Promise<void>
  /** `lock`, when its turn has come. */
  protected abstract takeLock (name: string): Promise<void>
  /** `takeTime`, when its turn has come. */
  protected abstract liftLimits (): Promise<void>
  /** The statements of a script, each as it is sent. */
  protected abstract statementsOf (script: string): string[]
  /** `scan`, when its turn has come. */
  protected abstract readBatches (sql: string, values: readonly unknown[], take: TakeRows, part: Part): Promise<void>

  /** Whether it makes sense to send a ROLLBACK. */
  protected get canRollBack (): boolean {
    return !this.lost
  }

  /** @throws when the server would run statements outside of the transaction */
  protected mustBeUsable (): void {}

  /** Takes note of what an error of a statement means for the transaction. */
  protected failed (error: unknown): void {
    this.lost ||= this.database.driver.isLost(error)
  }

  /** Takes over the state of a part that failed. */
  protected takeOver (part: this): void {
    this.lost ||= part.lost
  }

  /** Does what is needed so that an error of a statement leaves the transaction usable. */
  protected guarded<T> (_writes: boolean, work: () => Promise<T>): Promise<T> {
    return work()
  }

  /** One statement after the other: what stands behind a savepoint must not be mixed with anything else. */
  protected inTurn<T> (work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work)
    this.#tail = result.catch(() => {})
    return result
  }

  protected async send<T> (work: (client: Client) => Promise<T>): Promise<T> {
    this.mustBeUsable()
    let refuse: (error: Error) => void = () => {}
    try {
      if (this.#givenUp !== undefined) throw this.#givenUp
      // No race with a promise of the transaction's: it would hold the result of every statement until its end.
      return await new Promise<T>((resolve, reject) => {
        refuse = reject
        this.#refusals.add(refuse)
        work(this.client).then(resolve, reject)
      })
    } catch (error) {
      this.failed(error)
      throw error
    } finally {
      this.#refusals.delete(refuse)
    }
  }

  /** Sends one statement as it is. */
  protected sendStatement (text: StatementText, values: readonly unknown[] | undefined): Promise<Result> {
    return this.send(client => new Promise((resolve, reject) => {
      this.database.driver.run(client, text, values, { answered: resolve, failed: reject })
    }))
  }

  /** Sends a statement without values. */
  protected sendText (sql: string): Promise<Result> {
    return this.sendStatement({ sql, name: undefined }, undefined)
  }

  run<T> (text: StatementText, values: readonly unknown[] | undefined, read: (result: Result) => T): Promise<T> {
    const send = (): Promise<Result> => this.sendStatement(text, values)
    return this.inTurn(() => this.guarded(!isRead(text.sql), send)).then(read)
  }

  rows (sql: string, values: readonly unknown[]): Promise<Array<Record<string, unknown>>> {
    const send = (): Promise<Array<Record<string, unknown>>> =>
      this.send(client => this.database.driver.runForObjects(client, sql, values))
    return this.inTurn(() => this.guarded(true, send))
  }

  atomically<T> (work: (connection: Connection) => MaybePromise<T>): Promise<T> {
    return this.#part(work)
  }

  /** Nobody else's statement comes between; what fails takes the change of the session back with it. */
  actingAs<T> (acting: Acting, work: (connection: Connection) => MaybePromise<T>): Promise<T> {
    return this.#part(work, acting)
  }

  #part<T> (work: (connection: Connection) => MaybePromise<T>, acting?: Acting): Promise<T> {
    return this.inTurn(async () => {
      const savepoint = `fastback_nested_${this.depth}`
      this.fresh = false
      await this.sendText(acting === undefined ? `SAVEPOINT ${savepoint}` : `SAVEPOINT ${savepoint}; ${acting.enter}`)
      const part = this.database.driver.transaction(this.database, this.client, this) as this
      try {
        const result = await work(part)
        const release = `RELEASE SAVEPOINT ${savepoint}`
        await this.sendText(acting === undefined ? release : `${release}; ${acting.leave}`)
        return result
      } catch (error) {
        this.takeOver(part)
        if (this.canRollBack) await this.rollBackTo(savepoint)
        throw error
      }
    })
  }

  lock (name: string): Promise<void> {
    return this.inTurn(() => {
      this.fresh = false
      return this.takeLock(name)
    })
  }

  takeTime (): Promise<void> {
    return this.inTurn(() => {
      this.fresh = false
      return this.liftLimits()
    })
  }

  script (text: string): Promise<void> {
    return this.inTurn(async () => {
      this.fresh = false
      for (const statement of this.statementsOf(text)) await this.sendText(statement)
    })
  }

  scan (
    _key: string,
    sql: string,
    values: readonly unknown[],
    take: TakeRows,
    part: Part = allRows
  ): Promise<void> {
    return this.inTurn(() => {
      this.fresh = false
      return this.readBatches(sql, values, take, part)
    })
  }

  savepoint (name: string): Promise<void> {
    return this.inTurn(async () => {
      this.fresh = false
      await this.sendText(`SAVEPOINT ${name}`)
    })
  }

  releasePart (name: string): Promise<void> {
    return this.inTurn(async () => { await this.sendText(`RELEASE SAVEPOINT ${name}`) })
  }

  undoPart (name: string): Promise<void> {
    return this.inTurn(async () => { if (this.canRollBack) await this.rollBackTo(name) })
  }

  async abort (): Promise<void> {
    if (this.#refusals.size === 0) {
      await this.rollback()
      return
    }
    this.lost = true
    this.#givenUp = databaseTimeout()
    for (const refuse of this.#refusals) refuse(this.#givenUp)
  }

  /** What was lost is rolled back by the server. */
  rollback (): Promise<void> {
    return this.inTurn(async () => {
      try {
        if (!this.lost) await this.undo()
      } catch (error) {
        if (!this.lost) throw error
      }
    })
  }
}
