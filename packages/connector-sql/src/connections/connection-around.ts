/** A connection that does something around another one: what it does not say itself, the other one does. */
import type { MaybePromise } from '@fastback/core'
import type { Acting, Connection, Part, Statement, TakeRows } from '../dialects/driver.js'

export class ConnectionAround implements Connection {
  constructor (readonly inner: Connection) {}

  get isDear (): boolean {
    return this.inner.isDear === true
  }

  prepared (key: string): Statement | undefined { return this.inner.prepared(key) }
  prepare (key: string, sql: string): Statement { return this.inner.prepare(key, sql) }
  execute (sql: string): MaybePromise<void> { return this.inner.execute(sql) }

  query (sql: string, values: readonly unknown[]): MaybePromise<readonly unknown[][]> {
    return this.inner.query(sql, values)
  }

  rows (sql: string, values: readonly unknown[]): MaybePromise<Array<Record<string, unknown>>> {
    return this.inner.rows(sql, values)
  }

  atomically<T> (work: (connection: Connection) => MaybePromise<T>): MaybePromise<T> {
    return this.inner.atomically(work)
  }

  actingAs<T> (acting: Acting, work: (connection: Connection) => MaybePromise<T>): MaybePromise<T> {
    const { inner } = this
    if (inner.actingAs === undefined) throw new TypeError('This database has no roles to act as')
    return inner.actingAs(acting, work)
  }

  lock (name: string): MaybePromise<void> { return this.inner.lock(name) }
  takeTime (): MaybePromise<void> { return this.inner.takeTime() }
  script (text: string): MaybePromise<void> { return this.inner.script(text) }

  scan (key: string, sql: string, values: readonly unknown[], take: TakeRows, part?: Part): MaybePromise<void> {
    return this.inner.scan(key, sql, values, take, part)
  }

  begin (isolationLevel: string | undefined, brittle?: boolean): MaybePromise<void> {
    return this.inner.begin(isolationLevel, brittle)
  }

  commit (): MaybePromise<void> { return this.inner.commit() }
  rollback (): MaybePromise<void> { return this.inner.rollback() }
  savepoint (name: string): MaybePromise<void> { return this.inner.savepoint(name) }
  releasePart (name: string): MaybePromise<void> { return this.inner.releasePart(name) }
  undoPart (name: string): MaybePromise<void> { return this.inner.undoPart(name) }
  abort (): MaybePromise<void> { return this.inner.abort() }
  close (): MaybePromise<void> { return this.inner.close() }
}
