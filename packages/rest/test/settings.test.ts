/** Settings that LoopBack 3 did not have: totals of lists, 405. */
import t from 'tap'
import type { ModelDefinitionInput } from '@fastback/core'
import type { RestOptions } from '@fastback/rest'
import { call, makeApp } from './app.js'

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Author',
    properties: { name: 'string' },
    relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' } }
  },
  {
    name: 'Book',
    properties: { title: 'string', price: 'number', authorId: 'number' },
    scopes: { cheap: { where: { price: { lt: 3 } } } },
    relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' } }
  }
]

const library = async (
  t: Parameters<typeof makeApp>[0],
  options: RestOptions,
  prepare?: (models: any, app: any) => void
) =>
  await makeApp(t, {
    definitions,
    options,
    async prepare (models: any, app) {
      await models.Author.create([{ name: 'Ann' }, { name: 'Bob' }])
      await models.Book.create(
        [1, 2, 3, 4, 5].map(price => ({ title: `book ${price}`, price, authorId: price < 4 ? 1 : 2 }))
      )
      prepare?.(models, app)
    }
  })

const exact = { prefer: 'return=minimal, count=exact' }
const total = (count: string, range: string) => ({
  status: 200,
  headers: {
    'x-total-count': count,
    'content-range': `items ${range}/${count}`,
    'access-control-expose-headers': 'X-Total-Count, Content-Range'
  }
})

t.test('totals where a request asks for them', async t => {
  let counted = 0
  const app = await library(t, { totalCount: 'asked' }, ({ Book }) => {
    Book.observe('access', async () => {
      counted++
    })
  })
  const plain = await call(app, 'GET', '/Books?filter[limit]=2')
  t.notOk('x-total-count' in plain.headers)
  t.equal(plain.headers.vary, 'Prefer')
  t.equal(counted, 1, 'only the rows were asked for')
  const table: Array<[string, string, string]> = [
    ['/Books?filter[limit]=2', '5', '0-1'],
    ['/Books?filter={"limit":2,"skip":3}', '5', '3-4'],
    ['/Books?filter={"limit":2,"offset":1,"where":{"price":{"gt":1}}}', '4', '1-2'],
    ['/Books?filter={"skip":9}', '5', '*'],
    ['/Books', '5', '0-4'],
    ['/Authors/1/books?filter[limit]=1', '3', '0-0'],
    ['/Books/cheap?filter[limit]=1', '2', '0-0']
  ]
  for (const [url, count, range] of table) {
    const answer = await call(app, 'GET', url, undefined, exact)
    t.match(answer, { ...total(count, range), body: Array }, url)
    t.match(answer.headers, { 'preference-applied': 'count=exact', vary: 'Prefer' })
  }
  for (const url of [
    '/Books/1',
    '/Books/1/author',
    '/Books/count',
    '/Books/9/author',
    '/Books?filter={"where":{"price":{"bad":1}}}'
  ]) {
    t.notOk('x-total-count' in (await call(app, 'GET', url, undefined, exact)).headers, url)
  }
  t.match(await call(app, 'HEAD', '/Books?filter[limit]=2', undefined, exact), { ...total('5', '0-1'), body: '' })
})

t.test('totals of every list, with what hooks make of it', async t => {
  const app = await library(t, { remoting: { rest: { totalCount: true, xml: true } } }, ({ Book }, app) => {
    app.addHook('onRequest', async (_request: unknown, reply: any) => {
      reply.header('vary', 'Origin').header('access-control-expose-headers', 'X-Own')
    })
    Book.beforeRemote('find', async (ctx: any) => { ctx.args.filter = { ...ctx.args.filter, where: { authorId: 2 } } })
  })
  t.match(await call(app, 'GET', '/Books?filter[limit]=1'), {
    body: [{ title: 'book 4' }],
    headers: {
      'x-total-count': '2',
      vary: 'Origin, Accept',
      'access-control-expose-headers': 'X-Own, X-Total-Count, Content-Range'
    }
  })
  t.match(await call(app, 'GET', '/Authors/2/books'), { headers: { 'x-total-count': '2' } })
  const silent = await library(t, {})
  t.notOk('x-total-count' in (await call(silent, 'GET', '/Books', undefined, exact)).headers, 'off')
})

t.test('405 with the verbs that there are', async t => {
  const app = await library(t, { methodNotAllowed: true })
  const error = (verb: string) => ({
    error: {
      statusCode: 405,
      name: 'MethodNotAllowedError',
      code: 'METHOD_NOT_ALLOWED',
      message: `The path does not take ${verb}.`
    }
  })
  t.match(await call(app, 'DELETE', '/Books'), {
    status: 405,
    body: error('DELETE'),
    headers: { allow: 'GET, HEAD, PATCH, POST, PUT' }
  })
  t.match(await call(app, 'POST', '/books/1/?x=1', {}), {
    status: 405,
    body: error('POST'),
    headers: { allow: 'DELETE, GET, HEAD, PATCH, PUT' }
  })
  t.match(
    await call(app, 'POST', '/Authors/1/books/count', {}),
    { status: 405, headers: { allow: 'DELETE, GET, HEAD, PUT' } },
    'count may be an id, too'
  )
  for (const url of ['/Nothing', '/Books/1/nothing', '/']) {
    const answer = await call(app, 'POST', url, {})
    t.match(answer, { status: 404 }, url)
    t.notOk('allow' in answer.headers)
  }
  t.match(await call(await library(t, {}), 'DELETE', '/Books'), {
    status: 404,
    body: { error: { message: 'Shared class "Book" has no method handling DELETE /' } }
  })
})
