/** A connection whose statements observers are told of: `connector.observe('before execute', …)`. */
import type { Around, MaybePromise } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import type { Acting, Connection, Part, QueryResult, Statement, TakeRows } from '../dialects/driver.js'
import { ConnectionAround } from './connection-around.js'

/** What observers have of a statement before it runs; what they leave is what runs. */
interface SqlRequest { sql: string, params: readonly unknown[] }

export class ObservedConnection extends ConnectionAround {
  /** @param hold told of work that goes on in a transaction of its own while observers take their time */
  constructor (inner: Connection, readonly around: Around, readonly hold: (work: Promise<unknown>) => void) {
    super(inner)
  }

  #of (inner: Connection): Connection {
    return inner === this.inner ? this : new ObservedConnection(inner, this.around, this.hold)
  }

  override prepared (key: string): Statement | undefined {
    const statement = this.inner.prepared(key)
    return statement && new ObservedStatement(this, statement)
  }

  override prepare (key: string, sql: string): Statement {
    return new ObservedStatement(this, this.inner.prepare(key, sql))
  }

  override execute (sql: string): MaybePromise<void> {
    return this.around<SqlRequest, void>({ sql, params: [] }, ({ sql }) => this.inner.execute(sql))
  }

  // `query` looks at tables: no statement of an application's work.

  override rows (sql: string, values: readonly unknown[]): MaybePromise<Array<Record<string, unknown>>> {
    return this.around<SqlRequest, Array<Record<string, unknown>>>(
      { sql, params: values }, ({ sql, params }) => this.inner.rows(sql, params)
    )
  }

  override atomically<T> (work: (connection: Connection) => MaybePromise<T>): MaybePromise<T> {
    const result = this.inner.atomically(connection => work(this.#of(connection)))
    if (isPromise(result)) this.hold(result)
    return result
  }

  override actingAs<T> (acting: Acting, work: (connection: Connection) => MaybePromise<T>): MaybePromise<T> {
    return super.actingAs(acting, connection => work(this.#of(connection)))
  }

  override script (text: string): MaybePromise<void> {
    return this.around<SqlRequest, void>({ sql: text, params: [] }, ({ sql }) => this.inner.script(sql))
  }

  override scan (
    key: string, sql: string, values: readonly unknown[], take: TakeRows, part?: Part
  ): MaybePromise<void> {
    return this.around<SqlRequest, void>({ sql, params: values }, ({ sql: left, params }) =>
      this.inner.scan(left === sql ? key : left, left, params, take, part))
  }
}

class ObservedStatement implements Statement {
  constructor (readonly connection: ObservedConnection, readonly statement: Statement) {}

  get sql (): string {
    return this.statement.sql
  }

  all (values: readonly unknown[]): MaybePromise<unknown[][]> {
    return this.#run(values, (statement, params) => statement.all(params))
  }

  get (values: readonly unknown[]): MaybePromise<unknown[] | undefined> {
    return this.#run(values, (statement, params) => statement.get(params))
  }

  run (values: readonly unknown[]): MaybePromise<QueryResult> {
    return this.#run(values, (statement, params) => statement.run(params))
  }

  #run<T> (
    values: readonly unknown[], run: (statement: Statement, params: readonly unknown[]) => MaybePromise<T>
  ): MaybePromise<T> {
    const { connection: { inner, around }, statement } = this
    return around<SqlRequest, T>({ sql: statement.sql, params: values }, ({ sql, params }) =>
      run(sql === statement.sql ? statement : inner.prepared(sql) ?? inner.prepare(sql, sql), params))
  }
}
