/** Models whose id is several properties, over HTTP: rows are named by conditions and upserts, none by one id. */
import t from 'tap'
import { call, makeApp } from './app.js'

t.test('routes of a model with a compound id', async t => {
  const app = await makeApp(t, {
    definitions: [{
      name: 'Line',
      properties: { orderId: { type: 'number', id: 1 }, lineNo: { type: 'number', id: 2 }, text: 'string' },
      methods: { 'prototype.ship': { http: { path: '/ship', verb: 'post' } } }
    }, {
      name: 'Order',
      relations: { lines: { type: 'hasMany', model: 'Line', foreignKey: 'orderId' } }
    }]
  })
  const status = async (method: string, path: string, body?: unknown): Promise<number> =>
    (await call(app, method as 'GET', path, body as object)).status
  t.equal(await status('POST', '/Lines', [{ orderId: 1, lineNo: 1 }, { orderId: 1, lineNo: 2 }]), 200)
  t.equal(await status('POST', '/Lines', { orderId: 1, lineNo: 2 }), 409)
  t.equal(await status('POST', '/Lines', { orderId: 1 }), 422)
  t.equal(await status('PUT', '/Lines', { orderId: 1, lineNo: 2, text: 'cup' }), 200)
  t.equal(await status('PATCH', '/Lines', { orderId: 1, lineNo: 3, text: 'pot' }), 200)
  t.equal(await status('POST', '/Lines/update?where={"lineNo":1}', { text: 'tea' }), 200)
  t.equal(await status('POST', '/Lines/upsertWithWhere?where={"lineNo":3}', { text: 'jug' }), 200)
  t.same((await call(app, 'GET', '/Lines/count')).body, { count: 3 })
  t.same((await call(app, 'GET', '/Lines/findOne?filter={"where":{"lineNo":3}}')).body, { orderId: 1, lineNo: 3, text: 'jug' })
  for (const [method, path] of [
    ['GET', '/1'], ['HEAD', '/1'], ['GET', '/1/exists'], ['PUT', '/1'], ['PATCH', '/1'], ['DELETE', '/1'],
    ['POST', '/1/replace'], ['POST', '/1/ship'], ['DELETE', '/%5B1,1%5D'], ['GET', '/%5B1,1%5D']
  ] as const) t.equal(await status(method, `/Lines${path}`, /P/.test(method) ? { text: 'x' } : undefined), 404, `${method} ${path}`)
  t.equal(await status('POST', '/Orders', {}), 200)
  t.equal(await status('GET', '/Orders/1/lines/1'), 404)
  t.equal(await status('DELETE', '/Orders/1/lines/1'), 404)
  t.same((await call(app, 'GET', '/Orders/1/lines')).body, [
    { orderId: 1, lineNo: 1, text: 'tea' }, { orderId: 1, lineNo: 2, text: 'cup' }, { orderId: 1, lineNo: 3, text: 'jug' }
  ])
})
