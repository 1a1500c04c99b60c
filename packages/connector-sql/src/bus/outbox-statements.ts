/** The tables of the outbox, and what is asked of them, in a form that all engines know. */
import type { SqlSyntax } from '../dialects/sql-syntax.js'

export class OutboxStatements {
  /** Make the tables where they are not there. */
  readonly tables: readonly string[]
  /** Values: bus, number, message. */
  readonly insert: string
  /** Values: bus, the last number that goes. */
  readonly trim: string
  /** Values: bus, the number that a bus begins with. */
  readonly begin: string
  /** Values: how many numbers are taken, bus. */
  readonly take: string
  /** The number that was given out last. Values: bus. */
  readonly last: string
  /** Messages after a number. Values: bus, number. */
  readonly read: string

  constructor (syntax: SqlSyntax, batch: number) {
    const messages = syntax.quote('fastback_bus')
    const numbers = syntax.quote('fastback_bus_last')
    const [one, two, three] = [1, 2, 3].map(position => syntax.placeholder(position))
    const key = 'bus VARCHAR(64) NOT NULL, number BIGINT NOT NULL'
    this.tables = [
      `CREATE TABLE IF NOT EXISTS ${numbers} (${key}, PRIMARY KEY (bus))`,
      `CREATE TABLE IF NOT EXISTS ${messages} (${key}, message TEXT NOT NULL, PRIMARY KEY (bus, number))`
    ]
    this.insert = `INSERT INTO ${messages} (bus, number, message) VALUES (${one}, ${two}, ${three})`
    this.trim = `DELETE FROM ${messages} WHERE bus = ${one} AND number <= ${two}`
    this.begin = `INSERT INTO ${numbers} (bus, number) VALUES (${one}, ${two})`
    this.take = `UPDATE ${numbers} SET number = number + ${one} WHERE bus = ${two}`
    this.last = `SELECT number FROM ${numbers} WHERE bus = ${one}`
    this.read = `SELECT number, message FROM ${messages} WHERE bus = ${one} AND number > ${two} ` +
      `ORDER BY number LIMIT ${batch}`
  }
}
