/** Key-value models over HTTP (behaviour.md, section 9). */
import t from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { rest } from '@fastback/rest'

type Loose = any

t.test('key-value models', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('kv', { connector: memoryConnector })
  const Store = registry.defineModel({ name: 'Store', plural: 'Stores', base: 'KeyValueModel' })
  registry.attach(Store, 'kv', { public: true })
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { registry })
  await registry.start()
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } } })
  const send = async (
    method: 'GET' | 'PUT' | 'POST',
    url: string,
    payload?: unknown
  ): Promise<[status: number, body: Loose]> => {
    const response = await app.inject({
      method,
      url: `/api${url}`,
      ...(payload === undefined
        ? {}
        : { payload: JSON.stringify(payload), headers: { 'content-type': 'application/json' } })
    })
    return [response.statusCode, response.body === '' ? undefined : response.json()]
  }

  t.strictSame(await send('PUT', '/Stores/k1', { n: 1 }), [204, undefined])
  t.strictSame(await send('GET', '/Stores/k1'), [200, { n: 1 }])
  for (const value of ['text', 5, false, [1]]) {
    t.strictSame(await send('PUT', '/Stores/k2', value), [204, undefined])
    t.strictSame(await send('GET', '/Stores/k2'), [200, value])
  }
  t.match(await send('GET', '/Stores/none'), [
    404,
    { error: { statusCode: 404, code: 'KEY_NOT_FOUND', message: 'Unknown "Store" key "none".' } }
  ])
  t.strictSame(await send('GET', '/Stores/k1/ttl'), [204, undefined])
  t.match(await send('GET', '/Stores/none/ttl'), [404, { error: { code: 'KEY_NOT_FOUND' } }])
  t.strictSame(await send('PUT', '/Stores/k1/expire', { ttl: 500_000 }), [204, undefined])
  const [status, left] = await send('GET', '/Stores/k1/ttl')
  t.ok(status === 200 && left > 0 && left <= 500_000)
  t.match(await send('PUT', '/Stores/none/expire', { ttl: 500_000 }), [404, { error: { code: 'KEY_NOT_FOUND' } }])
  t.match(await send('PUT', '/Stores/k3?ttl=900000', 'v'), [204, undefined])
  t.ok((await send('GET', '/Stores/k3/ttl'))[1] > 0)
  const [, keys] = await send('GET', '/Stores/keys')
  t.strictSame(keys.sort(), ['k1', 'k2', 'k3'])
  t.strictSame(await send('GET', `/Stores/keys?filter=${encodeURIComponent('{"match":"?1"}')}`), [200, ['k1']])
  t.strictSame(await send('PUT', `/Stores/${encodeURIComponent('a/b:ü')}`, 1), [204, undefined])
  t.strictSame(await send('GET', `/Stores/${encodeURIComponent('a/b:ü')}`), [200, 1])
  t.match(await send('PUT', '/Stores/k1'), [400, {}], 'a value is needed')
  t.match(await send('PUT', '/Stores/k1?ttl=-5', 1), [400, {}])
  t.match(await send('PUT', '/Stores/k1?ttl=x', 1), [400, {}])
  t.match(await send('PUT', '/Stores/k1/expire', {}), [422, {}])
  t.match(await send('GET', '/Stores/keys?filter=5'), [400, {}])
  t.match(await send('GET', `/Stores/keys?filter=${encodeURIComponent(`{"match":"${'*'.repeat(300)}"}`)}`), [400, {}])
  t.match(await send('POST', '/Stores', {}), [404, {}], 'there are no rows')
})
