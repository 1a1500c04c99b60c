// Creates rows one after the other and says how many were answered, until it is killed.
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

const registry = new ModelRegistry()
registry.defineDataSource('db', { connector: memoryConnector, file: process.argv[2] })
const Note = registry.defineModel({ name: 'Note', properties: { title: 'string' } })
registry.attach(Note, 'db')
await registry.start()
for (let i = 1; ; i++) {
  await registry.dataSources.db.connector.create(Note.compiled, { title: `row ${i}`.repeat(20) }, {})
  process.stdout.write(`${i}\n`)
}
