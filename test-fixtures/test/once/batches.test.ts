/**
 * Batches with a failure at each position, on stores with transactions: all of a batch is there, or nothing.
 */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { core } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'
import { isReachable, makeScratch } from '../../scratch.mjs'
import { runsOf } from '../../runs.mjs'

type Loose = any

const batches = runsOf(60)

async function allOrNothing (t: Test, url: string): Promise<void> {
  const app = Fastify()
  t.teardown(() => app.close())
  let failsAt = -1
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url, migrate: 'reset' } },
    definitions: [
      { name: 'Parent', properties: { batch: 'number' }, relations: { children: { type: 'hasMany', model: 'Child' } } },
      { name: 'Child', properties: { batch: 'number', position: { type: 'number', minimum: 0 } } }
    ],
    models: { Parent: { dataSource: 'db', public: true }, Child: { dataSource: 'db', public: true } }
  } as Loose)
  const models = app.models as Loose
  models.Child.observe('after save', async ({ instance }: Loose) => {
    if (instance.position === failsAt) throw new Error('after the row was written')
  })
  await app.register(rest, { prefix: '/api', batch: true })
  await app.ready()
  const expected: number[] = []
  for (let i = 0; i < batches; i++) {
    const length = 1 + i % 8
    const position = i % 3 === 2 ? -1 : i % length
    const kind = i % 4
    failsAt = kind === 0 && position >= 0 ? position : -1
    const children = Array.from({ length }, (_, n) => ({
      method: 'POST', path: '/Parents/{p.id}/children', body: { batch: i, position: kind === 1 && n === position ? -5 : n }
    }))
    const bad = kind === 2 ? { method: 'PATCH', path: '/Children/999999', body: {} } : { method: 'POST', path: '/Children', body: { parentId: { $ref: 'q.id' } } }
    const operations = [
      { id: 'p', method: 'POST', path: '/Parents', body: { batch: i } },
      ...(kind >= 2 && position >= 0 ? children.toSpliced(position, 0, bad as never) : children)
    ]
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/api/batch', payload: { operations } })
    if (position === -1) expected.push(i)
    if ((statusCode === 200) !== (position === -1)) t.fail(`batch ${i}: ${statusCode} ${body}`)
    if (position >= 0) {
      const { error: { operation, statusCode: status } } = JSON.parse(body) as Loose
      if (operation !== position + 1 || status !== [500, 422, 404, 400][kind]) t.fail(`batch ${i} failed at ${String(operation)}: ${body}`)
    }
  }
  t.strictSame((await models.Parent.find({ order: 'batch' })).map(({ batch }: Loose) => batch), expected)
  for (const i of expected) {
    const found = await models.Child.count({ batch: i })
    if (found !== 1 + i % 8) t.fail(`batch ${i} has ${String(found)} rows`)
  }
  t.equal(await models.Child.count(), expected.reduce((sum, i) => sum + 1 + i % 8, 0))
}

t.test('all or nothing: SQLite', async t => { await allOrNothing(t, 'sqlite::memory:') })
for (const server of ['postgres', 'mysql'] as const) {
  t.test(`all or nothing: ${server}`, async t => {
    if (!await isReachable(server)) {
      t.comment('no server answers')
      return
    }
    const { url, remove } = await makeScratch(server)
    t.teardown(remove)
    await allOrNothing(t, url)
  })
}
