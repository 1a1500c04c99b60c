import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import type { Test } from 'tap'

type Loose = any

interface Discovering {
  /** What is executed before. */
  readonly statements?: readonly string[]
  /** Options of `discover`. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Settings of every model. */
  readonly settings?: object
}

/** The models of a database's tables, as discovery finds them, started. */
export async function discovered (
  t: Test, url: string, { statements = [], options = {}, settings = {} }: Discovering = {}
): Promise<{ readonly db: Loose, readonly models: Loose, readonly registry: Loose }> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  t.teardown(() => registry.stop())
  await db.connect()
  for (const statement of statements) await db.execute(statement)
  for (const { notes, public: isPublic, ...definition } of await db.discover(options)) {
    registry.attach(registry.defineModel({ ...definition, ...settings } as Loose), db)
  }
  await registry.start()
  return { db, models: registry.models, registry }
}
