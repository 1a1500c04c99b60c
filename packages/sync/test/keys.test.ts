/** What SQLite keeps changes by: the ids of their rows, in tables that are made now; their own ids in older ones. */
import { join } from 'node:path'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { changeId } from '../src/revision.js'
import { serve, type Loose, type Served } from './support.js'

const settings = (file: string): Loose =>
  ({ settings: { connector: sqlConnector, url: `sqlite:${file}`, migrate: 'update' } })

async function execute (file: string, sql: string, values: unknown[] = []): Promise<Loose[]> {
  const log = { warn () {}, info () {}, debug () {} }
  const connector: Loose =
    sqlConnector({ connector: 'sql', url: `sqlite:${file}` }, { dataSource: 'db', baseDir: '.', log } as Loose)
  await connector.connect()
  try {
    return await connector.execute(sql, values)
  } finally {
    await connector.disconnect()
  }
}

/** Writes of all kinds, one by one and together, and what is told of them. */
async function follow (t: Test, { models: { Note }, pull }: Served): Promise<void> {
  await Note.create([{ id: 'a', title: 'A' }, { id: 'b', title: 'B' }, { id: 'c', title: 'C' }])
  await Note.create({ id: 'd', title: 'D' })
  const first = await pull('/Notes')
  t.same(first.changes.map(({ id }) => id), ['a', 'b', 'c', 'd'])
  t.ok(first.changes.every(({ at }) => typeof at === 'string'), 'when each was written')
  await Note.updateAll({ id: { inq: ['a', 'b'] } }, { rank: 1 })
  await Note.upsert({ id: 'c', title: 'C', rank: 2 })
  await Note.destroyById('d')
  const then = await pull('/Notes', first.cursor)
  t.same(then.changes.map(({ id, deleted }) => [id, deleted === true]).sort(),
    [['a', false], ['b', false], ['c', false], ['d', true]])
  await Note.create({ id: 'd', title: 'again' })
  const last = await pull('/Notes', then.cursor)
  t.match(last.changes, [{ id: 'd', data: { title: 'again' } }])
  const Change = Note.getChangeModel()
  const all = await Change.find()
  t.equal(new Set(all.map(({ modelId }: Loose) => modelId)).size, all.length, 'one change for each row')
  t.match(await Change.findById(changeId('Note', 'a')), { modelId: 'a' }, 'code of applications finds it by its own id')
  await Note.rectifyAllChanges()
  t.equal(await Change.count(), all.length)
}

const keyOf = async (file: string): Promise<string[]> => {
  const columns = await execute(file, "SELECT name FROM pragma_table_info('Note-change') WHERE pk > 0")
  return columns.map(({ name }) => name)
}

t.test('a new table has the ids of the rows as its key, and no index by the hash', async t => {
  const file = join(t.testdir({}), 'new.db')
  const served = await serve(t, [{ name: 'Note' }], settings(file))
  await follow(t, served)
  t.same(await keyOf(file), ['modelId'])
  const indexes = "SELECT info.name FROM pragma_index_list('Note-change') list, pragma_index_info(list.name) info"
  const columns = await execute(file, indexes)
  t.same(columns.map(({ name }) => name).sort(), ['checkpoint', 'modelId'])
})

t.test('an older table keeps its key, and the changes that are in it', async t => {
  const file = join(t.testdir({}), 'old.db')
  const columns = 'id TEXT NOT NULL PRIMARY KEY, rev TEXT, prev TEXT, checkpoint REAL, modelName TEXT, modelId TEXT, _extra TEXT'
  await execute(file, `CREATE TABLE "Note-change" (${columns})`)
  await execute(file, 'INSERT INTO "Note-change" (id, rev, checkpoint, modelName, modelId) VALUES (?, ?, 1, ?, ?)',
    [changeId('Note', 'gone'), 'abc', 'Note', 'gone'])
  const served = await serve(t, [{ name: 'Note' }], settings(file))
  t.same(await keyOf(file), ['id'])
  await served.models.Note.rectifyAllChanges()
  t.match(await served.models.Note.findLastChange('gone'), { rev: null, checkpoint: 1 }, 'seen to be gone')
  await follow(t, served)
  t.same(await keyOf(file), ['id'])
})
