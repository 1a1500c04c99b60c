/** How many statements tracked writes are. */
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'
import { sync } from '../src/index.js'

type Statements = Readonly<Record<'create' | 'bulk' | 'update' | 'remove', number>>

async function count (t: Test, url: string, most: Statements): Promise<void> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url, migrate: 'update' } },
    definitions: [{
      name: 'Note',
      trackChanges: true,
      strict: true,
      properties: { id: { type: 'string', id: true, defaultFn: 'guid' }, title: 'string', number: 'number' }
    }],
    models: { Note: { dataSource: 'db' } }
  })
  await app.register(sync)
  await app.ready()
  const Note = app.models.Note as any
  // The first write makes the checkpoint, and looks at the tables.
  await Note.create([{ title: 'first' }, { title: 'second' }])
  await Note.checkpoint()
  await Note.deleteAll({})
  let statements = 0
  Note.dataSource.connector.observe('after execute', (_: unknown, next: () => void) => {
    statements++
    next()
  })
  const cost = async (work: () => Promise<unknown>): Promise<number> => {
    statements = 0
    await work()
    return statements
  }
  t.ok(await cost(() => Note.create({ title: 'one' })) <= most.create, `a create: ${statements}`)
  const rows = Array.from({ length: 512 }, (_, number) => ({ title: 'many', number }))
  t.ok(await cost(() => Note.create(rows)) <= most.bulk, `512 creates: ${statements}`)
  t.ok(await cost(() => Note.updateAll({ title: 'many' }, { title: 'other' })) <= most.update, `512 updates: ${statements}`)
  await Note.checkpoint()
  t.ok(await cost(() => Note.deleteAll({ title: 'other' })) <= most.remove, `512 deletes: ${statements}`)
  const changes = await Note.changes(-1)
  t.equal(changes.filter(({ rev }: { rev: unknown }) => rev === null).length, 514)
  t.equal(changes.length, 515, 'every one is told')
}

t.test('SYD-1: a tracked create on SQLite reads the checkpoint and stores the row, its change and a note', async t => {
  await count(t, 'sqlite::memory:', { create: 4, bulk: 1600, update: 1100, remove: 1600 })
})

t.test('SYD-1: on PostgreSQL it is one statement, and those of many rows are few', {
  skip: await isReachable('postgres') ? false : 'no server'
}, async t => {
  const scratch = await makeScratch('postgres')
  t.teardown(() => scratch.remove())
  await count(t, scratch.url, { create: 1, bulk: 10, update: 15, remove: 15 })
})
