// Brings a database to a model and applies a file, as soon as it is told to; then says what it applied.
import { once } from 'node:events'
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'

const [url, text] = process.argv.slice(2)
const registry = new ModelRegistry()
const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
const properties = { title: { type: 'string', index: true }, code: { type: 'string', index: { unique: true } }, size: 'number' }
for (const name of ['Note', 'Memo', 'Card']) registry.attach(registry.defineModel({ name, properties }), db)
await registry.start()
process.stdout.write('ready\n')
await once(process.stdin, 'data')
await db.autoupdate()
const applied = await db.connector.plans.applyFiles(db.storedModels(), [{ name: '0001.db.sql', text }])
process.stdout.write(JSON.stringify(applied))
await registry.stop()
process.exit(0)
