/** Decimals and bigints as clients send and get them: texts where JSON readers would change digits. */
import t from 'tap'
import Fastify from 'fastify'
import { memoryConnector } from '@fastback/connector-memory'
import { core, Decimal, defineModel } from '@fastback/core'
import { Type } from '@sinclair/typebox'
import { rest } from '../src/index.js'

type Loose = any

const Sale = defineModel({
  name: 'Sale',
  properties: Type.Object({
    amount: Type.Optional(Decimal({ precision: 22, scale: 2 })), rates: Type.Optional(Type.Array(Decimal()))
  })
})
const definitions = [
  Sale,
  { name: 'Count', properties: { count: 'bigint', counts: ['bigint'], limit: { type: 'decimal', required: true } } }
] as Loose

t.test('exact numbers over REST', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } }, definitions,
    models: { Sale: { dataSource: 'db' }, Count: { dataSource: 'db' } }
  })
  await app.register(rest)
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: Loose): Promise<Loose> => {
    const headers = { 'content-type': 'application/json' }
    const sent = payload === undefined ? {} : { payload, headers }
    const { statusCode, body } = await app.inject({ method, url, ...sent })
    return { status: statusCode, body: JSON.parse(body) }
  }
  const digits = '12345678901234567890.01'
  t.strictSame(await ask('POST', '/Sales', { amount: digits, rates: ['0.10', 7] }),
    { status: 200, body: { amount: digits, rates: ['0.1', '7'], id: 1 } })
  t.match(await ask('POST', '/Sales', { amount: 1.5 }), { status: 200, body: { amount: '1.50' } })
  for (const amount of ['0.005', '1e3', 'x', true, 0.1 + 0.2, '1'.repeat(21)]) {
    t.match(await ask('POST', '/Sales', { amount }), { status: 422, body: { error: { details: [{ path: '.amount' }] } } }, String(amount))
  }
  const found = await ask('GET', '/Sales?filter={"where":{"amount":{"gt":"9"}}}')
  t.same(found.body.map(({ id }: Loose) => id), [1])
  t.same((await ask('GET', '/Sales?filter[where][amount]=1.5')).body.map(({ id }: Loose) => id), [2])
  t.same((await ask('GET', '/Sales?filter={"order":"amount DESC"}')).body.map(({ id }: Loose) => id), [1, 2])
  t.same((await ask('GET', '/Sales?filter={"where":{"rates":{"lt":"0.2"}}}')).body.map(({ id }: Loose) => id), [1])

  const made = await ask('POST', '/Counts', { count: '9007199254740993', counts: ['9223372036854775807', 1], limit: 1 })
  t.strictSame(made.body, { count: '9007199254740993', counts: ['9223372036854775807', 1], limit: '1', id: 1 })
  t.strictSame(await ask('PUT', '/Counts/1', made.body), made, 'what was read is put back')
  t.match(await ask('POST', '/Counts', '{"count":9007199254740993,"limit":"1"}'), { status: 422 }, 'no rounded number')
  t.match(await ask('POST', '/Counts', { count: '1.5', limit: '1' }), { status: 422 })
  t.match(await ask('POST', '/Counts', { count: 5 }), { status: 422 }, 'a required decimal')
  t.same((await ask('GET', '/Counts?filter={"where":{"count":"9007199254740992"}}')).body, [])
})
