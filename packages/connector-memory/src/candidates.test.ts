import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { defaultQueryLimits, parseWhere } from '@fastback/core/connector'
import { candidates } from './candidates.js'
import { Collection } from './collection.js'
import { memoryConnector } from './index.js'

t.test('conditions on ids and indexed keys look at few rows', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  const Row = registry.defineModel({
    name: 'Row',
    properties: {
      key: { type: 'string', index: true },
      owner: { type: 'number', index: true },
      plain: 'string',
      free: { type: 'any', index: true }
    }
  })
  registry.attach(Row, 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  const model = Row.compiled
  const collection = new Collection(model)
  collection.insertAll(
    Array.from({ length: 1000 }, (_, i) => ({ key: `k${i % 100}`, owner: i % 50, plain: `k${i % 100}` }))
  )
  const looked = (where: object): number | undefined =>
    candidates(collection, parseWhere(model, where, { external: false, limits: defaultQueryLimits }))?.length
  const table: Array<[where: object, rows: number | undefined]> = [
    [{ key: 'k7' }, 10],
    [{ key: { eq: 'k7' } }, 10],
    [{ key: { inq: ['k7', 'k8'] } }, 20],
    [{ key: 'k7', plain: 'x' }, 10],
    [{ and: [{ plain: 'x' }, { key: 'k7' }] }, 10],
    [{ key: 'none' }, 0],
    [{ id: 5 }, 1],
    [{ id: { inq: [5, 5, 6, 0] } }, 2],
    [{ key: 'k7', owner: 7 }, 10],
    [{ key: null }, 0],
    [{ or: [{ key: 'k7' }, { owner: 7 }] }, 20],
    [{ or: [{ key: 'k7' }, { key: 'k8' }, { id: 1 }] }, 21],
    [{ plain: 'x', or: [{ key: 'k7' }, { key: 'k7' }] }, 10],
    [{ or: [{ key: 'k7' }, { plain: 'x' }] }, undefined],
    [{ plain: 'x' }, undefined],
    [{ key: { neq: 'k7' } }, undefined],
    [{ key: { gt: 'k7' } }, undefined],
    [{ free: 1 }, undefined]
  ]
  for (const [where, rows] of table) t.equal(looked(where), rows, JSON.stringify(where))
})
