import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

type Loose = any

t.test('null stands for all models of a data source', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector as Loose })
  const Note: Loose = registry.attach(registry.defineModel({ name: 'Note', properties: { title: 'string' } }), 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  const db: Loose = Note.dataSource
  await Note.create({ title: 'one' })
  await db.autoupdate(null)
  t.equal(await db.isActual(null), true)
  t.equal(await Note.count(), 1)
  await new Promise<void>((resolve, reject) => {
    db.automigrate(null, (error?: Error | null) => { if (error) reject(error); else resolve() })
  })
  t.equal(await Note.count(), 0, 'tables are made anew')
})
