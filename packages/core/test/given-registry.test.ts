/** Every option of the plugin beside a registry that was made before: it has an effect, or it stops the start. */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { core, ModelRegistry, type CoreOptions } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

type Told = Array<{ readonly msg: string }>

/** Registers the plugin and starts; the registry, and what the server's log was told. */
async function started (t: Test, options: CoreOptions): Promise<{ registry: ModelRegistry, told: Told }> {
  const told: Told = []
  const app = Fastify({
    logger: { level: 'info', stream: { write: (line: string) => { told.push(JSON.parse(line) as Told[number]) } } }
  })
  t.teardown(async () => { await app.close() })
  await app.register(core, options)
  await app.ready()
  return { registry: app.registry, told }
}

/** A registry with a data source and a model that lives there. */
function made (options: ConstructorParameters<typeof ModelRegistry>[0] = {}): ModelRegistry {
  const registry = new ModelRegistry(options)
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
  registry.defineModel({ name: 'Note', properties: { title: 'string' } } as never)
  registry.attach('Note', 'db')
  return registry
}

const conflict = { code: 'FBK_CORE_REGISTRY_CONFLICT' }
const driver = (): never => { throw new Error('not opened') }

t.test('options that are added', async t => {
  const seen: Record<string, (registry: ModelRegistry) => unknown> = {
    settings: registry => registry.settings,
    bus: registry => registry.settings.bus
  }
  t.match((await started(t, { registry: made(), settings: { defaultPermission: 'DENY' } })).registry.settings,
    { defaultPermission: 'DENY' }, 'settings')
  const limited = await started(t, { registry: made(), settings: { queryLimits: { depth: 3 } } })
  t.equal(limited.registry.queryLimits.depth, 3)
  t.equal(limited.registry.getModel('Note').compiled.parsing.external.limits.depth, 3, 'also of models that were there')
  t.equal(seen.bus?.((await started(t, { registry: made(), bus: false })).registry), false, 'bus')
  const bare = new ModelRegistry()
  t.equal((await started(t, { registry: bare, baseDir: '/srv/shop' })).registry.baseDir, '/srv/shop', 'baseDir')
  const { registry } = await started(t, {
    registry: made(),
    connectors: { other: memoryConnector },
    busDrivers: { mine: driver },
    mixins: { Stamped: (Model: { stamped?: boolean }) => { Model.stamped = true } },
    dataSources: { second: { connector: 'other' } },
    definitions: [{ name: 'Letter', properties: { text: 'string' }, mixins: { Stamped: true } }],
    models: { Letter: { dataSource: 'second' } }
  })
  t.ok(registry.connectors.has('other'), 'connectors')
  t.equal(registry.busDrivers.get('mine'), driver, 'busDrivers')
  t.equal((registry.getModel('Letter') as { stamped?: boolean }).stamped, true, 'mixins and definitions')
  t.equal(registry.getModel('Letter').dataSource?.name, 'second', 'dataSources and models')
})

t.test('the log', async t => {
  const odd = { name: 'Odd', relations: { lost: { type: 'belongsTo', model: 'Nowhere' } } }
  const registry = made({ settings: { modelDefinitions: 'open' } })
  registry.defineModel({ name: 'Early', titel: 1 } as never)
  registry.defineModel(odd as never)
  registry.attach('Odd', 'db')
  const { told } = await started(t, { registry })
  t.match(told.map(({ msg }) => msg).join('\n'), /titel(.|\n)*Nowhere/, 'what was said before, and what the start says')
  const own: string[] = []
  const log = { warn: (_: object, message: string) => { own.push(message) }, info () {}, debug () {} }
  const chosen = made({ log })
  chosen.defineModel(odd as never)
  chosen.attach('Odd', 'db')
  t.strictSame((await started(t, { registry: chosen })).told.filter(({ msg }) => msg.includes('Nowhere')), [])
  t.match(own.join('\n'), /Nowhere/, 'a log that the registry was made with stays')
})

t.test('options that contradict', async t => {
  const refused = async (options: CoreOptions, what: string): Promise<void> => {
    await t.rejects(started(t, options), conflict, what)
  }
  await refused({ registry: made({ settings: { defaultPermission: 'ALLOW' } }), settings: { defaultPermission: 'DENY' } }, 'a setting')
  await refused({ registry: made(), settings: { modelDefinitions: 'open' } }, 'models that were checked by another rule')
  await refused({ registry: made({ settings: { bus: true } }), bus: false }, 'bus')
  await refused({ registry: made({ baseDir: '/srv/a' }), baseDir: '/srv/b' }, 'baseDir')
  await refused({ registry: made(), baseDir: '/srv/b' }, 'a folder for data sources that are made')
  await refused({ registry: made(), connectors: { memory: (...args) => memoryConnector(...args) } }, 'connectors')
  await refused({ registry: made(), dataSources: { db: { connector: 'memory' } } }, 'dataSources')
  const taken = made()
  taken.busDrivers.set('mine', driver)
  taken.defineMixin('Stamped', () => {})
  await refused({ registry: taken, busDrivers: { mine: () => driver() } }, 'busDrivers')
  await refused({ registry: taken, mixins: { Stamped: () => {} } }, 'mixins')
  await refused({ registry: taken, models: { Note: { dataSource: null } } }, 'models')
  await t.rejects(started(t, { registry: made(), definitions: [{ name: 'Note' }] }), { code: 'FBK_CORE_DUPLICATE_MODEL' })
  await t.rejects(started(t, { bus: true, settings: { bus: false } }), { code: 'FBK_CORE_INVALID_DEFINITION' })
})

t.test('what both say alike is no contradiction', async t => {
  const settings = { queryLimits: { depth: 4 }, modelDefinitions: 'open' }
  const { registry } = await started(t, {
    registry: made({ settings, baseDir: '/srv/a' }),
    settings: structuredClone(settings),
    baseDir: '/srv/a',
    connectors: { memory: memoryConnector },
    models: { Note: { dataSource: 'db', public: false } }
  })
  t.equal(registry.queryLimits.depth, 4)
})
