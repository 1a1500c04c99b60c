/** Settings of queries that a data source has for all of its models. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

t.test('models take settings of queries from their data source, their own win', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', {
    connector: memoryConnector, normalizeUndefinedInQuery: 'throw', allowExtendedOperators: true, maxDepthOfQuery: 3
  })
  const properties = { size: 'number' }
  const own = { normalizeUndefinedInQuery: 'ignore', allowExtendedOperators: false, maxDepthOfQuery: 9 } as const
  const Note: any = registry.attach(registry.defineModel({ name: 'Note', properties }), 'db')
  const Own: any = registry.attach(registry.defineModel({ name: 'Own', properties, ...own }), 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  await Note.create([{ size: 1 }, { size: 2 }])
  await t.rejects(Note.find({ where: { size: undefined } }), { statusCode: 400 } as any)
  await t.rejects(Note.updateAll({ size: undefined }, { size: 3 }), { statusCode: 400 } as any)
  t.match(await Note.find({ where: { size: { $gt: 1 } } }), [{ size: 2 }])
  const deep = { where: { and: [{ or: [{ and: [{ size: 1 }] }] }] } }
  await t.rejects(Note.find(deep), { code: 'QUERY_OBJECT_TOO_DEEP' })
  t.same(await Own.find({ where: { size: undefined } }), [])
  await t.rejects(Own.find({ where: { size: { $gt: 1 } } }), { code: 'OPERATOR_NOT_ALLOWED_IN_QUERY' })
  t.same(await Own.find(deep), [])
})
