import t from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import { ModelRegistry } from './registry.js'

t.test('what a package keeps with a registry is made once, for each registry', async t => {
  const kNames = Symbol('names')
  const namesOf = (registry: ModelRegistry): Set<string> => registry.slot(kNames, () => new Set())
  const [one, other] = [new ModelRegistry(), new ModelRegistry()]
  namesOf(one).add('Note')
  t.strictSame([...namesOf(one)], ['Note'])
  t.equal(namesOf(other).size, 0)
  t.equal(one.slot(Symbol('names'), () => 5), 5, 'the key is the symbol, not its name')
})

t.test('the models that extend one', async t => {
  const registry = new ModelRegistry()
  const Person = registry.defineModel({ name: 'Person' })
  registry.defineModel({ name: 'Customer', base: 'Person' })
  registry.defineModel({ name: 'Note' })
  registry.defineModel({ name: 'Regular', base: 'Customer' })
  t.strictSame(registry.modelsExtending(Person).map(Model => Model.modelName), ['Customer', 'Regular'])
  t.strictSame(registry.modelsExtending('Regular'), [])
  t.throws(() => registry.modelsExtending('Nobody'), { code: 'FBK_CORE_UNKNOWN_MODEL' })
})

t.test('mixins are applied when a model gets its data source', async t => {
  const lines: string[] = []
  const log = { warn (_details: object, message: string) { lines.push(message) }, info () {}, debug () {} }
  const registry = new ModelRegistry({ log })
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
  const applied: string[] = []
  registry.defineMixin('Stamp', (Model, options) => {
    applied.push(`${Model.modelName} ${Model.dataSource.name} ${JSON.stringify(options)}`)
    Model.defineProperty('stamp', { type: 'string', default: 'now' })
  })
  const mixins = { Stamp: true }
  registry.defineModel({ name: 'Base', properties: {}, mixins })
  const Note = registry.defineModel({ name: 'Note', base: 'Base', properties: {} })
  const Page = registry.defineModel({ name: 'Page', properties: {}, mixins: { Stamp: { by: 1 } } })
  registry.defineModel({ name: 'Idle', properties: {}, mixins })
  registry.defineModel({ name: 'Off', properties: {}, mixins: { Stamp: false } })
  t.strictSame(applied, [])
  registry.attach(Note, 'db')
  registry.attach(Page, 'db')
  registry.attach(Page, 'db')
  t.strictSame(applied, ['Note db {}', 'Page db {"by":1}'], 'once; those of a base without a data source as well')
  await registry.start()
  t.match(await Page.create({}), { stamp: 'now' })
  t.match(await Note.create({}), { stamp: 'now' })
  t.strictSame(lines.filter(line => line.includes('mixins')), [
    'The mixins of "Idle" are not applied: it has no data source'
  ])
  await registry.stop()
  t.throws(() => registry.defineModel({ name: 'Wrong', properties: {}, mixins: { None: true } }), {
    code: 'FBK_CORE_UNDEFINED_MIXIN'
  })
})
