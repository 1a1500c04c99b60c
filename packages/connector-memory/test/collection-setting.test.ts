/** `memory: { collection }`: models that share their rows. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

async function open (t: any, settings: object): Promise<Record<string, any>> {
  const registry = new ModelRegistry({ log: { warn () {}, info () {}, debug () {} } })
  registry.defineDataSource('db', { connector: memoryConnector, ...settings })
  const properties = { kind: 'string', name: { type: 'string', index: { unique: true } } }
  for (const definition of [
    { name: 'Product', properties },
    { name: 'Tool', base: 'Product', scope: { where: { kind: 'Tool' } }, memory: { collection: 'Product' } },
    { name: 'Other', base: 'Product', memory: { collection: '' } }
  ]) registry.attach(registry.defineModel(definition), 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models
}

t.test('models of one collection see the same rows, each under its own scope', async t => {
  const { Product, Tool, Other } = await open(t, {})
  const first = await Product.create({ kind: 'Part', name: 'bolt' })
  const second = await Tool.create({ name: 'saw' })
  t.equal(second.id, first.id + 1, 'ids are given out once')
  t.equal(await Product.count(), 2)
  t.match(await Tool.find(), [{ name: 'saw', kind: 'Tool' }])
  await t.rejects(Tool.create({ name: 'bolt' }), 'an index is one over all rows')
  await Tool.destroyAll()
  t.match(await Product.find(), [{ name: 'bolt' }])
  t.equal(await Other.count(), 0, 'a blank name is none')
})

t.test('they share their rows in the file, too', async t => {
  const file = `${t.testdir({})}/rows.json`
  const before = await open(t, { file })
  await before.Tool.create({ name: 'saw' })
  const { Product, Tool } = await open(t, { file })
  t.match(await Tool.find(), [{ name: 'saw' }])
  t.equal(await Product.count(), 1)
})
