// A database that is there already, and an API over it: node packages/examples/existing-database/start.js
// What it does with the file library.db, `fastback new api --database URL` does with PostgreSQL, MySQL and SQLite.
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { main } from '@fastback/cli'

const here = fileURLToPath(new URL('.', import.meta.url))
const { values: { into = path.join(here, 'made') } } = parseArgs({ options: { into: { type: 'string' } } })
const library = path.join(into, 'library.db')
const api = path.join(into, 'api')

if (!existsSync(library)) {
  const registry = new ModelRegistry()
  const { connector } = registry.defineDataSource('db', { connector: sqlConnector, url: `sqlite:${library}` })
  await registry.start()
  const statements = readFileSync(path.join(here, 'library.sql'), 'utf8').split(';\n').filter(text => text.trim() !== '')
  for (const statement of statements) await connector.execute(statement)
  await registry.stop()
}
if (!existsSync(api)) {
  const code = await main(['new', api, '--database', `sqlite:${library}`, '--open', '--yes'])
  if (code !== 0) process.exit(code)
}
console.log('Books with their authors: /api/Books?filter={"include":"author"}')
// The address of the database stands in `.env`, not in the files that one keeps under version control.
process.exitCode = await main(['serve', api, '--env-file', path.join(api, '.env')])
