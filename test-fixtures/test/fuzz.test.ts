/**
 * Every route of an application, with requests that nobody would send: no fault of the server, no answer after a second, no polluted prototype. And each
 * answer as it passes by is what the description says.
 *
 * `FUZZ_RUNS=20000` sends more; `FUZZ_SEED` repeats a run.
 */
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import t from 'tap'
import { createServer } from '@fastback/boot'
import { openApiDocument } from '@fastback/explorer'
import { restRoutes, type PublishedRoute } from '@fastback/rest'

const runs = Number(process.env.FUZZ_RUNS ?? 2_000)
const seed = process.env.FUZZ_SEED === undefined ? undefined : Number(process.env.FUZZ_SEED)

const { fastify, stop } = await createServer(fileURLToPath(new URL('../apps/fuzzed', import.meta.url)), { log: false })
t.teardown(stop)
const document = openApiDocument(fastify.registry) as any
// Streams stay open until their client leaves.
const routes = restRoutes(fastify.registry).filter(({ path }) => !path.endsWith('/change-stream'))

const ajv = new Ajv2020({ strict: false, allErrors: false })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
ajv.addSchema({ $id: 'api', components: document.components })
const validators = new Map<string, ValidateFunction>()

/** What of an answer contradicts the description; undefined when nothing does. */
function contradiction (verb: string, path: string, status: number, type: string | undefined, body: string): string | undefined {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[verb.toLowerCase()]
  // Of a method that answers every verb, one is described.
  if (operation === undefined || verb === 'HEAD') return undefined
  const described = operation.responses[status] ?? operation.responses.default
  const response = described.$ref === undefined ? described : document.components.responses[described.$ref.split('/').at(-1)]
  if (body === '') return response.content === undefined || status === 204 ? undefined : `${verb} ${path}: an empty ${status}`
  const media = response.content?.[(type ?? '').split(';', 1)[0] as string]
  if (media === undefined) return `${verb} ${path}: ${status} is not described as ${type}`
  const key = `${verb} ${path} ${status}`
  let validate = validators.get(key)
  if (validate === undefined) validators.set(key, validate = ajv.compile(JSON.parse(JSON.stringify(media.schema).replaceAll('"#/components', '"api#/components'))))
  return validate(JSON.parse(body)) ? undefined : `${key}: ${ajv.errorsText(validate.errors)} in ${body.slice(0, 300)}`
}

interface Request { verb: string, url: string, path: string, headers: Record<string, string>, payload: string | undefined }

async function send ({ verb, url, path, headers, payload }: Request): Promise<{ status: number, body: string, fault: string | undefined }> {
  const started = performance.now()
  const response = await fastify.inject({ method: verb as 'GET', url, headers, ...(payload === undefined ? {} : { payload }) })
  const took = performance.now() - started
  const { statusCode: status, body } = response
  const what = `${verb} ${url} ${JSON.stringify(headers)} ${payload?.slice(0, 500)}`
  if (status >= 500) return { status, body, fault: `${status}: ${what}` }
  if (took > 1_000) return { status, body, fault: `${Math.round(took)} ms: ${what}` }
  // XML and HTML are for who asks for them; the description is of JSON.
  const type = response.headers['content-type'] as string | undefined
  const wrong = type?.startsWith('application/xml') === true || type?.startsWith('text/html') === true ? undefined : contradiction(verb, path, status, type, body)
  return { status, body, fault: wrong === undefined ? undefined : `${wrong}\n${what}` }
}

const names = ['id', 'title', 'name', 'price', 'printed', 'cover', 'place', 'labels', 'details', 'details.size.width', 'shelfId', 'books', 'tags', 'shelf', 'similar', 'about', 'aboutId', 'aboutType', 'code', 'password', 'email',
  'username', 'where', 'filter', 'and', 'or', 'nor', 'include', 'relation', 'scope', 'fields', 'order', 'limit', 'skip', 'offset', 'gt', 'inq', 'nin', 'between', 'like', 'regexp', 'near', 'maxDistance', 'exists', 'neq',
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '$where', '__data', 'length', 'valueOf', 'then', 'toJSON']
const texts = ['', 'a', 'b1', '1', '-1', '0', '1e400', 'NaN', 'null', 'undefined', 'true', 'title DESC', 'books', 'shelf', '2001-02-01', 'not a date', '[', '{}', '[]', '{"a":', '%', '%25', '\u0000', '\ud800', '💥', '../..', '1,2',
  '(a+)+$', '/a/i', "' OR 1=1 --", '{"where":{"id":1}}', '{"$type":"date","$data":"x"}', 'x'.repeat(3_000)]
const scalar = fc.oneof(fc.constantFrom(...texts), fc.string({ maxLength: 12, unit: 'binary' }), fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const { tree } = fc.letrec<{ tree: unknown, list: unknown, object: unknown }>(tie => ({
  tree: fc.oneof({ maxDepth: 5, withCrossShrink: true }, { arbitrary: scalar, weight: 3 }, { arbitrary: tie('object'), weight: 4 }, { arbitrary: tie('list'), weight: 1 }),
  list: fc.array(tie('tree'), { maxLength: 4 }),
  object: fc.array(fc.tuple(fc.oneof({ arbitrary: fc.constantFrom(...names), weight: 8 }, { arbitrary: fc.string({ maxLength: 6 }), weight: 1 }), tie('tree')), { maxLength: 5 })
    // Not by assignment: `__proto__` shall be a member.
    .map(entries => Object.fromEntries(entries))
}))
const ids = fc.oneof(fc.constantFrom('1', '2', 'b1', 'b2', '99', 'null', '__proto__', 'constructor', '%00', '%2e%2e', '{"neq":0}', 'findOne', 'count'), fc.string({ minLength: 1, maxLength: 10, unit: 'binary' }))

/** In one of eight requests. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.oneof({ arbitrary: fc.constant(null), weight: 7 }, { arbitrary, weight: 1 })

/** Halves of surrogate pairs have no bytes. */
const encoded = (value: unknown): string => encodeURIComponent(Buffer.from(String(value)).toString())
const flat = (value: unknown): string => value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value)

/** `name[a][b]=1` of an object. */
function brackets (name: string, value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [`${encoded(name)}=${encoded(value)}`]
  return Object.entries(value).flatMap(([key, each]) => brackets(`${name}[${key}]`, each))
}

const shapes = { json: (name: string, value: unknown) => [`${encoded(name)}=${encoded(flat(value))}`], brackets, twice: (name: string, value: unknown) => [`${name}=${encoded(flat(value))}`, `${name}=1`] }

function requestOf (route: PublishedRoute): fc.Arbitrary<Request> {
  const params = [...route.path.matchAll(/:\w+/g)].length
  const parameters = route.arguments.filter(each => each.in !== 'path')
  const wellFormed = fc.record({ title: fc.string(), name: fc.string({ minLength: 1 }), email: fc.constantFrom('a@example.com', 'x'), password: fc.string() }, { requiredKeys: [] })
  return fc.record({
    ids: fc.array(ids, { minLength: params, maxLength: params }),
    values: fc.array(fc.option(fc.tuple(tree, fc.constantFrom(...Object.keys(shapes) as Array<keyof typeof shapes>)), { freq: 2 }), { minLength: parameters.length, maxLength: parameters.length }),
    body: fc.oneof({ arbitrary: tree, weight: 4 }, { arbitrary: wellFormed, weight: 3 }, { arbitrary: fc.array(wellFormed, { maxLength: 3 }), weight: 1 }),
    type: sometimes(fc.constantFrom('application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'nonsense')).map(type => type ?? 'application/json'),
    raw: sometimes(fc.constantFrom('', 'null', '{', '{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', '['.repeat(500), '{"a":'.repeat(90) + '1' + '}'.repeat(90))),
    accept: sometimes(fc.constantFrom('application/json', '*/*', 'text/html', 'application/xml', 'x')),
    token: sometimes(fc.constantFrom('x', 'Bearer x', ''))
  }).map(({ ids, values, body, type, raw, accept, token }) => {
    let next = 0
    const query = values.flatMap((value, index) => {
      const parameter = parameters[index] as { name: string, in: string }
      return value === null || parameter.in !== 'query' ? [] : shapes[value[1]](parameter.name, value[0])
    })
    const path = `${route.prefix}${route.path.replaceAll(/:\w+/g, () => encoded(ids[next++]))}`
    const takesBody = !['GET', 'HEAD'].includes(route.verb)
    const text = raw ?? (type === 'application/x-www-form-urlencoded' ? (typeof body === 'object' && body !== null ? Object.entries(body).flatMap(([key, value]) => brackets(key, value)).join('&') : encoded(body)) : JSON.stringify(body))
    return {
      verb: route.verb,
      path: route.path,
      url: path + (query.length === 0 ? '' : `?${query.join('&')}`),
      headers: { ...(takesBody ? { 'content-type': type } : {}), ...(accept === null ? {} : { accept }), ...(token === null ? {} : { authorization: token }) },
      payload: takesBody ? text : undefined
    }
  })
}

t.test('what clients send: each answer is as described', async t => {
  const table: Array<[verb: string, path: string, params: string[], query: string, body: unknown, status: number]> = [
    ['GET', '/Books', [], 'filter={"include":["shelf","tags","similar","about"]}', undefined, 200],
    ['GET', '/Books', [], 'filter={"fields":["title"],"limit":1}', undefined, 200],
    ['GET', '/Books/:id', ['b1'], 'filter={"include":{"shelf":"books"}}', undefined, 200],
    ['GET', '/Books/:id', ['none'], '', undefined, 404],
    ['GET', '/Books/:id/shelf', ['b1'], '', undefined, 200],
    ['GET', '/Books/:id/tags', ['b1'], '', undefined, 200],
    ['GET', '/Books/:id/tags/count', ['b1'], '', undefined, 200],
    ['GET', '/Books/cheap', [], '', undefined, 200],
    ['GET', '/Books/findOne', [], 'filter={"where":{"price":4}}', undefined, 200],
    ['GET', '/Books/count', [], 'where={"price":{"gt":1}}', undefined, 200],
    ['GET', '/Books/count', [], 'where={"price":{"wrong":1}}', undefined, 400],
    ['GET', '/Books/:id/exists', ['b1'], '', undefined, 200],
    ['POST', '/Books', [], '', { title: 'new', cover: 'aGk=', other: 1 }, 200],
    ['POST', '/Books', [], '', [{ title: 'one' }, { title: 'two' }], 200],
    ['POST', '/Books', [], '', { price: -1 }, 422],
    ['PATCH', '/Books/:id', ['b2'], '', { sold: true, printed: null }, 200],
    ['PUT', '/Books/:id', ['b2'], '', { title: 'replaced' }, 200],
    ['POST', '/Books/update', [], 'where={"id":"b2"}', { pages: 2 }, 200],
    ['POST', '/Books/upsertWithWhere', [], 'where={"id":"b2"}', { pages: 3 }, 200],
    ['DELETE', '/Books/:id', ['b2'], '', undefined, 200],
    ['POST', '/Shelves', [], '', { name: 'third', place: { lat: 1, lng: 2 }, labels: ['x'] }, 200],
    ['POST', '/Shelves', [], '', { name: 'x'.repeat(50) }, 422],
    ['GET', '/Shelves', [], 'filter={"where":{"code":"x"}}', undefined, 400],
    ['GET', '/Shelves', [], 'filter={"include":"books"}', undefined, 200],
    ['GET', '/Shelves/:id/books', ['1'], '', undefined, 200],
    ['GET', '/Shelves/:id/best', ['1'], '', undefined, 404],
    ['POST', '/Shelves/:id/books', ['1'], '', { title: 'on it' }, 200],
    ['POST', '/Accounts', [], '', { email: 'jane@example.com', password: 'correct horse' }, 200],
    ['POST', '/Accounts', [], '', { email: 'jane@example.com', password: 'correct horse' }, 422],
    ['POST', '/Accounts/login', [], '', { email: 'jane@example.com', password: 'correct horse' }, 200],
    ['POST', '/Accounts/login', [], '', { email: 'jane@example.com', password: 'wrong' }, 401],
    ['GET', '/Accounts', [], '', undefined, 200],
    ['GET', '/Tools/echo', [], 'text=a&number=1&when=2020-01-01&list=1&list=2', undefined, 200],
    ['GET', '/Tools/echo', [], 'number=x', undefined, 400],
    ['PUT', '/Tools/whole', [], '', { any: 1 }, 200]
  ]
  for (const [verb, path, params, query, body, status] of table) {
    let next = 0
    const url = `/api${path.replaceAll(/:\w+/g, () => params[next++] as string)}${query === '' ? '' : `?${query.replaceAll(/[{}[\]"]/g, encodeURIComponent)}`}`
    const answer = await send({ verb, path, url, headers: body === undefined ? {} : { 'content-type': 'application/json' }, payload: body === undefined ? undefined : JSON.stringify(body) })
    t.equal(answer.status, status, `${verb} ${url} ${answer.body.slice(0, 300)}`)
    t.equal(answer.fault, undefined, `${verb} ${url}`)
  }
})

t.test(`${runs} requests that nobody would send`, async t => {
  const before = Object.getOwnPropertyNames(Object.prototype).join()
  const statuses: Record<string, number> = {}
  const reached = new Set<string>()
  const faults = new Map<string, string>()
  const perRoute = Math.ceil(runs / routes.length)
  for (const route of routes) {
    for (const request of fc.sample(requestOf(route), { numRuns: perRoute, ...(seed === undefined ? {} : { seed }) })) {
      const { status, fault } = await send(request)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status < 300) reached.add(`${route.verb} ${route.path}`)
      if (fault !== undefined && !faults.has(`${route.verb} ${route.path} ${status}`)) faults.set(`${route.verb} ${route.path} ${status}`, fault)
    }
  }
  for (const fault of faults.values()) t.fail(fault)
  t.equal(Object.getOwnPropertyNames(Object.prototype).join(), before, 'no polluted prototype')
  t.notOk('polluted' in {})
  t.ok(reached.size > routes.length / 3, `${reached.size} of ${routes.length} routes gave an answer; ${JSON.stringify(statuses)}`)
  t.equal((await fastify.inject('/api/Tools/echo?text=alive')).statusCode, 200)
})
