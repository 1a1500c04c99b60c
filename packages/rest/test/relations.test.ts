import t from 'tap'
import type { ModelDefinitionInput } from '@fastback/core'
import { call, makeApp } from './app.js'

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Author',
    hidden: ['pin'],
    properties: { name: { type: 'string', required: true }, pin: 'string' },
    relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' } }
  },
  {
    name: 'Book',
    hidden: ['cost'],
    properties: {
      title: { type: 'string', required: true },
      cost: 'number',
      authorId: { type: 'number', required: true }
    },
    relations: {
      author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' },
      subject: { type: 'belongsTo', polymorphic: { selector: 'subject', models: ['Author'] } }
    }
  }
]

/* The same with a remote hook in between, which goes another way. */
for (const hooked of [false, true]) {
  t.test(hooked ? 'relations with a remote hook in between' : 'relations', async t => {
    const app = await makeApp(t, {
      definitions,
      async prepare ({ Author, Book }) {
        await (Author as any).create({ name: 'Ann', pin: '1234' })
        await (Book as any).create([
          { title: 'one', cost: 9, authorId: 1, subjectId: 1, subjectType: 'Author' },
          { title: 'two', cost: 9, authorId: 1 }
        ])
        if (hooked) for (const Model of [Author, Book]) (Model as any).beforeRemote('**', async () => {})
      }
    })
    const hidden = /1234|"cost"/
    const table: Array<[Parameters<typeof call>[1], string, number, unknown, unknown?]> = [
      ['GET', '/Books/1/author', 200, { name: 'Ann', id: 1 }],
      ['GET', '/Books/1/subject', 200, { name: 'Ann', id: 1 }],
      ['GET', '/Books/2/subject', 404, { error: { statusCode: 404 } }],
      [
        'GET',
        '/Books/9/author',
        404,
        { error: { message: 'could not find a model with id 9', code: 'MODEL_NOT_FOUND' } }
      ],
      ['GET', '/Authors/1/books', 200, [{ title: 'one' }, { title: 'two' }]],
      ['GET', '/Authors/1/books?filter={"where":{"title":"two"}}', 200, [{ title: 'two' }]],
      ['GET', '/Authors/1/books?filter={"where":{"cost":9}}', 400, { error: { code: 'HIDDEN_PROPERTY_IN_QUERY' } }],
      ['GET', '/Authors/1/books/count', 200, { count: 2 }],
      ['GET', '/Authors/1/books/2', 200, { title: 'two', id: 2 }],
      ['GET', '/Authors/1/books/9', 404, { error: { statusCode: 404 } }],
      ['POST', '/Authors/1/books', 200, { title: 'three', authorId: 1, id: 3 }, { title: 'three', cost: 1 }],
      ['POST', '/Authors/1/books', 200, { authorId: 1, id: 4 }, { title: 'four', authorId: 77 }],
      ['PUT', '/Authors/1/books/3', 200, { title: 'changed', id: 3 }, { title: 'changed' }],
      ['PUT', '/Authors/1/books/3', 422, { error: { details: [{ path: '.title', code: 'type' }] } }, { title: 5 }],
      ['DELETE', '/Authors/1/books/3', 204, ''],
      ['DELETE', '/Authors/1/books', 204, ''],
      ['GET', '/Authors/1/books/count', 200, { count: 0 }]
    ]
    for (const [method, path, status, body, payload] of table) {
      const answer = await call(app, method, path, payload)
      t.match(answer, { status, body }, `${method} ${path}`)
      t.notMatch(JSON.stringify(answer.body), hidden, `${method} ${path} shows nothing hidden`)
    }
  })
}

t.test('protected properties of rows that are reached by a relation', async t => {
  const [author, book] = definitions as [ModelDefinitionInput, ModelDefinitionInput]
  for (const hidden of [false, true]) {
    const app = await makeApp(t, {
      definitions: [{ ...author, protected: ['name'] }, book],
      settings: hidden ? {} : { hideProtectedFromRelations: false },
      options: { remoting: { rest: { xml: true } } },
      async prepare ({ Author, Book }) {
        await (Author as any).create({ name: 'Ann' })
        await (Book as any).create({ title: 'one', authorId: 1, subjectId: 1, subjectType: 'Author' })
      }
    })
    const shows = async (path: string, headers = {}): Promise<boolean> => {
      const { statusCode, body } = await app.inject({ url: `/api${path}`, headers })
      t.equal(statusCode, 200, path)
      return body.includes('Ann')
    }
    t.ok(await shows('/Authors/1'))
    t.equal(await shows('/Books/1/author'), !hidden, 'written from its row')
    t.equal(await shows('/Books/1/subject'), !hidden, 'of any model')
    t.equal(await shows('/Books/1/author', { accept: 'application/xml' }), !hidden, 'as XML')
    t.notOk(await shows('/Books?filter={"include":"author"}'))
    const { Book } = app.models as any
    Book.afterRemote('**', async () => {})
    t.equal(await shows('/Books/1/author'), !hidden, 'after a hook')
  }
})

t.test('nested methods run the remote hooks of the methods behind them', async t => {
  const seen: string[] = []
  const mark =
    (word: string) =>
      (ctx: any, _unused: any, next: any): void => {
        seen.push(`${word} ${String(ctx.methodString)}`)
        next()
      }
  const app = await makeApp(t, {
    definitions: [
      {
        name: 'Author',
        properties: { name: 'string' },
        relations: {
          books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' },
          quiet: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' }
        }
      },
      {
        name: 'Book',
        properties: { title: 'string' },
        relations: { chapters: { type: 'hasMany', model: 'Chapter', foreignKey: 'bookId' } }
      },
      { name: 'Chapter', hidden: ['notes'], properties: { title: 'string', notes: 'string' } }
    ],
    async prepare ({ Author, Book, Chapter }) {
      await (Author as any).create({ name: 'Ann' })
      await (Book as any).create({ title: 'one', authorId: 1 })
      await (Chapter as any).create({ title: 'first', notes: 'n', bookId: 1 })
      ;(Author as any).nestRemoting('books')
      ;(Author as any).nestRemoting('quiet', { hooks: false })
      ;(Book as any).beforeRemote('prototype.__get__chapters', mark('before'))
      ;(Book as any).afterRemote('prototype.__get__chapters', (ctx: any, result: any, next: any) => {
        seen.push(`after ${String(result.length)}`)
        ctx.result = [...result, { title: 'added' }]
        next()
      })
      ;(Book as any).beforeRemote('prototype.*', mark('pattern'))
      ;(Book as any).beforeRemote('find', mark('never'))
      ;(Author as any).beforeRemote('prototype.__get__books__chapters', mark('own'))
    }
  })
  const path = '/Authors/1/books/1/chapters'
  t.match(await call(app, 'GET', path), { status: 200, body: [{ title: 'first' }, { title: 'added' }] })
  const own = 'Author.prototype.__get__books__chapters'
  t.strictSame(seen.splice(0), [`own ${own}`, `before ${own}`, `pattern ${own}`, 'after 1'])
  t.match(await call(app, 'GET', '/Authors/1/quiet/1/chapters'), { status: 200, body: [{ title: 'first' }] })
  t.strictSame(seen.splice(0), [], 'hooks: false')
  ;(app.models.Book as any).beforeRemote('prototype.__create__chapters', (_ctx: any, _unused: any, next: any) => {
    next(Object.assign(new Error('no more'), { statusCode: 409 }))
  })
  t.match(
    await call(app, 'POST', path, { title: 'x' }),
    { status: 409, body: { error: { message: 'no more' } } },
    'also hooks that come after the start'
  )
  t.match(await call(app, 'GET', '/Authors/1/books/9/chapters'), { status: 404 })
  t.match(await call(app, 'GET', `${path}/9`), { status: 404 })
  t.match(await call(app, 'HEAD', '/Authors/1/books/1/chapters'), { status: 200, body: '' })
})

t.test('a relation method that the application replaces', async t => {
  const app = await makeApp(t, {
    definitions,
    async prepare ({ Author }) {
      await (Author as any).create({ name: 'Ann' })
    }
  })
  t.strictSame((await call(app, 'GET', '/Authors/1/books')).body, [])
  ;(app.models.Author as any).prototype.__get__books = async function () {
    return [{ by: this.name }]
  }
  t.strictSame((await call(app, 'GET', '/Authors/1/books')).body, [{ by: 'Ann' }])
})
