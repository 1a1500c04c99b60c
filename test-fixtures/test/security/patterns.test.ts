/** Patterns: those that schemas have (S-191), and those of conditions before they are compiled (S-198). */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry } from '@fastback/core'
import rest from '@fastback/rest'
import { importApi } from '../../../packages/cli/src/import-api.js'
import { openapiConnector } from '../../../packages/connector-openapi/src/index.js'
import { ruleOf } from '../../../packages/connector-sql/src/discovery/checks.js'
import { temporaryApp } from './folders.js'

type Loose = any

/** Patterns that take JavaScript's engine for ever, or the square of a text's length, and a long text for each. */
const hostile: ReadonlyArray<readonly [pattern: string, text: string]> = [
  ['^(a+)+$', `${'a'.repeat(40_000)}!`], ['^(?:a|aa)+$', `${'a'.repeat(40_000)}!`], ['\\s+$', `${' '.repeat(40_000)}!`],
  ['^.*a.*b.*c$', 'a'.repeat(40_000)], ['^([\\w.-]+)+@x$', 'a'.repeat(40_000)]
]
/** What RE2 does not have. */
const foreign = '^(?=(a+)+$)(a+)+$'

const second = 1_000_000
const spent = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = process.cpuUsage()
  await work()
  return process.cpuUsage(begun).user
}

async function serve (t: Test, properties: object): Promise<string> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineModel({ name: 'Note', properties } as never)
  registry.attach('Note', 'db', { public: true })
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(rest, { prefix: '/api', accessControl: false })
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/Notes`
}

t.test('S-191 no text that a client sends keeps the pattern of a property busy', async t => {
  // Seen to fail: makePattern of core/schemas/patterns that gives the native expression: the first request did not end
  const properties = Object.fromEntries(hostile.map(([pattern], i) => [`p${i}`, { type: 'string', pattern }]))
  const url = await serve(t, properties)
  const send = async (data: object): Promise<number> => (await fetch(url, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(data)
  })).status
  for (const [i, [pattern, text]] of hostile.entries()) {
    let status = 0
    const time = await spent(async () => { status = await send({ [`p${i}`]: text }) })
    t.equal(status, 422, pattern)
    t.ok(time < second, `${pattern}: ${time} microseconds`)
  }
  t.equal(await send({ p0: 'a'.repeat(40_000) }), 200, 'a long text that matches')
  t.equal(await send({ p0: 'aaa', p1: 'aaa', p2: 'x ', p3: 'xaxbxc', p4: 'a.b@x' }), 200, 'control')
})

t.test('S-191 nor that of an API which somebody else described', async t => {
  // Seen to fail: Checks of connector-openapi with Validators of one's own: the text that RE2 cannot test was tested
  const string = (pattern: string): object => ({ name: 'q', in: 'query', schema: { type: 'string', pattern } })
  const registry = new ModelRegistry()
  const all = [...hostile, [foreign, `${'a'.repeat(40_000)}!`], [foreign, 'a'.repeat(40_000)]] as const
  registry.defineDataSource('api', {
    connector: openapiConnector,
    url: 'http://127.0.0.1:9/',
    spec: {
      openapi: '3.0.3',
      info: { title: 'x', version: '1' },
      paths: Object.fromEntries(all.map(([pattern], i) => [`/p${i}`, {
        get: { operationId: `p${i}`, parameters: [string(pattern)], responses: { 200: { description: 'ok' } } }
      }]))
    }
  } as never)
  registry.defineModel({ name: 'Api', base: 'Model' })
  registry.attach('Api', 'api')
  await registry.start()
  t.teardown(async () => { await registry.stop() })
  const { Api } = registry.models as Loose
  for (const [i, [pattern, text]] of all.entries()) {
    const time = await spent(async () => {
      await t.rejects(Api[`p${i}`]({ q: text }), { statusCode: 422 } as object as Error, pattern)
    })
    t.ok(time < second, `${pattern}: ${time} microseconds`)
  }
})

t.test('S-191 what takes patterns over from others leaves out those that nothing tests in time', async t => {
  // Seen to fail: isKept of cli/import-api, and isPattern of connector-sql/discovery/checks, without isLinearPattern
  const properties = { good: { type: 'string', pattern: '^(a+)+$' }, bad: { type: 'string', pattern: foreign } }
  const folder = temporaryApp(t, {
    'zoo.json': {
      openapi: '3.1.0', info: { title: 'Zoo', version: '1' }, paths: {}, components: { schemas: { Pet: { type: 'object', properties } } }
    }
  })
  const { changes } = await importApi(folder, { source: `${folder}zoo.json` })
  const written = changes.readJson('server/models/pet.json') ?? changes.readJson('common/models/pet.json')
  t.match(written, { properties: { good: { pattern: '^(a+)+$' }, bad: { type: 'string' } } })
  t.notMatch(JSON.stringify(written), '(?=')
  t.match(ruleOf("CHECK (name ~ '^(a+)+$')"), { column: 'name', rules: { pattern: '^(a+)+$' } })
  t.equal(ruleOf(`CHECK (name ~ '${foreign}')`), undefined)
})

t.test('S-198 a pattern that is too large written out is refused before it is compiled', async t => {
  // Seen to fail: compile of core/query/regexp without sizeWrittenOut: twenty of them took a second
  const url = await serve(t, { title: 'string' })
  const find = async (regexp: string) => await fetch(`${url}?filter=${encodeURIComponent(JSON.stringify({ where: { title: { regexp } } }))}`)
  await find('warm')
  const time = await spent(async () => {
    for (let i = 0; i < 20; i++) {
      for (const pattern of [`(?:${'ab'.repeat(110)}${i}){1000}`, `(${'a|bc'.repeat(50)}${i}){1000}`, `(?:(?:${'ab'.repeat(80)}${i}){30}){30}`]) {
        t.equal((await find(pattern)).status, 400, pattern.slice(-20))
      }
    }
  })
  t.ok(time < 2 * second, `${time} microseconds`)
  t.equal((await find('^(?:ab){100}$')).status, 200, 'control')
  t.equal((await find('a{900}')).status, 200, 'control')
})
