/** Names of properties that are not there, where something else would be hidden, found or indexed: S-103. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

async function start (definition: object, modelDefinitions?: string): Promise<string[]> {
  const warnings: string[] = []
  const log = {
    ...Object.fromEntries(['info', 'debug', 'error', 'trace', 'fatal'].map(name => [name, () => {}])),
    warn: (_fields: unknown, message: string) => { warnings.push(message) }
  }
  const settings = modelDefinitions === undefined ? {} : { modelDefinitions }
  const registry = new ModelRegistry({ log: log as never, settings })
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
  const properties = { title: 'string', secret: 'string', place: 'object' }
  registry.defineModel({ name: 'Note', properties, ...definition } as never)
  registry.attach('Note', 'db', { public: true })
  await registry.start()
  return warnings
}

t.test('S-103 hidden, protected, scopes and indexes that name no property', async t => {
  for (const [name, odd] of Object.entries({
    hidden: { hidden: ['secrt'] },
    protected: { protected: ['secrt'] },
    'a scope': { scopes: { own: { where: { or: [{ title: 'a' }, { secrt: 'b' }] } } } },
    'the order of a scope': { scopes: { own: { order: ['title', 'secrt DESC'] } } },
    'the default scope': { scope: { where: { secrt: 1 } } },
    'an index': { indexes: { own: { keys: { title: 1, secrt: -1 } } } }
  })) {
    await t.rejects(start(odd), { code: 'FBK_CORE_INVALID_DEFINITION', message: /secrt.*Did you mean "secret"/ }, name)
    t.match((await start(odd, 'open')).join(), /secrt.*Did you mean "secret"/, `${name}, open`)
  }
  await t.rejects(start({ hidden: ['nothing like it'] }), { code: 'FBK_CORE_INVALID_DEFINITION' })
  t.strictSame(await start({ hidden: ['nothing like it'], strict: false }), [], 'rows may have it all the same')
  t.strictSame(await start({
    hidden: ['secret'],
    scopes: { own: { where: { title: 'a', 'place.city': 'b', id: { gt: 1 } }, order: 'title DESC', fields: ['title'] } },
    indexes: { own: { keys: { title: 1 } }, other: { columns: 'title, secret' } }
  }), [])
})
