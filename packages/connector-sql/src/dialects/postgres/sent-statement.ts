/**
 * A statement as `pg` sends it (its interface `Submittable`, by which cursors and streams are added), without what this
 * connector has no use for. Nobody asks the server to describe the columns, since they are known; values stay the texts
 * that the server sends; there is no promise. Messages: https://www.postgresql.org/docs/current/protocol-flow.html
 */
import type { Connection, Submittable } from 'pg'
import type { Asking } from '../server/driver.js'
import { arrayText } from './quote.js'

/** What `pg`'s types leave out of a connection. */
interface Wire extends Connection {
  /** The texts of the statements that the server has prepared, by their names. */
  readonly parsedStatements: Readonly<Record<string, string>>
  sendCopyFail (why: string): void
}

interface DataRow { readonly fields: unknown[] }
interface CommandComplete { readonly text: string }

/** The `more` of older drivers, which gathered messages themselves. */
const more = true

/** Under which the server has the statement that others are sent behind. */
export const actingName = 'fastback_acting'

export class SentStatement implements Submittable {
  /** Of the last result; without their types. */
  rows: unknown[][] = []
  /** What the server says it did, such as `INSERT 0 1`. */
  tag = ''

  readonly values: Array<string | Buffer | null> | undefined
  #isBehind = false

  /**
   * @param name under which the server prepares it; undefined where it does not
   * @param values texts, numbers, booleans, bytes, null, and lists of these; undefined where the text is sent as it is:
   * it may be several statements, and some cannot be prepared
   * @param before values of the statement `actingName`, which the server has prepared: it runs in front of this one, in
   * the transaction that both are
   * @throws TypeError for other values
   */
  constructor (
    readonly text: string,
    readonly name: string | undefined,
    values: readonly unknown[] | undefined,
    readonly asking: Asking<SentStatement>,
    readonly before?: { readonly values: readonly string[] }
  ) {
    this.values = values?.map(wireValue)
  }

  submit (connection: Connection): void {
    const { text, name, values } = this
    if (values === undefined || (values.length === 0 && name === undefined && this.before === undefined)) {
      connection.query(text)
      return
    }
    const wire = connection as Wire
    // All in one write.
    connection.stream.cork()
    try {
      if (this.before !== undefined) {
        connection.bind({ statement: actingName, values: [...this.before.values] }, more)
        connection.execute(null, more)
      }
      if (name === undefined || wire.parsedStatements[name] === undefined) {
        connection.parse({ text, name: name ?? '', types: [] }, more)
      }
      connection.bind({ statement: name ?? '', values }, more)
      connection.execute(null, more)
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  handleRowDescription (): void {
    this.rows = []
  }

  handleDataRow ({ fields }: DataRow): void {
    this.rows.push(fields)
  }

  handleCommandComplete ({ text }: CommandComplete): void {
    this.tag = text
    if (this.before === undefined || this.#isBehind) return
    // What came so far is of the statement in front.
    this.#isBehind = true
    this.rows = []
  }

  handleReadyForQuery (): void {
    this.asking.answered(this)
  }

  handleError (error: unknown): void {
    this.asking.failed(error)
  }

  handleEmptyQuery (): void {}

  /** Only a limit for the rows of an execution makes the server pause, and there is none. */
  handlePortalSuspended (): void {}

  handleCopyInResponse (connection: Connection): void {
    (connection as Wire).sendCopyFail('there is nothing to copy from')
  }

  handleCopyData (): void {}
}

/** As the protocol has values. */
function wireValue (value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string': return value
    case 'number': case 'bigint': case 'boolean': return String(value)
  }
  if (value === null || value === undefined) return null
  if (value instanceof Buffer) return value
  if (Array.isArray(value)) return arrayText(value)
  throw new TypeError('PostgreSQL cannot be sent an object: encode it first.')
}

/** How many rows a command says that it did something to; 0 where it does not say. */
export const rowsIn = (tag: string): number => Number(/(?<!\d)\d+$/.exec(tag)?.[0] ?? 0)
