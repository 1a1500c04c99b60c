/**
 * Parts of requests that nothing reads: a new application refuses them, and a folder that says nothing, as one of
 * LoopBack's, leaves them alone and tells of each once.
 */
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { createServer } from '../src/index.js'

const template = new URL('../../cli/templates/empty-server/server/config.json', import.meta.url)
const models = {
  Author: { name: 'Author', properties: { name: 'string' }, relations: { books: { type: 'hasMany', model: 'Book' } } },
  Book: { name: 'Book', properties: { title: 'string' }, relations: { author: { type: 'belongsTo', model: 'Author' } } }
}
const json = (files: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${name}.json`, JSON.stringify(content)]))

const stores = { memory: { connector: 'memory' }, sqlite: { connector: 'sqlite', url: 'sqlite::memory:' } }

async function serve (t: Test, config: object, db: object) {
  const told: string[] = []
  const dir = t.testdir({
    server: {
      ...json({
        config: { ...config, host: '127.0.0.1', port: 0 },
        datasources: { db },
        'model-config': {
          _meta: { sources: ['./models'] },
          Author: { dataSource: 'db', public: true },
          Book: { dataSource: 'db', public: true }
        }
      }),
      models: json(models),
      boot: {
        'tables.js': 'module.exports = app => app.dataSources.db.automigrate()'
      }
    },
    'package.json': '{ "type": "commonjs" }'
  })
  const nothing = (): void => {}
  const log: any = {
    level: 'warn', fatal: nothing, error: nothing, info: nothing, debug: nothing, trace: nothing, silent: nothing,
    warn: (_: object, line: string) => { told.push(line) },
    child: () => log
  }
  const { fastify, app, stop } = await createServer(dir, { log })
  t.teardown(stop)
  const author = await (app.models.Author as any).create({ name: 'Ann' })
  await author.books.create({ title: 'x' })
  told.length = 0
  return { fastify, told }
}

const filter = (value: object): string => `filter=${encodeURIComponent(JSON.stringify(value))}`
const asJson = { 'content-type': 'application/json' }
type Request = readonly [method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, more?: object]
const requests: ReadonlyArray<readonly [code: string, tells: RegExp, requests: readonly Request[]]> = [
  ['RELATION_IN_QUERY', /^The where names "books"/, [
    ['GET', `/Authors?${filter({ where: { books: 'x' } })}`],
    ['GET', `/Authors?${filter({ where: { or: [{ and: [{ 'books.title': 'x' }] }] } })}`],
    ['GET', `/Authors/count?where=${encodeURIComponent('{"books":"x"}')}`],
    ['GET', `/Books/1?${filter({ include: [{ relation: 'author', scope: { where: { books: 'x' } } }] })}`]
  ]],
  ['RELATION_IN_QUERY', /^The order names "author"/, [
    ['GET', `/Books?${filter({ order: 'author' })}`],
    ['GET', `/Authors?${filter({ order: ['books.title DESC'] })}`]
  ]],
  ['UNKNOWN_FILTER_KEY', /"group"/, [
    ['GET', `/Books?${filter({ group: 'title' })}`],
    ['GET', `/Authors/1/books?${filter({ group: 'title' })}`],
    ['GET', `/Authors/1?${filter({ include: [{ relation: 'books', scope: { group: 'title' } }] })}`]
  ]],
  ['UNKNOWN_FILTER_KEY', /"limit" of the query/, [['GET', '/Books?limit=1']]],
  ['RELATED_ROWS_IN_DATA', /^Data of Author have "books"/, [
    ['POST', '/Authors', { payload: { books: [{ title: 'y' }] } }],
    ['PATCH', '/Authors/1', { payload: { books: [{ title: 'y' }] } }],
    ['PUT', '/Authors/1', { payload: { books: [{ title: 'y' }] } }]
  ]],
  ...['If-Match', 'If-Unmodified-Since', 'Idempotency-Key'].map(header => [
    'UNSUPPORTED_HEADER', new RegExp(header), [
      ['GET', '/Books', { headers: { [header]: 'x' } }],
      ['PATCH', '/Authors/1', { payload: '{}', headers: { ...asJson, [header]: 'x' } }],
      ['GET', '/Authors/1/books', { headers: { [header]: 'x' } }]
    ]
  ] as const)
]

const written = JSON.parse(readFileSync(template, 'utf8')) as { readonly remoting: { readonly rest: object } }
/** What a new application says, but for keys of requests: those are refused where an application has none. */
const ofNew = {
  ...written, remoting: { ...written.remoting, rest: { ...written.remoting.rest, idempotency: false } }
}

for (const [store, db] of Object.entries(stores)) {
  t.test(`a new application refuses them, ${store}`, async t => {
    const { fastify, told } = await serve(t, ofNew, db)
    for (const [code, , each] of requests) {
      for (const [method, url, more] of each) {
        const response = await fastify.inject({ method, url: `/api${url}`, ...more })
        t.match({ status: response.statusCode, code: response.json().error.code }, { status: 400, code }, `${method} ${url}`)
      }
    }
    t.strictSame(told, [])
  })

  t.test(`the same folder, where it says nothing of them, ${store}`, async t => {
    const { fastify, told } = await serve(t, {}, db)
    for (const [, tells, each] of requests) {
      told.length = 0
      for (const [method, url, more] of [...each, ...each]) {
        const { statusCode } = await fastify.inject({ method, url: `/api${url}`, ...more })
        t.equal(statusCode, 200, `${method} ${url}`)
      }
      t.equal(new Set(told).size, told.length, 'each is told once')
      t.ok(told.some(line => tells.test(line)), `${String(tells)}: ${told.join('; ')}`)
    }
    const rows = async (url: string): Promise<object[]> => (await fastify.inject(`/api${url}`)).json()
    t.equal((await rows('/Books')).length, 1, 'rows of relations were left out')
  })
}
