/** Routes of models whose application has functions of its own in the place of theirs. */
import t from 'tap'
import type { ModelDefinitionInput } from '@fastback/core'
import { call, makeApp } from './app.js'

type Loose = any

const definitions: ModelDefinitionInput[] = [
  { name: 'Author', properties: { name: 'string' }, relations: { books: { type: 'hasMany', model: 'Book' } } },
  {
    name: 'Book',
    hidden: ['cost'],
    protected: ['rating'],
    properties: { title: 'string', gone: 'boolean', cost: 'number', rating: 'number' },
    relations: { author: { type: 'belongsTo', model: 'Author' } }
  }
]

t.test('a find and a count of its own stand behind all reading routes', async t => {
  const app = await makeApp(t, {
    definitions,
    async prepare ({ Author, Book }: Record<string, Loose>) {
      await Author.create({ name: 'Ann' })
      await Book.create([
        { title: 'here', gone: false, authorId: 1, cost: 5, rating: 3 },
        { title: 'there', gone: true, authorId: 1, cost: 5, rating: 3 }
      ])
    }
  })
  t.match(await call(app, 'GET', '/Books/2'), { status: 200 })
  // Put there while requests come in: nobody announces an assignment.
  const { Book } = app.models as Loose
  const { find, count } = Book
  Book.find = (filter: Loose, options: object) =>
    find.call(Book, { ...filter, where: { and: [filter?.where ?? {}, { gone: false }] } }, options)
  Book.count = (where: object, options: object) =>
    count.call(Book, { and: [where ?? {}, { gone: false }] }, options)
  const here = { title: 'here', gone: false, id: 1, authorId: 1 }
  const shown = { ...here, rating: 3 }
  const included = { name: 'Ann', id: 1, books: [here] }
  const table: Array<[Parameters<typeof call>[1], string, number, unknown, unknown?]> = [
    ['GET', '/Books', 200, [shown]],
    ['GET', '/Books/1', 200, shown],
    ['GET', '/Books/2', 404, undefined],
    ['GET', '/Books/findOne?filter={"where":{"title":"there"}}', 404, undefined],
    ['GET', '/Books/2/exists', 200, { exists: false }],
    ['GET', '/Books/count', 200, { count: 1 }],
    ['PATCH', '/Books/2', 404, undefined, { title: 'back' }],
    ['GET', '/Books/2/author', 404, undefined],
    ['GET', '/Authors/1/books/2', 404, undefined],
    ['GET', '/Authors/1/books/count', 200, { count: 1 }],
    ['GET', '/Authors?filter={"include":"books"}', 200, [included]],
    ['GET', '/Authors/1?filter={"include":"books"}', 200, included],
    // What a caller may not ask, nobody asks for it (security.md, S-11 and S-12).
    ['GET', '/Authors/1/books?filter={"where":{"cost":5}}', 400, undefined],
    ['GET', '/Authors/1/books?filter={"order":"cost"}', 400, undefined],
    ['GET', '/Authors/1/books/count?where={"cost":5}', 400, undefined],
    ['GET', '/Authors?filter={"include":{"relation":"books","scope":{"where":{"cost":5}}}}', 400, undefined],
    ['GET', '/Authors?filter={"include":{"relation":"books","scope":{"where":{"rating":3}}}}', 400, undefined],
    ['GET', '/Books/1?filter={"include":{"relation":"author","scope":{"include":{"relation":"books","scope":' +
      '{"where":{"cost":5}}}}}}', 400, undefined]
  ]
  for (const [method, path, status, body, data] of table) {
    const answer = await call(app, method, path, data)
    t.equal(answer.status, status, `${method} ${path}`)
    if (body !== undefined) t.same(answer.body, body, `${method} ${path}`)
    t.notMatch(JSON.stringify(answer.body), /"cost":5/)
  }
  const [related] = (await call(app, 'GET', '/Authors/1/books')).body as Loose[]
  t.match(related, here)
})
