/** Files of statements, each applied once: which were is kept in a table of the database. */
import { sha256 } from '@fastback/core/connector'
import type { MigrationFile, StoredModel } from '@fastback/core'
import type { Connection } from '../dialects/driver.js'
import { caused, MigrationFileError } from '../errors.js'
import type { InTransaction } from '../operation-runner.js'
import { adoptExtra } from './adopt.js'
import { changesTo } from './compare.js'
import type { ColumnDesign, TableDesign } from './design.js'
import { migrationLock } from './migrator.js'
import type { PlanContext } from './plan-context.js'
import { designTable } from './table-design.js'

/** One row for each file. */
const historyTable = '_fastback_migrations'

interface Entry { readonly name: string, readonly hash: string, readonly isDone: boolean }

/** Line ends are those of whoever checked the file out. */
const hashOf = ({ text }: MigrationFile): string =>
  sha256(text.replaceAll('\r\n', '\n'), 'hex')

export class MigrationFiles {
  readonly #table: string

  constructor (readonly context: PlanContext) {
    this.#table = context.dialect.quote(historyTable)
  }

  /**
   * Names of the files that were not applied.
   * @throws FBK_SQL_MIGRATION_FILE for one that has changed since, or that broke off
   */
  async pending (connection: Connection, files: readonly MigrationFile[]): Promise<string[]> {
    const known = await this.context.dialect.introspect(connection, { schema: undefined, name: historyTable })
    const history = known === undefined ? [] : await this.#history(connection)
    return files.filter(file => !this.#isApplied(file, history)).map(({ name }) => name)
  }

  /**
   * Applies what is pending, one file after the other, each in a transaction of its own where the database has them for
   * tables. Processes that do it at once take turns.
   * @returns the names of what was applied here
   * @throws FBK_SQL_MIGRATION_FILE; errors of the database, as they may be shown
   */
  async apply (
    inTransaction: InTransaction, models: readonly StoredModel[], files: readonly MigrationFile[]
  ): Promise<string[]> {
    const applied: string[] = []
    for (const file of files) {
      const isNew = await inTransaction(async within => {
        await within.takeTime()
        await within.lock(migrationLock)
        await within.execute(
          `CREATE TABLE IF NOT EXISTS ${this.#table} (name VARCHAR(200) NOT NULL PRIMARY KEY, hash CHAR(64) NOT NULL, begun VARCHAR(30) NOT NULL, ended VARCHAR(30))`
        )
        if (this.#isApplied(file, await this.#history(within))) return false
        await this.#run(within, models, file)
        return true
      })
      if (isNew) applied.push(file.name)
    }
    return applied
  }

  async #run (connection: Connection, models: readonly StoredModel[], file: MigrationFile): Promise<void> {
    const designs = models.map(model => ({ model, design: this.#designOf(model) }))
    const missing: Array<{ model: StoredModel, design: TableDesign, columns: ColumnDesign[] }> = []
    for (const each of designs) missing.push({ ...each, columns: await this.#missingColumns(connection, each.design) })
    await this.#write(connection, 'INSERT INTO $ (name, hash, begun) VALUES (?, ?, ?)', [file.name, hashOf(file), now()])
    try {
      await connection.script(file.text)
    } catch (error) {
      // Anyone who applies files wrote the statements, and reads this on a terminal.
      throw caused(this.#error(file.name, `cannot be applied: ${(error as Error).message}`), error)
    }
    for (const { model, design, columns } of missing) {
      const left = await this.#missingColumns(connection, design)
      const added = columns.filter(({ name }) => !left.some(other => other.name === name))
      await adoptExtra(connection, this.context.dialect, model, design, added)
    }
    await this.#write(connection, 'UPDATE $ SET ended = ? WHERE name = ?', [now(), file.name])
  }

  #designOf (model: StoredModel): TableDesign {
    return designTable(model, this.context.dialect, this.context.extraColumn)
  }

  async #missingColumns (connection: Connection, design: TableDesign): Promise<ColumnDesign[]> {
    const actual = await this.context.dialect.introspect(connection, design)
    return changesTo(design, actual).flatMap(change => change.kind === 'add column' ? [change.column] : [])
  }

  async #history (connection: Connection): Promise<Entry[]> {
    const rows = await connection.query(`SELECT name, hash, ended FROM ${this.#table}`, [])
    return rows.map(([name, hash, ended]) =>
      ({ name: String(name), hash: String(hash), isDone: ended !== null && ended !== undefined }))
  }

  #isApplied (file: MigrationFile, history: readonly Entry[]): boolean {
    const entry = history.find(({ name }) => name === file.name)
    if (entry === undefined) return false
    const refuse = (why: string): never => { throw this.#error(file.name, why) }
    if (!entry.isDone) {
      return refuse(`broke off when it was applied, and this database keeps what it had done by then. Do the rest by hand, and set "ended" of its row in ${historyTable}; or undo it, and delete the row`)
    }
    return entry.hash === hashOf(file) ||
      refuse('has changed since it was applied. Bring it back, and put the change into a new file')
  }

  #error (file: string, why: string): Error {
    return new MigrationFileError(this.context.dataSource, file, why)
  }

  /** Binds the values for `?`, the table stands for `$`. */
  async #write (connection: Connection, sql: string, values: readonly string[]): Promise<void> {
    let position = 0
    const text = sql.replace('$', () => this.#table).replace(/\?/g, () => this.context.dialect.placeholder(++position))
    await connection.query(text, values)
  }
}

const now = (): string => new Date().toISOString()
