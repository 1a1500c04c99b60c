/** What a connector made for LoopBack is asked for: conditions, order and page, each as its store means it. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { loopbackConnector } from '@fastback/connector-loopback'

type Loose = any

/** A connector that tells what it was asked. */
function recording (name: string, types: string[], asked: Loose[]): Loose {
  return {
    initialize (dataSource: Loose, callback: () => void) {
      dataSource.connector = {
        name,
        getTypes: () => types,
        getDefaultIdType: () => Number,
        all (_model: string, filter: object, _options: object, done: (error: unknown, rows: unknown) => void) {
          asked.push(filter)
          done(null, [{ id: 1, name: { $exists: true } }, { id: 2, name: 'b' }, { id: 3, name: 'c' }])
        },
        count (_model: string, where: object, _options: object, done: (error: unknown, count: unknown) => void) {
          asked.push({ count: where })
          done(null, 3)
        },
        update (
          _model: string, where: object, data: object, _options: object, done: (error: unknown, info: unknown) => void
        ) {
          asked.push({ update: where, data })
          done(null, { count: 2 })
        },
        destroyAll (_model: string, where: object, _options: object, done: (error: unknown, info: unknown) => void) {
          asked.push({ destroyAll: where })
          done(null, { count: 2 })
        },
        create: false
      }
      callback()
    }
  }
}

async function start (
  t: Loose, name: string, types: string[], settings: object = {}, ofModel: object = {}
): Promise<{ Note: Loose, asked: Loose[] }> {
  const asked: Loose[] = []
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: loopbackConnector(recording(name, types, asked)), ...settings })
  const properties = { name: 'string', stars: 'number', place: 'object' }
  const Note: Loose = registry.attach(registry.defineModel({ name: 'Note', properties, ...ofModel }), 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  return { Note, asked }
}

const filter = { where: { name: { gt: 'a' }, stars: { neq: 1 } }, order: 'name DESC', limit: 2, skip: 1 }

t.test('a database of tables', async t => {
  const { Note, asked } = await start(t, 'mssql', ['db', 'rdbms', 'sql'])
  t.equal((await Note.find(filter)).length, 2, 'no more than asked for, should it not know limits')
  t.match(asked.pop(), {
    where: { and: [{ name: { gt: 'a' } }, { or: [{ stars: { neq: 1 } }, { stars: null }] }] },
    order: ['name DESC', 'id ASC'],
    limit: 2,
    offset: 1
  })
  await Note.find({ where: { name: { like: 'a%' } }, limit: 5 })
  t.match(asked.pop(), { where: { name: { like: 'a%' } }, limit: 5 })
  await Note.find({ where: { or: [{ name: 'a' }, { name: { nlike: 'b%' } }] }, order: 'stars', limit: 5 })
  t.match(asked.pop(), {
    where: { or: [{ name: 'a' }, { or: [{ name: { nlike: 'b%' } }, { name: null }] }] },
    order: ['stars ASC', 'id ASC'],
    limit: 5
  })
  await Note.count({ name: { neq: 'x' } })
  t.same(asked.pop(), { count: { or: [{ name: { neq: 'x' } }, { name: null }] } })
  t.same(await Note.updateAll({ name: { like: 'a%' } }, { stars: 2 }), { count: 2 })
  t.same(asked, [{ update: { name: { like: 'a%' } }, data: { stars: 2 } }], 'one statement')
  t.same(await Note.destroyAll({ name: { between: ['a', 'b'] } }), { count: 2 })
  t.match(asked.pop(), { destroyAll: { name: { between: ['a', 'b'] } } })
})

t.test('what it cannot say is looked at in the rows that come back', async t => {
  const { Note, asked } = await start(t, 'mssql', ['db', 'rdbms', 'sql'])
  for (const where of [{ name: { ilike: 'a%' } }, { name: { regexp: '^a' } }, { nor: [{ name: 'a' }] }]) {
    await Note.find({ where, limit: 1 })
    t.same(asked.pop()?.limit, undefined, JSON.stringify(where))
  }
})

t.test('a store of documents', async t => {
  const { Note, asked } = await start(t, 'mongodb', ['db', 'nosql', 'mongodb'], {}, { strict: false })
  await Note.find({ where: { 'place.town': 'Oslo', extra: { gt: 1 } }, order: 'place.town DESC', limit: 1 })
  t.match(asked.pop(), {
    where: { and: [{ 'place.town': 'Oslo' }, { extra: { gt: 1 } }] }, order: ['place.town DESC', 'id ASC'], limit: 1
  })
})

t.test('extended operators are handed on as they are written, where they are allowed', async t => {
  const own = await start(t, 'own', ['db', 'nosql'], { allowExtendedOperators: true })
  const [found] = await own.Note.find({ where: { name: { $exists: true } } })
  t.match(own.asked.pop(), { where: { name: { $exists: true } } })
  t.same(found.name, { $exists: true }, 'an object in the place of text is no "[object Object]"')
  const closed = await start(t, 'own', ['db', 'nosql'])
  await t.rejects(closed.Note.find({ where: { name: { $exists: true } } }), { code: 'OPERATOR_NOT_ALLOWED_IN_QUERY' })
  await closed.Note.find({ where: { name: { $exists: true } } }, { allowExtendedOperators: true })
  t.match(closed.asked.pop(), { where: { name: { $exists: true } } })
})

t.test('exactQueries: rows are as every other store gives them', async t => {
  const { Note, asked } = await start(t, 'mssql', ['db', 'rdbms', 'sql'], { exactQueries: true })
  await Note.find(filter)
  const { order, limit } = asked.pop()
  t.same([order, limit], [undefined, undefined], 'text is put in order here')
})

t.test('a function that is switched off is one that the connector lacks', async t => {
  const { Note } = await start(t, 'own', ['db', 'nosql'])
  await t.rejects(Note.create({ name: 'x' }), { code: 'FBK_CONNECTOR_MISSING_METHOD' })
})

t.test('what is handed down is told in words', async t => {
  const said = async (name: string, types: string[], settings: object = {}): Promise<string> => {
    const { Note } = await start(t, name, types, settings)
    return (Note.dataSource.connector.handedDown() as string[]).join('\n')
  }
  t.match(await said('mysql', ['rdbms']), /^where: handed down, but for nor; .*paths.*ilike.*\norder: handed down, but for paths.*\nlimit, skip: handed down where/)
  t.notMatch(await said('postgresql', ['rdbms']), /ilike/)
  t.match(await said('mongodb', ['nosql']), /\norder: handed down\n/)
  t.match(await said('mysql', ['rdbms'], { exactQueries: true }), /looked at again; all else.*\norder: by numbers/)
})
