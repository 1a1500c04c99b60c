/**
 * What a default scope says of a read of one row: which rows there are, and which comes first. Its page is for lists.
 */
import t, { type Test } from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'

type Loose = any

const stores = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Item',
    base: 'PersistedModel',
    forceId: false,
    replaceOnPUT: false,
    properties: { id: { type: 'number', id: true }, name: 'string', boxId: 'number' },
    scope: { where: { name: { neq: 'n6' } }, order: 'name DESC', limit: 3, skip: 1 }
  },
  {
    name: 'Box',
    base: 'PersistedModel',
    forceId: false,
    properties: { id: { type: 'number', id: true }, firstId: 'number' },
    relations: {
      first: { type: 'belongsTo', model: 'Item', foreignKey: 'firstId' },
      only: { type: 'hasOne', model: 'Item', foreignKey: 'boxId' },
      items: { type: 'hasMany', model: 'Item', foreignKey: 'boxId' }
    }
  }
]

async function start (t: Test, dataSource: Loose, listens: boolean) {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', dataSource)
  registry.defineModels(definitions.map(input => ({ input })))
  for (const { name } of definitions) registry.attach(name, 'db', { public: true })
  const { Item, Box } = registry.models as Loose
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { registry })
  await registry.start()
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } } })
  for (let id = 1; id <= 6; id++) await Item.create({ id, name: `n${id}`, boxId: id })
  for (let id = 1; id <= 6; id++) await Box.create({ id, firstId: id })
  // Anyone who listens gets the filter as JSON, and what it says is read again.
  if (listens) Item.observe('access', async () => {})
  const send = async (method: 'GET' | 'PATCH' | 'PUT' | 'POST', url: string, payload?: object): Promise<Loose> => {
    const response = await app.inject({ method, url: `/api${url}`, ...(payload === undefined ? {} : { payload }) })
    return response.statusCode === 200 ? response.json() : response.statusCode
  }
  return { Item, Box, send }
}

const item = (id: number, name = `n${id}`): object => ({ id, name, boxId: id })

for (const [store, dataSource] of Object.entries(stores)) {
  for (const listens of [false, true]) {
    t.test(`${store}${listens ? ', with an observer of access' : ''}: a read of one row has no page`, async t => {
      const { Item, Box, send } = await start(t, dataSource, listens)
      t.strictSame((await send('GET', '/Items')).map(({ id }: Loose) => id), [4, 3, 2], 'a list has the page')
      t.strictSame(await send('GET', '/Items/findOne'), item(5))
      t.strictSame(await send('GET', '/Items/findOne?filter={"where":{"name":"n1"}}'), item(1))
      t.strictSame(await send('GET', '/Items/findOne?filter={"skip":1}'), item(4), 'the page of who asks counts')
      t.strictSame(await send('GET', '/Items/1'), item(1))
      t.equal(await send('GET', '/Items/6'), 404, 'what the scope hides is not there')
      t.strictSame(await send('GET', '/Items/1/exists'), { exists: true })
      t.strictSame(await send('PATCH', '/Items', { id: 1, name: 'n1b' }), item(1, 'n1b'))
      t.strictSame(await send('PUT', '/Items', { id: 1, name: 'n1' }), item(1))
      t.strictSame(await send('POST', '/Items/replaceOrCreate', item(2, 'n2b')), item(2, 'n2b'))
      t.strictSame(await send('POST', '/Items/upsertWithWhere?where={"name":"n2b"}', { name: 'n2' }), item(2))
      t.equal((await Item.findOne()).id, 5)
      t.equal((await Item.findById(1)).id, 1)
      const [found, isNew] = await Item.findOrCreate({ where: { name: 'n1' } }, { id: 9, name: 'n1' })
      t.strictSame([found.id, isNew], [1, false])
      t.strictSame(await send('GET', '/Boxes/1/first'), item(1))
      t.strictSame(await send('GET', '/Boxes/1/only'), item(1))
      t.strictSame(await send('GET', '/Boxes/1/items/1'), item(1))
      const included = await send('GET', '/Boxes?filter={"include":["first","only"]}')
      t.strictSame(included.map(({ first, only }: Loose) => [first?.id, only?.id]),
        [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [undefined, undefined]], 'one row for each key')
      t.equal((await (await Box.findById(2)).first.get()).id, 2)
    })
  }
}
