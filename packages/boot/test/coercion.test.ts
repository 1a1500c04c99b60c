/** The setting `coercion` of config.json, and of a model. */
import t, { type Test } from 'tap'
import { createServer } from '../src/index.js'

const files = (value: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(value).map(([name, content]) => [name, JSON.stringify(content)]))

async function statuses (t: Test, config: object): Promise<Record<string, number>> {
  const entry = { strict: true, properties: { n: 'number' } }
  const dir = t.testdir({
    server: {
      ...files({
        'config.json': { host: '127.0.0.1', port: 0, ...config },
        'datasources.json': { db: { connector: 'memory' } },
        'model-config.json': {
          _meta: { sources: ['./models'] },
          Note: { dataSource: 'db', public: true },
          Old: { dataSource: 'db', public: true, options: { coercion: 'loopback3' } },
          Today: { dataSource: 'db', public: true }
        }
      }),
      models: files({
        'note.json': { name: 'Note', ...entry },
        'old.json': { name: 'Old', ...entry },
        'today.json': { name: 'Today', coercion: 'strict', ...entry }
      }),
      boot: { 'note.js': '' }
    }
  })
  const { fastify, stop } = await createServer(dir, { log: false })
  t.teardown(stop)
  const found: Record<string, number> = {}
  for (const name of ['Notes', 'Olds', 'Todays']) {
    found[name] = (await fastify.inject({ method: 'POST', url: `/api/${name}`, payload: { n: '12.5' } })).statusCode
  }
  return found
}

t.test('values of rows, by application and by model', async t => {
  t.strictSame(await statuses(t, {}), { Notes: 422, Olds: 200, Todays: 422 })
  t.strictSame(await statuses(t, { coercion: 'loopback3' }), { Notes: 200, Olds: 200, Todays: 422 })
  await t.rejects(statuses(t, { coercion: 'loopback4' }), { code: 'FBK_REST_INVALID_OPTIONS' })
})
