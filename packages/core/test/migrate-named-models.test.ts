/** `autoupdate`, `automigrate` and `isActual` with names of models. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

const stores: Record<string, any> = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

for (const [store, settings] of Object.entries(stores)) {
  t.test(`${store}: a model that is not attached is refused by name`, async t => {
    const registry = new ModelRegistry()
    const db = registry.defineDataSource('db', settings)
    registry.defineDataSource('other', { connector: memoryConnector })
    registry.attach(registry.defineModel({ name: 'Note', properties: { title: 'string' } }), 'db')
    registry.attach(registry.defineModel({ name: 'Elsewhere', properties: { title: 'string' } }), 'other')
    t.teardown(() => registry.stop())
    const refusal = { code: 'FBK_CORE_DATA_SOURCE_SETTINGS', message: /not attached to it: Nota, Elsewhere/ }
    for (const migrate of ['autoupdate', 'automigrate', 'isActual'] as const) {
      await t.rejects(db[migrate](['Note', 'Nota', 'Elsewhere']) as Promise<unknown>, refusal)
      const told = await new Promise(resolve => { db[migrate]('Nota', resolve) })
      t.match(told, { message: /not attached to it: Nota/ })
      await db[migrate]('Note')
      await db[migrate]()
    }
  })
}
