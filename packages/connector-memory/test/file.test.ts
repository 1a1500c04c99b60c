import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { ModelRegistry, type Connector, type ModelClass, type Row } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

interface Opened { registry: ModelRegistry, connector: Connector, Note: ModelClass }

const warnings: string[] = []
const log = { warn (_: object, message: string) { warnings.push(message) }, info () {}, debug () {} }

async function open (t: Test, file: string, baseDir = '/'): Promise<Opened> {
  const registry = new ModelRegistry({ baseDir, log })
  const { connector } = registry.defineDataSource('db', { connector: memoryConnector, file })
  const Note = registry.defineModel({
    name: 'Note', properties: {
      title: 'string', at: 'date', bytes: 'buffer', big: 'long',
      labels: ['date'], extra: 'any', dims: { type: { when: 'date' } }
    }
  })
  registry.attach(Note, 'db')
  t.teardown(() => registry.stop())
  await registry.start()
  return { registry, connector, Note }
}

const create = async ({ connector, Note }: Opened, row: Row): Promise<Row> =>
  await connector.create(Note.compiled, row, {})
const all = async ({ connector, Note }: Opened): Promise<Row[]> => await connector.find(Note.compiled,
  { where: undefined, order: [], limit: undefined, skip: 0, select: Note.compiled.selectAll, include: [] }, {})

t.test('rows, their types and their ids outlive the process', async t => {
  const file = `${t.testdir({})}/rows.json`
  const first = await open(t, file)
  const row = {
    title: 'x',
    at: new Date(5),
    bytes: Buffer.from([0, 255]),
    big: 9007199254740993n,
    labels: [new Date(6)],
    extra: {
      when: new Date(7),
      $date: 'mine',
      deep: [{ $date: 'mine' }, { $object: { $bytes: 'x' } }, null, { $bigint: 5 }]
    }
  }
  await create(first, row)
  await create(first, { title: 'gone' })
  await first.connector.deleteAll(first.Note.compiled, {
    kind: 'compare', op: 'eq', value: 'gone',
    path: { property: 'title', path: [], type: { kind: 'string' }, declared: true }
  }, {})
  await first.registry.stop()
  const second = await open(t, file)
  t.same(await all(second), [{ ...row, id: 1 }])
  t.equal((await create(second, { title: 'next' })).id, 3, 'ids are not used twice')
})

t.test('an answered write is on the disk', async t => {
  const file = `${t.testdir({})}/rows.json`
  const opened = await open(t, 'rows.json', file.slice(0, -'/rows.json'.length))
  await create(opened, { title: 'there' })
  t.match(readFileSync(file, 'utf8'), /"there"/)
  await opened.connector.updateById(opened.Note.compiled, 1, { title: 'changed' }, {})
  t.match(readFileSync(file, 'utf8'), /"changed"/)
  t.notOk(existsSync(`${file}.tmp`))
})

t.test('a write that fails is told, and the next one brings everything', async t => {
  const folder = `${t.testdir({ sub: {} })}/sub`
  const opened = await open(t, `${folder}/rows.json`)
  await create(opened, { title: 'first' })
  rmSync(folder, { recursive: true })
  await t.rejects(create(opened, { title: 'a' }), {
    code: 'FBK_MEMORY_NOT_WRITTEN',
    statusCode: 500,
    cause: { code: 'ENOENT' }
  })
  mkdirSync(folder)
  await create(opened, { title: 'b' })
  t.match(
    readFileSync(`${folder}/rows.json`, 'utf8'),
    /"first".*"a".*"b"/,
    'the file is gone: what the process knows is all there is'
  )
})

t.test('a write that fails is taken back, with all that came after it', async t => {
  const folder = t.testdir({})
  const opened = await open(t, `${folder}/rows.json`)
  // In the place of the file that is written first there is a folder: nothing can be written, and the rows can be read.
  const block = `${folder}/rows.json.tmp`
  mkdirSync(`${block}/x`, { recursive: true })
  await t.rejects(create(opened, { title: 'too early' }), { code: 'FBK_MEMORY_NOT_WRITTEN' })
  t.same(await all(opened), [], 'before there is a file')
  rmSync(block, { recursive: true })

  await create(opened, { title: 'kept', big: 9007199254740993n })
  mkdirSync(`${block}/x`, { recursive: true })
  const failing = [create(opened, { title: 'a' })]
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  failing.push(
    create(opened, { title: 'b' }),
    Promise.resolve(opened.connector.updateById(opened.Note.compiled, 2, { title: 'changed' }, {})) as Promise<Row>
  )
  for (const [i, outcome] of (await Promise.allSettled(failing)).entries()) {
    t.match(outcome, { status: 'rejected', reason: { code: 'FBK_MEMORY_NOT_WRITTEN' } }, String(i))
  }
  t.match(await all(opened), [{ id: 2, title: 'kept', big: 9007199254740993n }])
  t.equal((await all(opened)).length, 1, 'nobody who was refused finds the row when asking again')

  rmSync(block, { recursive: true })
  const { id } = await create(opened, { title: 'c' })
  t.ok(Number(id) > 4, 'ids that were given out are not given out again')
  t.match(JSON.parse(readFileSync(`${folder}/rows.json`, 'utf8')).models.Note.rows, [{ title: 'kept' }, { title: 'c' }])
  await opened.registry.stop()
  t.same((await all(await open(t, `${folder}/rows.json`))).map(({ title }) => title), ['kept', 'c'])
})

t.test('a process that is killed loses nothing it answered', async t => {
  const file = `${t.testdir({})}/rows.json`
  const child = spawn(process.execPath, [fileURLToPath(new URL('support/writer.mjs', import.meta.url)), file], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let answered = 0
  for await (const line of createInterface({ input: child.stdout })) {
    answered = Number(line)
    if (answered === 40) child.kill('SIGKILL')
  }
  const rows = await all(await open(t, file))
  t.ok(answered >= 40)
  t.ok(rows.length >= answered, `${rows.length} rows, ${answered} answered`)
  t.same(rows.map(row => row.id), rows.map((_, i) => i + 1))
})

t.test('a file that cannot be read is named and left alone', async t => {
  const texts = {
    cut: '{"format":"fastback-memory","ver', empty: '', list: '[]', other: '{"models":5}',
    later: '{"format":"fastback-memory","version":2,"models":{}}',
    rows: '{"format":"fastback-memory","version":1,"models":{"Note":{"rows":[5],"lastId":1}}}'
  }
  const folder = t.testdir(texts)
  for (const [name, text] of Object.entries(texts)) {
    const file = `${folder}/${name}`
    await t.rejects(
      open(t, file),
      { code: 'FBK_MEMORY_DAMAGED_FILE', message: new RegExp(`"db": the file .*${name}`) },
      name
    )
    t.equal(readFileSync(file, 'utf8'), text)
  }
  const twice = `${folder}/twice`
  writeFileSync(
    twice,
    '{"format":"fastback-memory","version":1,"models":{"Note":{"lastId":1,"rows":[{"id":1},{"id":1}]}}}'
  )
  await t.rejects(all(await open(t, twice)), { code: 'FBK_MEMORY_DAMAGED_FILE' })
  await t.rejects(open(t, `${twice}/none/rows.json`), { code: 'FBK_MEMORY_DAMAGED_FILE' }, 'a folder within a file')
  await t.resolves(open(t, `${folder}/none/of/them/rows.json`), 'a folder that is not there is made')
  await t.rejects(open(t, folder), { code: 'FBK_MEMORY_DAMAGED_FILE' }, 'a folder')
})

t.test('the file of a LoopBack application is taken over', async t => {
  const at = '2020-01-01T00:00:00.000Z'
  const file = `${t.testdir({
    'db.json': JSON.stringify({
      ids: { Note: 4, Other: 2 },
      models: {
        Note: {
          1: JSON.stringify({
            title: 'a',
            at,
            bytes: { type: 'Buffer', data: [1, 2] },
            labels: [at],
            dims: { when: at, more: at },
            free: at,
            id: 1
          }),
          3: JSON.stringify({ title: 'b', at: null, id: 3 })
        },
        Other: { 1: '{"id":1,"kept":true}' }
      }
    })
  })}/db.json`
  const opened = await open(t, file)
  const date = new Date(at)
  t.same(await all(opened), [{
    title: 'a', at: date, bytes: Buffer.from([1, 2]), labels: [date], dims: { when: date, more: at }, free: at,
    id: 1
  }, { title: 'b', at: null, id: 3 }])
  t.equal((await create(opened, { title: 'c' })).id, 4)
  const written = JSON.parse(readFileSync(file, 'utf8')) as { format: string, models: { Other: unknown } }
  t.equal(written.format, 'fastback-memory')
  t.same(written.models.Other, { lastId: 1, rows: [{ id: 1, kept: true }] }, 'models that nobody has attached stay')
  await opened.registry.stop()
  t.equal((await all(await open(t, file))).length, 3)
})

t.test('settings', async t => {
  await open(t, '')
  t.throws(() => memoryConnector({ connector: 'memory', file: 5 }, { dataSource: 'db', baseDir: '/', log }),
    { code: 'FBK_CORE_DATA_SOURCE_SETTINGS', message: /"db".*"file"/ })
  memoryConnector({ connector: 'memory', localStorage: 'x' }, { dataSource: 'db', baseDir: '/', log })
  t.match(warnings.pop(), /localStorage/)
})

t.test('a file below the working directory is found, as LoopBack finds it; another is below baseDir', async t => {
  const rows = JSON.stringify({ ids: { Note: 2 }, models: { Note: { 1: JSON.stringify({ title: 'kept', id: 1 }) } } })
  const folder = t.testdir({ 'db.json': rows, server: {} })
  const before = process.cwd()
  process.chdir(folder)
  t.teardown(() => { process.chdir(before) })
  for (const [file, count] of [['db.json', 1], ['other.json', 0]] as const) {
    const registry = new ModelRegistry({ baseDir: join(folder, 'server'), log })
    registry.defineDataSource('db', { connector: memoryConnector, file })
    const definition = { name: 'Note', base: 'PersistedModel', properties: { title: 'string' } } as const
    const Note: any = registry.defineModel(definition)
    registry.attach(Note, 'db')
    await registry.start()
    t.equal(await Note.count(), count)
    await Note.create({ title: 'new' })
    await registry.stop()
  }
  t.ok(existsSync(join(folder, 'server/other.json')))
})
