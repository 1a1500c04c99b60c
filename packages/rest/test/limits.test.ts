/** Limits on requests: each is a setting, each says what was too much (security.md, S-23, S-30, S-33). */
import t from 'tap'
import type { ModelDefinitionInput } from '@fastback/core'
import { defaultQueryLimits } from '@fastback/core/connector'
import { call, makeApp } from './app.js'

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Author',
    properties: { name: 'string', tags: ['string'], address: 'object' },
    indexes: { search: { text: ['name'] } },
    relations: {
      books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' },
      editor: { type: 'belongsTo', model: 'Author' }
    }
  },
  {
    name: 'Book',
    properties: { title: 'string', authorId: 'number' },
    relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' } }
  }
]

const filterOf = (filter: object): string => `/Authors?filter=${encodeURIComponent(JSON.stringify(filter))}`

t.test('limits of queries: settings of the application', async t => {
  const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `name${index}`)
  const nested = (levels: number): object => levels === 0 ? { name: 'x' } : { and: [nested(levels - 1)] }
  const costs = ['program', 'work', 'rows', 'bytes'] as const
  /** For each limit a setting, a filter that is within it, and one that is not. */
  const table: Record<
    Exclude<keyof typeof defaultQueryLimits, 'maxLimit' | (typeof costs)[number]>,
    [limit: number, within: object, beyond: object, message: RegExp]
  > = {
    depth: [4, { where: { name: 'x' } }, { where: nested(3) }, /maximum depth 4/],
    branches: [
      2,
      { where: { or: [{ name: 'a' }, { name: 'b' }] } },
      { where: { or: [{ name: 'a' }, { and: [{ name: 'b' }, { name: 'c' }] }] } },
      /more than 2 and\/or branches/
    ],
    values: [
      3,
      { where: { name: { inq: names(3) } } },
      { where: { name: { inq: names(2) }, id: { nin: [1, 2] } } },
      /more than 3 nin values/
    ],
    keys: [3, { where: { name: 'a' } }, { where: { name: { gt: 'a', lt: 'z' } } }, /more than 3 keys/],
    orderTerms: [1, { order: 'name' }, { order: ['name', 'id'] }, /more than 1 order terms/],
    aggregates: [
      1, { distinct: ['name'] }, { distinct: ['name', 'id'] }, /more than 1 groups and aggregates/
    ],
    fields: [2, { fields: ['id', 'name'] }, { fields: ['id', 'name', 'tags'] }, /more than 2 fields/],
    includes: [1, { include: 'books' }, { include: { books: 'author' } }, /more than 1 relations to include/],
    includeDepth: [
      2,
      { include: { books: 'author' } },
      { include: { editor: { editor: 'editor' } } },
      /more than 2 levels of include/
    ],
    pathParts: [
      2,
      { where: { 'address.city': 'x' } },
      { where: { 'address.city.part': 'x' } },
      /more than 2 parts in a dotted path/
    ],
    patternLength: [
      3,
      { where: { name: { like: 'a%' } } },
      { where: { name: { like: 'abc%' } } },
      /more than 3 characters in a like pattern/
    ],
    searchLength: [
      3, { where: { $search: 'abc' } }, { where: { $search: 'abcd' } }, /more than 3 characters in a search/
    ],
    searchWords: [
      2, { where: { $search: 'a -b' } }, { where: { $search: 'a "b c"' } }, /more than 2 words in a search/
    ]
  }
  t.strictSame([...Object.keys(table), ...costs].sort(), Object.keys(defaultQueryLimits).sort(), 'every limit is tried')
  const usual = await makeApp(t, { definitions })
  for (const [name, [limit, within, beyond, message]] of Object.entries(table)) {
    const app = await makeApp(t, { definitions, settings: { queryLimits: { [name]: limit } } })
    t.match(await call(app, 'GET', filterOf(within)), { status: 200 }, `${name}: within`)
    t.match(
      await call(app, 'GET', filterOf(beyond)),
      {
        status: 400,
        body: { error: { code: name === 'depth' ? 'QUERY_OBJECT_TOO_DEEP' : 'QUERY_LIMIT_EXCEEDED', message } }
      },
      `${name}: beyond`
    )
    t.match(await call(usual, 'GET', filterOf(beyond)), { status: 200 }, `${name}: within the default`)
  }
  const prices: Record<(typeof costs)[number], [limit: number, within: object, beyond: object]> = {
    program: [
      20,
      { where: { name: { regexp: 'a' } } },
      { where: { or: [{ name: { regexp: 'a{9}' } }, { name: { regexp: 'b{9}' } }] } }
    ],
    work: [
      3000,
      { where: { name: { like: 'n%' } } },
      { where: { or: Array.from({ length: 20 }, () => ({ name: { like: '%_x%' } })) } }
    ],
    rows: [30, { limit: 30 }, {}],
    bytes: [2000, { limit: 30 }, {}]
  }
  for (const [name, [limit, within, beyond]] of Object.entries(prices)) {
    const app = await makeApp(t, { definitions, settings: { queryLimits: { [name]: limit } } })
    await call(app, 'POST', '/Authors', Array.from({ length: 120 }, (_, i) => ({ name: `name of ${i}` })))
    t.match(await call(app, 'GET', filterOf(within)), { status: 200 }, `${name}: within`)
    const refused = {
      code: 'QUERY_TOO_EXPENSIVE',
      details: { limit: name, most: limit },
      message: new RegExp(`"${name}": ${limit}`)
    }
    t.match(await call(app, 'GET', filterOf(beyond)), { status: 400, body: { error: refused } }, `${name}: beyond`)
    t.match(await call(usual, 'GET', filterOf(beyond)), { status: 200 }, `${name}: within the default`)
  }
  const paged = await makeApp(t, { definitions, settings: { queryLimits: { maxLimit: 5 } } })
  t.match(await call(paged, 'GET', filterOf({ limit: 5 })), { status: 200 })
  t.match(await call(paged, 'GET', filterOf({ limit: 6 })), { status: 400, body: { error: { message: /5/ } } })
})

t.test('limits that cannot be are refused at the start', async t => {
  for (const [queryLimits, message] of [
    [{ depth: 0 }, /queryLimits\.depth" must be a whole number/],
    [{ dept: 3 }, /queryLimits\.dept" is not known; there are depth/],
    [5, /must be an object/]
  ] as const) {
    await t.rejects(makeApp(t, { definitions, settings: { queryLimits } }), {
      code: 'FBK_CORE_INVALID_SETTING',
      message
    })
  }
  for (const limits of [{ parameters: 0 }, { other: 1 }]) {
    await t.rejects(makeApp(t, { definitions, options: { limits } as object }), {
      code: 'FBK_REST_INVALID_OPTIONS',
      message: /"limits\./
    })
  }
})

t.test('limits of the text of a query or form', async t => {
  const definition = { name: 'Tool', base: 'Model', plural: 'tools' }
  const prepare = ({ Tool }: Record<string, any>): void => {
    Tool.show = async (value: unknown, list: unknown) => ({ value, list })
    for (const [path, verb, source] of [['/query', 'get', 'query'], ['/form', 'post', 'form']] as const) {
      Tool[path] = Tool.show
      Tool.remoteMethod(path, {
        accepts: [
          { arg: 'value', type: 'object', http: { source } },
          { arg: 'list', type: ['string'], http: { source } }
        ],
        returns: { arg: 'out', root: true },
        http: { path, verb }
      })
    }
  }
  const limits = { parameters: 3, listItems: 2, brackets: 2, objectText: 20 }
  const small = await makeApp(t, { definitions: [definition], prepare, options: { remoting: { rest: { limits } } } })
  const usual = await makeApp(t, { definitions: [definition], prepare })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const tooMany = 'list=a&value[a]=1&value[b]=2&value[c]=3'
  const tooLong = `value=${encodeURIComponent(JSON.stringify({ a: 'x'.repeat(20) }))}`
  for (const text of [tooMany, 'list[]=a&list[]=b&list[]=c']) {
    t.match(
      await call(small, 'GET', `/tools/query?${text}`),
      { status: 400, body: { error: { code: 'QUERY_LIMIT_EXCEEDED', message: /[23]/ } } },
      text
    )
    t.match(
      await call(small, 'POST', '/tools/form', text, form),
      { status: 400, body: { error: { code: 'QUERY_LIMIT_EXCEEDED' } } },
      text
    )
    t.equal((await call(usual, 'GET', `/tools/query?${text}`)).status, 200, text)
  }
  t.match(await call(small, 'GET', `/tools/query?${tooLong}`), {
    status: 400,
    body: {
      error: { code: 'INVALID_PARAMETER_VALUE', details: [{ path: '.value', code: 'maxLength', info: { limit: 20 } }] }
    }
  })
  t.equal((await call(usual, 'GET', `/tools/query?${tooLong}`)).status, 200)
  t.strictSame((await call(small, 'GET', '/tools/query?value[a][b][c]=1')).body, {
    value: { a: { b: { '[c]': '1' } } }
  })
  t.strictSame((await call(usual, 'GET', '/tools/query?value[a][b][c]=1')).body, { value: { a: { b: { c: '1' } } } })
})

t.test('limits of live queries: settings of the application and of models', async t => {
  const settings = { live: true, maxLiveRows: 2, maxLiveQueries: 1 }
  const app = await makeApp(t, { definitions, settings })
  const code = async (path: string): Promise<unknown> => (await call(app, 'GET', path)).body.error.code
  t.equal(await code('/Authors/live?filter={"limit":3}'), 'LIVE_QUERY_TOO_LARGE')
  t.equal(await code('/Authors/live?filter={"limit":1,"skip":2}'), 'LIVE_QUERY_TOO_LARGE')
  const [author, book] = definitions as [ModelDefinitionInput, ModelDefinitionInput]
  const own = await makeApp(t, { definitions: [{ ...author, maxLiveRows: 3 }, book], settings })
  const stream = await (own.models.Author as any).live({ limit: 3 })
  t.equal((await call(own, 'GET', '/Authors/live')).body.error.code, 'TOO_MANY_LIVE_QUERIES')
  stream.destroy()
})
