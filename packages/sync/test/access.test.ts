/** What REST refuses, sync refuses: reads and writes, row by row (SYD-4, SYD-8). */
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { core, ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { auth, installAuthModels } from '@fastback/auth'
import { acl, installAclModels } from '@fastback/acl'
import { rest } from '@fastback/rest'
import { installSync } from '@fastback/sync'

type Loose = any

const rule = (permission: string, principalId: string, extra: object = {}): object =>
  ({ principalType: 'ROLE', principalId, permission, ...extra })
const properties = {
  id: { type: 'string', id: true, defaultFn: 'guid' },
  title: { type: 'string', required: true },
  tenant: 'string',
  userId: 'number',
  pin: 'string'
}
const definitions = [
  {
    name: 'Diary',
    ownerFromToken: true,
    acls: [rule('DENY', '$everyone'), rule('ALLOW', '$owner'), rule('ALLOW', '$authenticated', { property: 'create' })]
  },
  { name: 'Sheet', sync: { keep: ['tenant'] }, acls: [rule('DENY', '$everyone'), rule('ALLOW', '$authenticated')] },
  { name: 'Board', acls: [rule('DENY', '$everyone'), rule('ALLOW', '$authenticated', { accessType: 'READ' })] },
  { name: 'Vault', acls: [rule('DENY', '$everyone')] }
].map(each => ({ ...each, trackChanges: true, strict: 'validate', hidden: ['pin'], properties }))

interface Started { call (who: string, ...rest: Loose[]): Promise<Loose>, models: Loose, ids: Loose }

/** @param publishes whether the application publishes the change models, which it need not */
async function start (t: Test, publishes = false): Promise<Started> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineModels(definitions.map(input => ({ input } as Loose)))
  for (const { name } of definitions) registry.attach(name, 'db', { public: true })
  for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']) registry.attach(name, 'db', { public: false })
  installSync(registry)
  const app: FastifyInstance = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false })
  await app.register(acl)
  await registry.start()
  const models = registry.models as Loose
  const tokens: Record<string, string> = {}
  const ids: Record<string, number> = {}
  for (const name of ['ann', 'ben']) {
    const user = await models.User.create({ email: `${name}@x.test`, username: name, password: `$2b$04$${'a'.repeat(53)}` })
    ids[name] = user.id
    tokens[name] = (await models.AccessToken.create({ userId: user.id, ttl: 1000 })).id
  }
  // Ann's tenant is "a", ben's is "b".
  models.Sheet.observe('access', async (ctx: Loose) => {
    const userId = ctx.options.accessToken?.userId
    if (userId === undefined) return
    ctx.query.where = { and: [ctx.query.where ?? {}, { tenant: userId === ids.ann ? 'a' : 'b' }] }
  })
  for (const name of ['Diary', 'Sheet', 'Board', 'Vault']) {
    const Model = models[name]
    await Model.create([
      { id: 'a1', title: 'of ann', tenant: 'a', userId: ids.ann, pin: 'PIN' },
      { id: 'b1', title: 'of ben', tenant: 'b', userId: ids.ben, pin: 'PIN' },
      { id: 'b2', title: 'gone', tenant: 'b', userId: ids.ben, pin: 'PIN' }
    ])
    await Model.checkpoint()
    await Model.destroyById('b2')
  }
  if (publishes) for (const { name } of definitions) registry.attach(models[name].getChangeModel(), 'db', { public: true })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const call = async (who: string, method: Loose, url: string, payload?: Loose): Promise<Loose> => {
    const response = await app.inject({
      method, url: `/api${url}`, ...(payload === undefined ? {} : { payload }),
      headers: tokens[who] === undefined ? {} : { authorization: tokens[who] }
    })
    return { status: response.statusCode, text: response.payload, body: response.payload === '' ? undefined : response.json() }
  }
  return { call, models, ids }
}

const paths: Record<string, string> = { Diary: 'Diaries', Sheet: 'Sheets', Board: 'Boards', Vault: 'Vaults' }

t.test('SYD-8: reads', async t => {
  const { call } = await start(t)
  /** Who asks, of which model, and whether ben's row may be in the response. */
  const askers: Array<[string, string, boolean | 401]> = [
    ['ann', 'Diary', false], ['ben', 'Diary', true], ['nobody', 'Diary', 401],
    ['ann', 'Sheet', false], ['ben', 'Sheet', true], ['nobody', 'Sheet', 401],
    ['ann', 'Vault', 401], ['nobody', 'Board', 401]
  ]
  const requests: Array<[string, string, Loose?]> = [
    ['GET', '/changes?since=-1'],
    ['GET', '/changes?since=-1&filter={"where":{"id":"b1"}}'],
    ['GET', '/b1/changes/last'],
    ['GET', '/b2/changes/last'],
    ['POST', '/diff?since=-1', [{ modelId: 'b1', rev: 'x', prev: 'y' }]],
    ['POST', '/diff?since=-1', [{ modelId: 'b2', rev: 'x', prev: 'y' }]],
    ['POST', '/create-updates', [{ modelId: 'b1', rev: 'x' }]]
  ]
  for (const [who, model, sees] of askers) {
    for (const [method, url, body] of requests) {
      const answer = await call(who, method, `/${paths[model] as string}${url}`, body)
      const name = `${who}: ${method} ${model}${url}`
      t.notMatch(answer.text, 'PIN', `${name}: no hidden property`)
      if (sees === 401) { t.equal(answer.status, 401, name); continue }
      t.equal(answer.status, 200, name)
      const told = url.startsWith('/diff') ? answer.body.conflicts.length > 0 : /"modelId":"b[12]"/.test(answer.text)
      t.equal(told, sees, name)
    }
  }
})

t.test('SYD-4, SYD-8: writes', async t => {
  const { call, models, ids } = await start(t)
  const rev = async (model: string, id: string): Promise<string> => (await models[model].findLastChange(id)).rev
  const attempts: Array<[string, string, string, Loose, number]> = []
  for (const model of ['Diary', 'Sheet', 'Board', 'Vault']) {
    const prev = await rev(model, 'b1')
    const row = { id: 'b1', title: 'taken over' }
    const refused = model === 'Board' || model === 'Vault' ? 401 : 409
    attempts.push(
      ['ann', model, 'an update of a foreign row', { type: 'update', change: { modelId: 'b1', rev: 'x', prev }, data: row }, refused],
      ['ann', model, 'an update under another id', { type: 'update', change: { modelId: 'a1', rev: 'x', prev: await rev(model, 'a1') }, data: row }, refused === 401 ? 401 : 400],
      ['ann', model, 'a create over a foreign row', { type: 'create', change: { modelId: 'b1', rev: 'x' }, data: row }, refused],
      // As for a row that is not there, whose delete is done.
      ['ann', model, 'a delete of a foreign row', { type: 'delete', change: { modelId: 'b1', rev: null, prev } }, refused === 401 ? 401 : 204],
      ['nobody', model, 'an update', { type: 'update', change: { modelId: 'b1', rev: 'x', prev }, data: row }, 401],
      ['nobody', model, 'a create', { type: 'create', change: { modelId: 'n', rev: 'x' }, data: { title: 'n' } }, 401],
      ['nobody', model, 'a delete', { type: 'delete', change: { modelId: 'b1', rev: null, prev } }, 401],
      ['ben', model, 'an invalid create', { type: 'create', change: { modelId: 'n', rev: 'x' }, data: { id: 'n' } }, refused === 401 ? 401 : 422],
      ['ben', model, 'an unknown property', { type: 'create', change: { modelId: 'n', rev: 'x' }, data: { title: 'n', extra: 1 } }, refused === 401 ? 401 : 422],
      ['ben', model, 'no change', { type: 'update', data: row }, refused === 401 ? 401 : 400],
      ['ben', model, 'an id that is none', { type: 'delete', change: { modelId: { gt: '' }, rev: null, prev } }, refused === 401 ? 401 : 400],
      ['ben', model, 'a revision that is none', { type: 'delete', change: { modelId: 'b1', rev: null, prev: { neq: '' } } }, refused === 401 ? 401 : 400]
    )
  }
  for (const [who, model, name, update, status] of attempts) {
    const before = await models[model].find({ order: 'id' })
    const answer = await call(who, 'POST', `/${paths[model] as string}/bulk-update`, { updates: [update] })
    t.equal(answer.status, status, `${who}: ${name} (${model}) ${answer.text as string}`)
    t.notMatch(answer.text, /of ben|PIN/, 'nothing of the row is told')
    t.same(JSON.stringify(await models[model].find({ order: 'id' })), JSON.stringify(before), 'and nothing is written')
  }
  for (const model of ['Diary', 'Sheet']) {
    const answer = await call('ann', 'PUT', `/${paths[model] as string}/b1/changes/last`, { prev: 'x' })
    t.equal(answer.status, 404, `${model}: the change of a foreign row is not there`)
  }
  await call('ann', 'POST', '/Diaries/bulk-update', {
    updates: [{ type: 'create', change: { modelId: 'mine', rev: 'x' }, data: { id: 'mine', title: 'm', userId: ids.ben } }]
  })
  t.equal((await models.Diary.findById('mine')).userId, ids.ann, 'the owner comes from the token')
})

t.test('SYD-2: change models that the application publishes', async t => {
  const { call, models } = await start(t, true)
  const idOf = (model: string, id: string): string => models[model].getChangeModel().idForModel(model, id)
  for (const [model, who, status] of [
    ['Diary', 'ann', 401], ['Sheet', 'ann', 200], ['Diary', 'nobody', 401], ['Board', 'nobody', 401], ['Vault', 'ann', 401]
  ] as const) {
    const path = `/${model}-changes`
    const foreign = ['b1', 'b2'].map(id => idOf(model, id))
    const lists = [
      path,
      `${path}?filter=${JSON.stringify({ where: { modelId: { inq: ['b1', 'b2'] } } })}`,
      `${path}?filter=${JSON.stringify({ where: { or: [{ id: { inq: foreign } }, { rev: null }] } })}`,
      `${path}/findOne?filter=${JSON.stringify({ where: { modelId: 'b1' } })}`,
      `${path}/count?where=${JSON.stringify({ modelId: { inq: ['b1', 'b2'] } })}`,
      ...foreign.flatMap(id => [`${path}/${id}`, `${path}/${id}/exists`])
    ]
    for (const url of lists) {
      const answer = await call(who, 'GET', url)
      const name = `${who}: GET ${url}`
      t.notMatch(answer.text, /"modelId":"b[12]"|PIN|"exists":true/, name)
      if (url.includes('/count')) t.notMatch(answer.text, /"count":[1-9]/, name)
      if (status === 401) t.equal(answer.status, 401, name)
    }
    if (status === 200) {
      const own = await call(who, 'GET', path)
      t.same(own.body.map(({ modelId }: Loose) => modelId), ['a1'], 'what the caller may read is there')
    }
    const id = idOf(model, 'a1')
    const before = await models[model].findLastChange('a1')
    for (const [method, url, body] of [
      ['POST', path, { id: 'x', modelName: model, modelId: 'x' }], ['PUT', path, { id, rev: 'x' }],
      ['PATCH', path, { id, rev: 'x' }], ['PUT', `${path}/${id}`, { rev: 'x' }], ['PATCH', `${path}/${id}`, { rev: 'x' }],
      ['POST', `${path}/${id}/replace`, { rev: 'x' }], ['POST', `${path}/replaceOrCreate`, { id, rev: 'x' }],
      ['POST', `${path}/upsertWithWhere?where={}`, { rev: 'x' }], ['POST', `${path}/update?where={}`, { rev: 'x' }],
      ['DELETE', `${path}/${id}`], ['DELETE', path], ['POST', `${path}/change-stream`, {}], ['GET', `${path}/change-stream`]
    ] as const) {
      const answer = await call(who, method, url, body)
      t.ok([401, 404].includes(answer.status), `${who}: ${method} ${url}: ${String(answer.status)}`)
    }
    t.same(await models[model].findLastChange('a1'), before)
    t.equal(await models[model].getChangeModel().count(), 3)
  }
})

t.test('SYD-5: what one call may have', async t => {
  const { call } = await start(t)
  const many = Array.from({ length: 5_001 }, () => ({ modelId: 'x' }))
  t.equal((await call('ben', 'POST', '/Sheets/diff', many)).status, 413)
  t.equal((await call('ben', 'POST', '/Sheets/diff', {})).status, 400)
  t.equal((await call('ben', 'POST', '/Sheets/bulk-update', {})).status, 400)
  t.equal((await call('ben', 'GET', '/Sheets/changes?since=-1&filter={"where":{"pin":"PIN"}}')).status, 400, 'S-13: a hidden property')
  t.equal((await call('ben', 'GET', '/Sheet-changes')).status, 404, 'SYD-2')
})
