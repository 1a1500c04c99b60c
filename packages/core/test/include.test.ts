/** Include, named scopes and nested endpoints; how many queries they take. */
import t from 'tap'
import { ModelRegistry, type ConnectorFactory, type ModelClass, type Query, type StoredModel } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import { asRemote, nestedMethods, sharedMethodsOf } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

/** An error with this status. */
const refused = (statusCode: number): Loose => ({ statusCode })

const stores: Record<string, Loose> = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

/** The store, with a list of the models that were queried. */
function counting (store: Loose, queried: string[]): Loose {
  const connector: ConnectorFactory = (settings, context) => {
    const made = store.connector({ ...settings, connector: store.connector }, context) as Loose
    const find = made.find.bind(made)
    made.find = (model: StoredModel, query: Query, options: Loose) => {
      queried.push(model.name)
      return find(model, query, options)
    }
    return made
  }
  return { ...store, connector }
}

async function start (
  t: Loose,
  store: Loose,
  definitions: Loose[]
): Promise<{ models: Record<string, Loose>; queried: string[] }> {
  const queried: string[] = []
  const registry = new ModelRegistry()
  registry.defineDataSource('db', counting(store, queried))
  for (const definition of definitions) registry.attach(registry.defineModel(definition), 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  return { models: registry.models as Record<string, Loose>, queried }
}

const plain = (value: unknown): Loose => JSON.parse(JSON.stringify(value))
const external = asRemote({})

const library = [
  {
    name: 'Author',
    protected: ['mail'],
    properties: { name: 'string', mail: 'string' },
    relations: {
      books: { type: 'hasMany', model: 'Book' },
      topBooks: { type: 'hasMany', model: 'Book', scope: { order: 'stars DESC', limit: 2, fields: ['title'] } },
      profile: { type: 'hasOne', model: 'Profile' },
      secrets: { type: 'hasMany', model: 'Book', options: { disableInclude: true } },
      pictures: { type: 'hasMany', model: 'Picture', polymorphic: 'shown' }
    }
  },
  {
    name: 'Book',
    hidden: ['price'],
    properties: { title: 'string', stars: 'number', price: 'number', keys: ['string'] },
    relations: {
      author: { type: 'belongsTo', model: 'Author' },
      chapters: { type: 'hasMany', model: 'Chapter' },
      tags: { type: 'hasAndBelongsToMany', model: 'Tag' },
      marks: { type: 'referencesMany', model: 'Mark', foreignKey: 'keys' },
      pages: { type: 'embedsMany', model: 'Page', property: 'pageList' },
      cover: { type: 'embedsOne', model: 'Cover' }
    }
  },
  { name: 'Chapter', properties: { title: 'string' }, relations: { book: { type: 'belongsTo', model: 'Book' } } },
  { name: 'Tag', properties: { word: 'string' }, relations: { books: { type: 'hasAndBelongsToMany', model: 'Book' } } },
  {
    name: 'Mark',
    idInjection: false,
    forceId: false,
    properties: { key: { type: 'string', id: true }, size: 'number' }
  },
  {
    name: 'Page',
    base: 'Model',
    properties: { id: { type: 'number', id: true }, n: 'number', markKey: 'string' },
    relations: { mark: { type: 'belongsTo', model: 'Mark', foreignKey: 'markKey' } }
  },
  { name: 'Cover', base: 'Model', properties: { colour: 'string' } },
  { name: 'Profile', properties: { bio: 'string' }, relations: { author: { type: 'belongsTo', model: 'Author' } } },
  { name: 'Picture', properties: { url: 'string' }, relations: { shown: { type: 'belongsTo', polymorphic: true } } },
  {
    name: 'Museum',
    properties: { name: 'string' },
    relations: {
      picture: { type: 'hasOne', model: 'Picture', polymorphic: { foreignKey: 'shownId', discriminator: 'shownType' } }
    }
  }
]

async function seed ({
  Author,
  Book,
  Chapter,
  Tag,
  Mark,
  Profile,
  Picture,
  Museum
}: Record<string, Loose>): Promise<void> {
  await Author.create([{ name: 'Ann', mail: 'a@x' }, { name: 'Bob' }, { name: 'Cy' }])
  await Mark.create([
    { key: 'x', size: 1 },
    { key: 'y', size: 2 }
  ])
  await Book.create([
    {
      title: 'a1',
      stars: 1,
      price: 5,
      authorId: 1,
      keys: ['y', 'x', 'gone'],
      pageList: [
        { id: 1, n: 3, markKey: 'x' },
        { id: 2, n: 1 }
      ],
      _cover: { colour: 'red' }
    },
    { title: 'a2', stars: 3, authorId: 1 },
    { title: 'a3', stars: 2, authorId: 1 },
    { title: 'b1', stars: 5, authorId: 2 },
    { title: 'lost', authorId: 99 },
    { title: 'none' }
  ])
  await Chapter.create([
    { title: 'c1', bookId: 1 },
    { title: 'c2', bookId: 1 },
    { title: 'c3', bookId: 4 }
  ])
  const [first, second] = await Tag.create([{ word: 'one' }, { word: 'two' }])
  await (await Book.findById(1)).tags.add(second)
  await (await Book.findById(1)).tags.add(first)
  await (await Book.findById(4)).tags.add(first)
  await Profile.create({ bio: 'x', authorId: 1 })
  await Museum.create({ name: 'M' })
  await Picture.create([
    { url: 'p1', shownId: 1, shownType: 'Author' },
    { url: 'p2', shownId: 1, shownType: 'Museum' },
    { url: 'p3', shownId: 1, shownType: 'Tag' },
    { url: 'p4' }
  ])
}

for (const [name, store] of Object.entries(stores)) {
  t.test(`${name}: what include finds`, async t => {
    const { models } = await start(t, store, library)
    await seed(models)
    const { Author, Book, Picture } = models
    const shown = async (Model: Loose, include: unknown, rest: object = {}): Promise<Loose> =>
      plain(await Model.find({ include, ...rest }))

    t.same(
      (await shown(Author, 'books')).map((each: Loose) => each.books.map((book: Loose) => book.title)),
      [['a1', 'a2', 'a3'], ['b1'], []]
    )
    t.same(
      (await shown(Book, 'author')).map((each: Loose) => each.author?.name),
      ['Ann', 'Ann', 'Ann', 'Bob', undefined, undefined]
    )
    t.notOk('author' in (await shown(Book, 'author'))[5], 'no key where there is nothing')
    t.notOk('mail' in (await shown(Book, 'author'))[0].author, 'protected properties stay out')
    t.same((await shown(Author, 'profile')).map((each: Loose) => each.profile?.bio), ['x', undefined, undefined])
    t.same(
      (await shown(Book, 'tags', { where: { id: { inq: [1, 2, 4] } } })).map((each: Loose) =>
        each.tags.map((tag: Loose) => tag.word)
      ),
      [['one', 'two'], [], ['one']],
      'in the order of their own ids'
    )
    t.same(
      (await shown(Book, 'marks', { where: { id: { lt: 3 } } })).map((each: Loose) =>
        each.marks.map((mark: Loose) => mark.key)
      ),
      [['y', 'x'], []],
      'in the order of the list'
    )
    t.same(
      (await shown(Book, ['pages', 'cover'], { where: { id: { lt: 3 } } })).map((each: Loose) => [
        each.pages.length,
        each.cover
      ]),
      [
        [2, { colour: 'red' }],
        [0, undefined]
      ]
    )
    t.same(
      (await shown(Picture, 'shown')).map((each: Loose) => each.shown?.name),
      ['Ann', 'M', undefined, undefined],
      'one of several models; a model without pictures is none of them'
    )
    t.same(
      (await shown(Author, ['pictures'])).map((each: Loose) => each.pictures.map((picture: Loose) => picture.url)),
      [['p1'], [], []]
    )
    t.notOk('secrets' in (await shown(Author, 'secrets'))[0], 'disableInclude')
    await t.rejects(Author.find({ include: 'nothing' }), { statusCode: 400, code: 'INVALID_INCLUDE' })

    const [ann] = await Author.find({ include: 'books', where: { id: 1 } })
    t.ok(ann.books()[0] instanceof Book, 'the accessor gives what was included')
    t.equal(ann.books(), ann.books())
    const first = await Book.findById(1, { include: 'author' })
    t.equal(first.author().name, 'Ann')
    await ann.books.create({ title: 'a4' })
    t.equal((await ann.books()).length, 4, 'a change makes it forget')
  })

  t.test(`${name}: scopes of includes`, async t => {
    const { models } = await start(t, store, library)
    await seed(models)
    const { Author, Book } = models
    const titles = async (relation: string, scope: Loose, options?: Loose): Promise<Loose> =>
      plain(await Author.find({ fields: ['id'], include: { relation, scope } }, options)).map(
        (each: Loose) => each[relation]
      )

    t.same(
      await titles('books', { fields: ['title'], order: 'stars DESC', limit: 2 }),
      [
        [
          { title: 'a2', authorId: 1 },
          { title: 'a3', authorId: 1 }
        ],
        [{ title: 'b1', authorId: 2 }],
        []
      ],
      'the page is per owner, the key is added'
    )
    t.same(await titles('books', { fields: { title: true }, skip: 1, limit: 1 }), [
      [{ title: 'a2', authorId: 1 }],
      [],
      []
    ])
    t.same(await titles('books', { fields: 'title', where: { stars: { gt: 2 } } }), [
      [{ title: 'a2', authorId: 1 }],
      [{ title: 'b1', authorId: 2 }],
      []
    ])
    t.same(
      (await titles('books', { fields: { authorId: false, price: false } }))[1],
      [{ title: 'b1', stars: 5, authorId: 2, id: 4, keys: [], pageList: [] }],
      'the key cannot be left out'
    )
    t.same(
      await titles('topBooks', {}),
      [
        [
          { title: 'a2', authorId: 1 },
          { title: 'a3', authorId: 1 }
        ],
        [{ title: 'b1', authorId: 2 }],
        []
      ],
      "the relation's own scope"
    )
    t.same(
      (await titles('books', { include: { chapters: 'book' }, where: { id: 1 } }))[0][0].chapters.map(
        (each: Loose) => each.book.title
      ),
      ['a1', 'a1']
    )
    t.same(
      plain(
        await Book.find({
          where: { id: 1 },
          fields: ['id'],
          include: [
            { relation: 'author', scope: { fields: ['name'] } },
            { relation: 'tags', scope: { where: { word: 'two' }, fields: ['word'] } },
            { relation: 'marks', scope: { order: 'key', limit: 1 } }
          ]
        })
      ),
      [{ id: 1, author: { id: 1, name: 'Ann' }, tags: [{ id: 2, word: 'two' }], marks: [{ key: 'x', size: 1 }] }],
      'join keys are read and left out again'
    )
    t.same(
      plain(
        await Book.find({
          where: { id: 1 },
          fields: ['id'],
          include: { relation: 'pages', scope: { order: 'n', include: 'mark' } }
        })
      ),
      [
        {
          id: 1,
          pages: [
            { id: 2, n: 1 },
            { id: 1, n: 3, markKey: 'x', mark: { key: 'x', size: 1 } }
          ]
        }
      ]
    )
    t.notOk(
      'mark' in plain(await Book.findById(1)).pageList[0],
      'what is included with an embedded row is not stored in it'
    )

    for (const scope of [{ where: { price: 5 } }, { order: 'price' }, { where: { or: [{ price: 5 }] } }]) {
      t.same((await titles('books', scope)).length, 3, 'code may ask for hidden properties')
      await t.rejects(titles('books', scope, external), { statusCode: 400, code: 'HIDDEN_PROPERTY_IN_QUERY' })
      await t.rejects(
        Author.find(
          { include: { books: { relation: 'tags', scope: { include: { relation: 'books', scope } } } } },
          external
        ),
        refused(400),
        'at any depth'
      )
    }
    await t.rejects(
      Book.find({ include: { relation: 'author', scope: { where: { mail: 'a@x' } } } }, external),
      { statusCode: 400, code: 'HIDDEN_PROPERTY_IN_QUERY' },
      'protected ones neither'
    )
    for (const scope of [{ limit: -1 }, { skip: 'x' }, { limit: 1.5 }]) {
      await t.rejects(titles('books', scope, external), refused(400))
    }
  })

  t.test(`${name}: one query per relation and level`, async t => {
    const { models: { Author, Book, Chapter, Profile, Picture }, queried } = await start(t, store, library)
    await Author.create(Array.from({ length: 100 }, (_, i) => ({ name: `author ${i}` })))
    await Book.create(Array.from({ length: 300 }, (_, i) => ({ title: `book ${i}`, authorId: i % 100 + 1 })))
    await Chapter.create(Array.from({ length: 600 }, (_, i) => ({ title: `chapter ${i}`, bookId: i % 300 + 1 })))
    await Profile.create(Array.from({ length: 50 }, (_, i) => ({ bio: 'b', authorId: i + 1 })))
    const count = async (run: () => Promise<unknown>): Promise<string[]> => {
      queried.length = 0
      await run()
      return [...queried]
    }
    t.same(await count(() => Author.find({ include: [{ books: 'chapters' }, 'profile'] })), [
      'Author',
      'Book',
      'Chapter',
      'Profile'
    ])
    t.same(await count(() => Author.find({ include: { relation: 'books', scope: { limit: 1, include: 'author' } } })), [
      'Author',
      'Book',
      'Author'
    ])
    t.same(
      await count(() => Book.find({ include: 'tags' })),
      ['Book', 'TagBook'],
      'nothing is asked for when nothing is joined'
    )
    await (await Book.findById(1)).tags.create([{ word: 'a' }, { word: 'b' }])
    t.same(await count(() => Book.find({ include: 'tags' })), ['Book', 'TagBook', 'Tag'])
    await Picture.create(
      Array.from({ length: 40 }, (_, i) => ({ url: 'u', shownId: i + 1, shownType: i % 2 === 0 ? 'Author' : 'Museum' }))
    )
    t.same(
      (await count(() => Picture.find({ include: 'shown' }))).sort(),
      ['Author', 'Museum', 'Picture'],
      'one per type'
    )
    const all = await Author.find({ include: { books: 'chapters' } })
    t.equal(all.flatMap((author: Loose) => author.books().flatMap((book: Loose) => book.chapters())).length, 600)
  })

  t.test(`${name}: inqLimit makes several queries, and changes no response`, async t => {
    const asked = [
      {
        include: { relation: 'books', scope: { order: 'stars DESC', limit: 2, fields: ['title'], include: 'chapters' } }
      },
      { include: ['books', 'topBooks', 'profile', 'pictures'] },
      {
        include: {
          relation: 'books',
          scope: {
            include: [
              { relation: 'tags', scope: { order: 'word DESC', fields: ['id'] } },
              { relation: 'marks', scope: { order: 'size DESC' } },
              'author',
              'pages'
            ]
          }
        }
      }
    ]
    const answers: Loose[] = []
    for (const limited of [{ store }, { store: { ...store, inqLimit: 2 } }, { store, settings: { inqLimit: 1 } }]) {
      const { models, queried } = await start(
        t,
        limited.store,
        library.map(definition => ({ ...definition, ...limited.settings }))
      )
      await seed(models)
      await models.Book.create(
        Array.from({ length: 5 }, (_, i) => ({ title: `more ${i}`, stars: i % 3, authorId: (i % 3) + 1, keys: ['x'] }))
      )
      for (const [i, book] of (await models.Book.find({ order: 'id DESC' })).entries()) {
        if (i % 2 === 0) await book.tags.add(i % 4 === 0 ? 1 : 2)
      }
      queried.length = 0
      const answer = []
      for (const filter of asked) answer.push(plain(await models.Author.find(filter)))
      answers.push({ answer, queries: queried.length })
    }
    t.same(answers[1].answer, answers[0].answer)
    t.same(answers[2].answer, answers[0].answer)
    t.ok(
      answers[0].queries < answers[1].queries && answers[1].queries < answers[2].queries,
      'shorter lists, more queries'
    )
  })

  t.test(`${name}: named scopes`, async t => {
    const {
      models: { Product }
    } = await start(t, store, [
      {
        name: 'Product',
        hidden: ['cost'],
        properties: { name: 'string', price: 'number', cost: 'number', kind: 'string' },
        scopes: {
          cheap: { where: { price: { lt: 10 } }, order: 'price' },
          tea: { where: { and: [{ kind: 'tea' }] } },
          latest: { order: 'id DESC', limit: 2 },
          sorted: { order: 'name' },
          lossy: { where: { cost: { gt: 5 } } }
        }
      }
    ])
    await Product.create([
      { name: 'c', price: 5, kind: 'tea', cost: 9 },
      { name: 'b', price: 3 },
      { name: 'a', price: 20, kind: 'tea' }
    ])
    const names = (rows: Loose[]): string[] => rows.map(each => each.name)
    t.same(names(await Product.cheap()), ['b', 'c'])
    t.same(names(await Product.cheap({ where: { name: 'c' } })), ['c'])
    t.same(names(await Product.cheap.find({ order: 'name DESC' })), ['c', 'b'])
    t.same(names(await Product.cheap.tea()), ['c'], 'scopes narrow one another')
    t.same(names(await Product.latest({ limit: 50 })), ['a', 'b'])
    t.equal(await Product.cheap.count({ kind: 'tea' }), 1)
    t.equal((await Product.tea.findOne({ order: 'name' })).name, 'a')
    t.equal(await Product.tea.findById(2), null)
    t.equal((await Product.tea.create({ name: 'd' })).kind, 'tea', 'what the condition asks for is set')
    t.equal(Product.tea.build({ name: 'e' }).kind, 'tea')
    t.same(await Product.cheap.updateAll({ name: 'c' }, { price: 4 }), { count: 1 })
    await new Promise<void>(resolve =>
      Product.cheap((error: unknown, rows: Loose[]) => {
        t.equal(error, null)
        t.same(names(rows), ['b', 'c'])
        resolve()
      })
    )
    t.equal(
      (await Product.__get__lossy(undefined, external)).length,
      1,
      'a scope may use hidden properties, a client may not'
    )
    await t.rejects(Product.__get__lossy({ where: { cost: 9 } }, external), {
      statusCode: 400,
      code: 'HIDDEN_PROPERTY_IN_QUERY'
    })
    await t.rejects(Product.__count__cheap({ cost: 9 }, external), refused(400))
    t.equal(await Product.__count__cheap({ name: 'b' }, external), 1)
    await t.rejects(
      Product.__delete__sorted(undefined, external),
      refused(400),
      'a scope without a condition deletes nothing'
    )
    await Product.__delete__latest(undefined, external)
    t.same(names(await Product.find()), ['c', 'b'], 'a scope with a limit deletes its page')
    await Product.__delete__cheap(undefined, external)
    t.equal(await Product.count(), 0)
    const methods = sharedMethodsOf(Product)
      .filter(each => each.name.endsWith('cheap'))
      .map(each => [each.name, ...each.http.map(route => `${route.verb} ${route.path}`)])
    t.same(methods, [
      ['__get__cheap', 'get /cheap'],
      ['__create__cheap', 'post /cheap'],
      ['__delete__cheap', 'delete /cheap'],
      ['__count__cheap', 'get /cheap/count']
    ])
    Product.scope('dear', { where: { price: { gt: 50 } } })
    t.same(await Product.dear(), [])
    t.ok(sharedMethodsOf(Product).some(each => each.name === '__get__dear'))
  })

  t.test(`${name}: nested endpoints`, async t => {
    const { models: { Author, Book } } = await start(t, store, library)
    await seed({ ...Author.registry.models })
    Author.nestRemoting('books')
    const method = (wanted: string): Loose => nestedMethods(Author as ModelClass).find(each => each.name === wanted)
    const ann = await Author.findById(1)
    const get = method('__get__books__chapters')
    t.same(get.options.http, [{ verb: 'get', path: '/books/:nk/chapters' }])
    t.same(get.options.accepts.map((each: Loose) => each.arg), ['nk', 'filter', 'options'])
    t.same(
      (await get.call(ann, ['1', { order: 'title DESC' }], external)).map((each: Loose) => each.title),
      ['c2', 'c1']
    )
    t.throws(() => get.call(ann, ['4'], external), refused(404), 'a book of somebody else')
    t.equal((await method('__findById__books__chapters').call(ann, ['1', '2'], external)).title, 'c2')
    t.throws(() => method('__findById__books__chapters').call(ann, ['1', '3'], external), refused(404))
    t.equal(
      (await method('__create__books__chapters').call(ann, ['2', { title: 'new', bookId: 1 }], external)).bookId,
      2
    )
    t.equal(await method('__count__books__chapters').call(ann, ['1', undefined], external), 2)
    t.equal(get.nested.method.name, '__get__chapters')
    t.ok((await get.nested.find(ann, ['1'], external)) instanceof Book)
    t.ok((await ann.__get__books__author('1'))?.name, 'for remote hooks they are on the instance, too')
    await t.rejects(ann.__get__books__chapters('4'), refused(404))
    t.ok(
      sharedMethodsOf(Author).some(
        each => each.fullName === 'prototype.__get__books__chapters' && each.http[0]?.path === '/:id/books/:nk/chapters'
      )
    )
    Author.nestRemoting('profile', {
      pathName: 'about',
      filterMethod: (each: Loose) => (each.name === '__get__author' ? '__get__back' : undefined)
    })
    t.same(method('__get__back').options.http, [{ verb: 'get', path: '/about/author' }])
    t.equal((await method('__get__back').call(ann, [], external)).name, 'Ann')
    t.equal(
      sharedMethodsOf(Author).find(each => each.name === '__get__books__chapters')?.nested?.relation.name,
      'books',
      'access rules can look behind it'
    )
    t.equal(Author.relations.books.modelTo, Book)
    const bob = await Author.findById(2)
    t.throws(() => method('__get__back').call(bob, [], external), refused(404))
  })
}

t.test('relations of a store that answers at once need no promise', async t => {
  const { models } = await start(t, stores.memory, library)
  await seed(models)
  const { Author, Book } = models
  const call = (Model: ModelClass, relation: string, name: string, instance: Loose, ...args: unknown[]): unknown =>
    Model.state.relations.get(relation)?.methods().find(each => each.name === name)?.call(instance, args, external)
  const [ann, book] = [await Author.findById(1), await Book.findById(1)]
  for (const result of [
    call(Author, 'books', '__get__books', ann, { include: 'chapters' }),
    call(Author, 'books', '__count__books', ann),
    call(Author, 'books', '__create__books', ann, { title: 't' }),
    call(Book, 'author', '__get__author', book),
    call(Book, 'tags', '__get__tags', book),
    call(Book, 'tags', '__link__tags', book, '1'),
    call(Book, 'pages', '__create__pages', book, { n: 5 }),
    call(Book, 'marks', '__get__marks', book)
  ]) { t.notOk(isPromise(result)) }
})

t.test('unsetAttribute takes back what was included; the accessor and its key stay', async t => {
  const { models: { Place, Part } } = await start(t, stores.memory, [
    { name: 'Place', base: 'PersistedModel', properties: { name: 'string' } },
    {
      name: 'Part',
      base: 'PersistedModel',
      properties: { title: 'string' },
      relations: { place: { type: 'belongsTo', model: 'Place', foreignKey: 'placeId' } }
    }
  ])
  Part.observe('before save', async ({ instance }: Loose) => { instance.unsetAttribute('place') })
  const shelf = await Place.create({ name: 'shelf' })
  await Part.create({ title: 'bolt', placeId: shelf.id })
  const bolt = await Part.findOne({ include: 'place' })
  t.match(bolt.toJSON(), { place: { name: 'shelf' } })
  bolt.unsetAttribute('place')
  t.notOk('place' in bolt.toJSON())
  t.equal(bolt.placeId, shelf.id)
  t.match(await bolt.place.get(), { name: 'shelf' })
})
