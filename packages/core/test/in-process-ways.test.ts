/** Ways of LoopBack's in-process API that applications lean on. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { modelBuilderOf } from '@fastback/core/juggler'
import { asRemote, RULE } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'

type Loose = any

const database = (settings: Record<string, unknown> = {}): Loose =>
  new ModelRegistry({ settings }).defineDataSource('db', { connector: memoryConnector })

t.test('how strict a model is may be said late', async t => {
  const Note = database().createModel('Note', { title: 'string' }, { strict: true }) as Loose
  const Long = Note.extend('Long')
  await t.rejects(Note.create({ title: 'a', stars: 5 }), { statusCode: 422 } as Loose)
  Note.settings.strict = false
  t.match(await Note.create({ title: 'a', stars: 5 }), { stars: 5 })
  t.equal(new Note().__strict, false)
  Note.definition.settings.strict = 'filter'
  t.notOk('stars' in await Note.create({ title: 'a', stars: 5 }))
  t.equal(new Note().__strict, 'filter')
  t.equal(Long.settings.strict, true, 'a model that extends it took it over when it was defined')
  const Open = database().createModel('Open', { title: 'string' }) as Loose
  t.notOk(Object.keys(Open.settings).includes('strict'), 'what was never said is no setting')
  Open.settings.strict = true
  t.ok(Object.keys(Open.settings).includes('strict'))
  await t.rejects(Open.create({ stars: 5 }), { statusCode: 422 } as Loose)
})

t.test('scopes by name, and models as an ordinary object', t => {
  const scopes = { good: { where: { stars: 5 } } }
  const Note = database().createModel('Note', { stars: 'number' }, { scopes }) as Loose
  t.match(Note.scopes, { good: { name: 'good', params: { where: { stars: 5 } } } })
  Note.scope('bad', { where: { stars: 0 } })
  t.same(Object.keys(Note.scopes), ['good', 'bad'])
  const { models } = modelBuilderOf(Note.registry) as Loose
  t.equal(typeof models.hasOwnProperty, 'function')
  t.ok(Object.hasOwn(models, 'Note'))
  t.same(Note.getUpdateOnlyProperties(), ['id'])
  const Given = database().createModel('Given', {}, { forceId: false }) as Loose
  t.same(Given.getUpdateOnlyProperties(), [])
  t.end()
})

t.test('lookupModel says which model a stored row is an instance of', async t => {
  const db = database()
  const Product = db.createModel('Product', { kind: 'string' }) as Loose
  const Tool = Product.extend('Tool', { weight: 'number' })
  const Shop = db.createModel('Shop', {}, { relations: { products: { type: 'hasMany', model: 'Product' } } }) as Loose
  Product.lookupModel = function (row: Loose) { return row.kind === 'tool' ? Tool : this }
  const shop = await Shop.create({})
  await shop.products.create([{ kind: 'tool' }, { kind: 'toy' }])
  const [tool, toy] = await Product.find()
  t.ok(tool instanceof Tool && tool instanceof Product)
  t.notOk(toy instanceof Tool)
  t.ok(await Product.findById(1) instanceof Tool)
  t.ok((await shop.products({}))[0] instanceof Tool)
})

t.test('replacing the observers leaves the rules of the framework', async t => {
  const Note = database().createModel('Note', { title: 'string' }) as Loose
  const told: string[] = []
  Note.observe('before save', async () => { told.push('application') })
  Note.observe('before save', Object.assign(async () => { told.push('rule') }, { [RULE]: true }))
  Note._observers = { 'after save': [async () => { told.push('new') }] }
  await Note.create({ title: 'a' })
  t.same(told, ['rule', 'new'])
})

t.test('null for undefined, where the model says so', async t => {
  const Note = database()
    .createModel('Note', { title: 'string', stars: 'number' }, { persistUndefinedAsNull: true }) as Loose
  const note = await Note.create({ title: 'a', stars: 1, extra: undefined })
  t.equal(note.extra, null)
  note.title = undefined
  note.other = undefined
  t.match(note.toObject(), { title: null, other: null })
  t.match(await note.save(), { title: null, stars: 1, other: null })
  t.match(await Note.findById(1), { title: null, extra: null })
})

t.test('toObject with the schema alone: of an open model all of it', t => {
  const Open = database().createModel('Open', { title: 'string' }) as Loose
  t.match(new Open({ stars: 1 }).toObject(true), { stars: 1 })
  const Closed = database().createModel('Closed', { title: 'string' }, { strict: 'filter' }) as Loose
  const closed = new Closed({})
  closed.stars = 1
  t.notOk('stars' in closed.toObject(true))
  t.end()
})

t.test('who calls with what is no object and a callback is told at once', t => {
  const Note = database().createModel('Note', { title: 'string' }) as Loose
  const done = (): void => {}
  t.throws(() => Note.find('a', done), { message: 'The query argument must be an object' })
  t.throws(() => Note.find({}, 'a', done), { message: 'The options argument must be an object' })
  t.throws(() => Note.find({}, {}, 'a'), { message: 'The cb argument must be a function' })
  t.throws(() => Note.findById(1, 'a', done), { message: 'The filter argument must be an object' })
  t.throws(() => Note.upsertWithWhere(done), { message: 'The where argument must be an object' })
  t.throws(() => Note.upsertWithWhere({}, done), { message: 'The data argument must be an object' })
  t.doesNotThrow(() => Note.find({}, {}, undefined))
  t.end()
})

t.test('an embedded row that is taken out leaves null, and no default comes in its place', async t => {
  const db = database()
  db.createModel('Passport', { name: 'string' }, { idInjection: false })
  const Person = db.createModel('Person', {}, {
    relations: { pass: { type: 'embedsOne', model: 'Passport', property: 'passport', default: { name: 'nobody' } } }
  }) as Loose
  const person = await Person.create({})
  await person.pass.create({ name: 'Ann' })
  await (await Person.findById(1)).pass.destroy()
  t.equal((await Person.findById(1)).passport, null)
  await person.reload()
  await person.pass.create({ name: 'Bea' })
  t.match((await Person.findById(1)).pass(), { name: 'Bea' })
})

t.test('code embeds rows that are stored already; nobody outside does', async t => {
  const db = database()
  const Address = db.createModel('Address', { street: 'string' }) as Loose
  const Person = db.createModel('Person', {}, {
    relations: { addresses: { type: 'embedsMany', model: 'Address', property: 'list', options: { persistent: true } } }
  }) as Loose
  await Address.create([{ street: 'first' }, { street: 'second' }])
  const person = await Person.create({})
  await person.addresses.create({ id: 2, street: 'renamed' })
  t.match((await Person.findById(1)).list, [{ id: 2, street: 'renamed' }])
  t.match(await Address.findById(2), { street: 'renamed' })
  await t.rejects(person.addresses.create({ id: 1, street: 'taken' }, asRemote({})), { statusCode: 422 } as Loose)
  t.match(await Address.findById(1), { street: 'first' })
})

t.test('functions of a definition are on the class as well', async t => {
  const db = database()
  db.createModel('Job', { name: 'string' })
  const Plan = db.createModel('Plan') as Loose
  const own = Object.assign(async () => 7, { shared: true, http: { verb: 'get' } })
  Plan.referencesMany('Job', { as: 'others', foreignKey: 'otherIds', scopeMethods: { total: own } })
  t.same({ ...Plan.prototype.__total__others }, { shared: true, http: { verb: 'get' } })
  t.equal(await (await Plan.create({})).__total__others(), 7)
})

t.test('what loaded hooks say of the id moves no replaced row', async t => {
  const Note = database().createModel('Note', { title: 'string' }) as Loose
  const note = await Note.create({ title: 'a' })
  Note.observe('loaded', async (ctx: Loose) => { ctx.data.id = 99 })
  t.match(await note.replaceAttributes({ title: 'b' }), { id: 1, title: 'b' })
  await t.rejects(note.replaceAttributes({ id: 2 }), { message: 'id property (id) cannot be updated from 1 to 2' })
})

for (const includeBeyondFields of [true, false]) {
  t.test(`includes ${includeBeyondFields ? 'beyond' : 'within'} fields`, async t => {
    const db = database({ includeBeyondFields, unknownFilterKeys: 'ignore' })
    const Book = db.createModel('Book', { title: 'string' }, {
      relations: { author: { type: 'belongsTo', model: 'Author' } }
    }) as Loose
    const Author = db.createModel('Author', { name: 'string' }, {
      relations: { books: { type: 'hasMany', model: 'Book' }, first: { type: 'hasOne', model: 'Book' } }
    }) as Loose
    await Author.create({ name: 'Ann' })
    await Book.create({ title: 'a', authorId: 1 })
    const shown = async (Model: Loose, filter: object): Promise<unknown> => (await Model.find(filter))[0].toJSON()
    const title = { title: 'a' }
    const author = { name: 'Ann', id: 1 }
    const first = { title: 'a', authorId: 1, id: 1 }
    t.same(await shown(Book, { fields: ['title'], include: 'author' }),
      includeBeyondFields ? { ...title, author } : title)
    t.same(await shown(Author, { fields: ['name'], include: 'first' }),
      includeBeyondFields ? { name: 'Ann', first } : { name: 'Ann' })
    const lists = Author.find({ fields: ['name'], include: 'books' })
    if (includeBeyondFields) t.match(await lists, [{ name: 'Ann' }])
    else await t.rejects(lists, { statusCode: 400, message: /^ID property "id" is missing/ } as Loose)
    t.same(await shown(Book, { include: true }), first, 'what is no include is none, for code')
    await t.rejects(Book.find({ include: 1 }, asRemote({})), { statusCode: 400 } as Loose)
  })
}
