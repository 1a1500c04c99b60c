/** The same upsert by a condition, many at once: one row, and nobody is refused, whatever keeps the rows apart. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { asRemote, upsertWithWhere } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { scratchUrl } from './support/scratch.js'

type Loose = any

for (const engine of ['memory', 'sqlite', 'postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = engine === 'sqlite'
      ? `sqlite:${t.testdir({})}/rows.sqlite`
      : engine === 'memory' ? '' : await scratchUrl(t, engine)
    if (url === undefined) return
    const registry = new ModelRegistry({})
    registry.defineDataSource('db', engine === 'memory'
      ? { connector: memoryConnector }
      : { connector: sqlConnector, migrate: 'update', url })
    const key = { type: 'string', index: { unique: true } }
    registry.attach(registry.defineModel({ name: 'Indexed', strict: true, properties: { key, value: 'string' } }), 'db')
    registry.attach(registry.defineModel({ name: 'Hooked', strict: true, properties: { key, value: 'string' } }), 'db')
    for (const name of ['Validated', 'Loose']) {
      registry.attach(registry.defineModel({ name, strict: true, properties: { key: 'string', value: 'string' } }), 'db')
    }
    const { Indexed, Hooked, Validated, Loose } = registry.models as Loose
    Validated.validatesUniquenessOf('key')
    let saved = 0
    Hooked.observe('before save', async () => {})
    Hooked.observe('after save', async () => { saved++ })
    t.teardown(() => registry.stop())
    await registry.start()

    for (const Model of [Indexed, Hooked, Validated, Loose]) {
      const upsert = async (value: string): Promise<unknown> =>
        await upsertWithWhere(Model.compiled, { key: 'theme' }, { key: 'theme', value }, asRemote({}))
      const upserts = Array.from({ length: 20 }, (_, i) => upsert(`v${String(i)}`))
      const ended = await Promise.allSettled(upserts)
      const refusals = ended.flatMap(each => each.status === 'rejected' ? [String(each.reason)] : [])
      t.strictSame(refusals, [], `${Model.modelName as string}: nobody is refused`)
      t.equal(await Model.count({ key: 'theme' }), 1, 'one row')
      const { value } = await Model.findOne({ where: { key: 'theme' } })
      t.match(value, /^v\d+$/)
    }
    t.equal(saved, 20, 'hooks were told of each')

    await Indexed.create({ key: 'other' })
    const taken = async (): Promise<unknown> =>
      await upsertWithWhere(Indexed.compiled, { value: 'none' }, { key: 'other' }, asRemote({}))
    await t.rejects(taken(), { name: 'ValidationError' }, 'a value of another row is refused all the same')
  })
}
