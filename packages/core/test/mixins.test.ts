import { memoryConnector } from '@fastback/connector-memory'
import { ModelRegistry } from '@fastback/core'
import t from 'tap'

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
  t.throws(() => registry.defineModel({ name: 'Wrong', properties: {}, mixins: { None: true } }), {
    code: 'FBK_CORE_UNDEFINED_MIXIN'
  })
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
})

t.test('a mixin declares relations by its data source', async t => {
  const registry = new ModelRegistry()
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
  registry.defineMixin('Owned', Model => {
    Model.dataSource.defineRelations(Model, { author: { type: 'belongsTo', model: 'Author', foreignKey: 'writtenBy' } })
  })
  const Note = registry.defineModel({ name: 'Note', properties: {}, mixins: { Owned: true } })
  registry.attach(Note, 'db')
  const Author = registry.defineModel({ name: 'Author', properties: { name: 'string' } })
  registry.attach(Author, 'db')
  await registry.start()
  const author = await Author.create({ name: 'x' })
  await Note.create({ writtenBy: author.id } as never)
  t.equal(registry.dataSources.db?.adapter, registry.dataSources.db?.connector)
  t.match(JSON.parse(JSON.stringify(await Note.find({ include: 'author' as never }))), [{ author: { name: 'x' } }])
  t.throws(
    () => { (Note as any).dataSource.defineRelations(Note, { x: { type: 'hasSome', model: 'Author' } }) },
    { code: 'FBK_CORE_INVALID_DEFINITION' }
  )
  await registry.stop()
})

t.test('what code adds stands after the injected id, what is declared before it', async t => {
  const registry = new ModelRegistry()
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
  registry.defineMixin('Stamp', Model => { Model.defineProperty('stamp', { type: 'string', default: 'now' }) })
  const Note = registry.defineModel({ name: 'Note', properties: { title: 'string' }, mixins: { Stamp: true } })
  const Memo = registry.defineModel({ name: 'Memo', base: 'Note', properties: { to: 'string' } })
  const Named = registry.defineModel({
    name: 'Named', properties: { id: { type: 'string', id: true }, title: 'string' }, mixins: { Stamp: true }
  })
  for (const Model of [Note, Memo, Named]) registry.attach(Model, 'db')
  await registry.start()
  const keys = async (Model: unknown, row: object): Promise<string[]> =>
    Object.keys((await (Model as typeof Note).create(row)).toJSON())
  t.strictSame(await keys(Note, { title: 't' }), ['title', 'id', 'stamp'])
  t.strictSame(await keys(Memo, { title: 't', to: 'x' }), ['to', 'title', 'id', 'stamp'])
  t.strictSame(await keys(Named, { id: 'a', title: 't' }), ['id', 'title', 'stamp'])
  await registry.stop()
})
