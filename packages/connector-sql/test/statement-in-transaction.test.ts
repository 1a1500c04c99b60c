/** `connector.execute(sql, values, { transaction })` is part of the transaction that `beginTransaction` gave. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { scratchUrl } from './support/scratch.js'

type Loose = any

for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = engine === 'sqlite' ? `sqlite:${t.testdir({})}/rows.sqlite` : await scratchUrl(t, engine)
    if (url === undefined) return
    const registry = new ModelRegistry({})
    for (const name of ['db', 'other']) {
      registry.defineDataSource(name, {
        connector: sqlConnector, migrate: 'update', url: name === 'other' ? 'sqlite::memory:' : url
      })
    }
    registry.attach(registry.defineModel({ name: 'Note', strict: true, properties: { title: 'string' } }), 'db')
    registry.attach(registry.defineModel({ name: 'Other', strict: true, properties: { title: 'string' } }), 'other')
    t.teardown(() => registry.stop())
    await registry.start()
    const { Note, Other } = registry.models as Loose
    const { connector } = registry.dataSources.db as Loose
    const quote = engine === 'mysql' ? '`' : '"'
    const insert = `INSERT INTO ${quote}Note${quote} (${quote}title${quote}) VALUES ('raw')`
    const count = `SELECT count(*) AS n FROM ${quote}Note${quote}`

    const undone = await Note.beginTransaction({})
    await connector.execute(insert, [], { transaction: undone })
    t.equal(await Note.count({}, { transaction: undone }), 1, 'operations of the transaction see it')
    t.equal(Number((await connector.execute(count, [], { transaction: undone }))[0].n), 1, 'so do its statements')
    await undone.rollback()
    t.equal(await Note.count(), 0, 'a rollback takes it back')

    const kept = await Note.beginTransaction({})
    await new Promise<void>((resolve, reject) => {
      connector.execute(insert, [], { transaction: kept }, (error: Error | null) => {
        if (error === null) resolve(); else reject(error)
      })
    })
    await kept.commit()
    t.equal(await Note.count(), 1, 'with a callback')

    await t.rejects(connector.execute(count, [], { transaction: kept }), { code: 'TRANSACTION_INACTIVE' }, 'it is over')
    const foreign = await Other.beginTransaction({})
    await t.rejects(connector.execute(count, [], { transaction: foreign }), { code: 'FBK_SQL_UNKNOWN_TRANSACTION' })
    await foreign.rollback()
    t.equal(Number((await connector.execute(count, [], { transaction: null }))[0].n), 1, 'none')
  })
}
