/** Which driver a SQLite data source takes. `npm run bench -- --driver better-sqlite3` has the real one. */
import { createRequire } from 'node:module'
import t, { type Test } from 'tap'
import { sqlConnector } from '@fastback/connector-sql'
import type { SqlConnector } from '../src/connector.js'
import { context } from './support/connectors.js'

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
const hasOwn = major > 22 || (major === 22 && minor >= 13)
const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite')

/** The number that the database is marked with, and what was warned of. */
async function opened (t: Test, index: string): Promise<{ mark: unknown, warnings: string[] }> {
  const dir = t.testdir({
    'package.json': '{}',
    node_modules: { 'better-sqlite3': { 'package.json': '{ "main": "index.cjs" }', 'index.cjs': index } }
  })
  const warnings: string[] = []
  const log = { ...context().log, warn: (_: unknown, message: string) => { warnings.push(message) } }
  const sql = sqlConnector({ connector: 'sql', url: 'sqlite::memory:' }, { ...context(dir), log }) as SqlConnector
  await sql.connect()
  const [row] = await sql.execute('PRAGMA application_id') as Array<{ application_id: number }>
  await sql.disconnect()
  return { mark: Number(row?.application_id), warnings }
}

t.test('better-sqlite3 of the application, where Node has no driver of its own', async t => {
  const marking = `
    const { DatabaseSync } = require(${JSON.stringify(driver)})
    module.exports = class extends DatabaseSync {
      constructor (file) { super(file); this.exec('PRAGMA application_id = 42') }
    }`
  t.strictSame(await opened(t, marking), { mark: hasOwn ? 0 : 42, warnings: [] })
})

t.test('one that cannot be loaded is told of, and another is taken', async t => {
  const { mark, warnings } = await opened(t, "module.exports = class { constructor () { throw new Error('no') } }")
  t.equal(mark, 0)
  if (hasOwn) t.strictSame(warnings, [])
  else t.match(warnings, [/better-sqlite3 is installed and cannot be loaded/])
})
