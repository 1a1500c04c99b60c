import t from 'tap'
import type { ModelDefinitionInput } from '@fastback/core'
import { call, makeApp } from './app.js'

const definitions: ModelDefinitionInput[] = [
  { name: 'Author', hidden: ['pin'], properties: { name: { type: 'string', required: true }, pin: 'string' }, relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' } } },
  {
    name: 'Book',
    hidden: ['cost'],
    properties: { title: { type: 'string', required: true }, cost: 'number', authorId: { type: 'number', required: true } },
    relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' }, subject: { type: 'belongsTo', polymorphic: true } }
  }
]

/* The same with a remote hook in between, which goes another way. */
for (const hooked of [false, true]) {
  t.test(hooked ? 'relations with a remote hook in between' : 'relations', async t => {
    const app = await makeApp(t, {
      definitions,
      async prepare ({ Author, Book }) {
        await (Author as any).create({ name: 'Ann', pin: '1234' })
        await (Book as any).create([{ title: 'one', cost: 9, authorId: 1, subjectId: 1, subjectType: 'Author' }, { title: 'two', cost: 9, authorId: 1 }])
        if (hooked) for (const Model of [Author, Book]) (Model as any).beforeRemote('**', async () => {})
      }
    })
    const hidden = /1234|"cost"/
    const table: Array<[Parameters<typeof call>[1], string, number, unknown, unknown?]> = [
      ['GET', '/Books/1/author', 200, { name: 'Ann', id: 1 }],
      ['GET', '/Books/1/subject', 200, { name: 'Ann', id: 1 }],
      ['GET', '/Books/2/subject', 404, { error: { statusCode: 404 } }],
      ['GET', '/Books/9/author', 404, { error: { message: 'could not find a model with id 9', code: 'MODEL_NOT_FOUND' } }],
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

t.test('a relation method that the application replaces', async t => {
  const app = await makeApp(t, {
    definitions,
    async prepare ({ Author }) { await (Author as any).create({ name: 'Ann' }) }
  })
  t.strictSame((await call(app, 'GET', '/Authors/1/books')).body, [])
  ;(app.models.Author as any).prototype.__get__books = async function () { return [{ by: this.name }] }
  t.strictSame((await call(app, 'GET', '/Authors/1/books')).body, [{ by: 'Ann' }])
})
