/** Offline sync under rules about rows and properties (SYD-8): what comes, what goes, what may be sent. */
import Fastify from 'fastify'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { core, ModelRegistry } from '@fastback/core'
import { auth, installAuthModels } from '@fastback/auth'
import { acl, installAclModels } from '@fastback/acl'
import { rest } from '@fastback/rest'
import { installSync } from '@fastback/sync'
import { isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'
import { dataSourceOf, stores, type Loose, type Scratch } from './support.js'

const rule = (permission: string, principalId: string, extra: object = {}): object =>
  ({ principalType: 'ROLE', principalId, permission, ...extra })
const deny = rule('DENY', '$everyone')
const id = { type: 'string', id: true, generated: false }
const own = { ownerId: '$user.id' }
const definitions: Loose[] = [
  {
    name: 'Note',
    plural: 'Note',
    properties: { id, text: 'string', ownerId: 'number', isPublic: 'boolean', salary: 'number', teamId: 'number' },
    acls: [
      deny,
      rule('ALLOW', '$authenticated', {
        accessType: 'READ', rows: { or: [own, { isPublic: true }] }, fields: { read: ['*', '-salary'] }
      }),
      rule('ALLOW', '$authenticated', {
        accessType: 'WRITE', rows: own, preset: own, fields: { write: ['text', 'isPublic'] }
      }),
      rule('ALLOW', 'admin', { accessType: 'READ' })
    ]
  },
  {
    name: 'Card',
    plural: 'Card',
    properties: { id, text: 'string', teamId: 'number' },
    relations: { team: { type: 'belongsTo', model: 'Team' } },
    acls: [deny, rule('ALLOW', '$authenticated', { rows: { 'team.members': { some: { userId: '$user.id' } } } })]
  },
  {
    name: 'Diary',
    plural: 'Diary',
    properties: { id, text: 'string', userId: 'number' },
    acls: [deny, rule('ALLOW', '$owner'), rule('ALLOW', 'admin', { accessType: 'READ' })]
  }
].map(each => ({ strict: 'validate', trackChanges: true, ...each }))
const others: Loose[] = [
  {
    name: 'Team',
    properties: { name: 'string' },
    relations: { members: { type: 'hasMany', model: 'Member', foreignKey: 'teamId' } }
  },
  { name: 'Member', properties: { userId: 'number', teamId: 'number' } }
]

function registryOn (scratch: Scratch): ModelRegistry {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', dataSourceOf(scratch))
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineModels([...definitions, ...others].map(input => ({ input } as Loose)))
  for (const { name } of definitions) registry.attach(name as string, 'db', { public: true })
  for (const name of ['Team', 'Member', 'User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']) registry.attach(name, 'db', { public: false })
  installSync(registry)
  return registry
}

async function startOn (t: Test, scratch: Scratch): Promise<Loose> {
  const registry = registryOn(scratch)
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false })
  await app.register(acl)
  await registry.start()
  const models = registry.models as Loose
  const tokens: Record<string, string> = {}
  for (const name of ['ann', 'ben', 'adam']) {
    const user = await models.User.create({ email: `${name}@x.test`, username: name, password: `$2b$04$${'a'.repeat(53)}` })
    tokens[name] = (await models.AccessToken.create({ userId: user.id, ttl: 1000 })).id
  }
  const admin = await models.Role.create({ name: 'admin' })
  await admin.principals.create({ principalType: 'USER', principalId: 3 })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const call = async (who: string, method: Loose, url: string, payload?: Loose): Promise<Loose> => {
    const response = await app.inject({
      method, url: `/api${url}`, ...(payload === undefined ? {} : { payload }), headers: { authorization: tokens[who] as string }
    })
    return { status: response.statusCode, text: response.payload, body: response.payload === '' ? undefined : response.json() }
  }
  const pull = async (who: string, model: string, after?: string): Promise<Loose> =>
    await call(who, 'GET', `/${model}/sync/pull${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`)
  const push = async (who: string, change: Loose): Promise<Loose> =>
    (await call(who, 'POST', '/Note/sync/push', { changes: [change] })).body.results[0]
  return { call, pull, push, models }
}

/** Users of MongoDB have other ids than the rules here name. */
const named = stores.filter(([store]) => !store.startsWith('mongodb'))

function onStores (name: string, test: (t: Test, start: (t: Test) => Promise<Loose>) => Promise<void>): void {
  for (const [store, open] of named) {
    t.test(`${store}: ${name}`, async t => {
      const scratch = await open(t)
      if (scratch === undefined) { t.comment(`no ${store} server`); return }
      await test(t, async each => {
        const started = await startOn(each, scratch)
        each.teardown(async () => { await scratch.remove() })
        return started
      })
    })
  }
}

/** What a pull says, in short. */
const told = ({ body }: Loose): string[] => body.changes.map(({ id, left, deleted, data }: Loose) =>
  `${String(id)} ${left === true ? 'left' : deleted === true ? 'deleted' : String(data.text)}`)

onStores('rows come and go with what rules name of them; fields that may not be read are left out', async (t, start) => {
  const { pull, call, models: { Note } } = await start(t)
  await Note.create([
    { id: 'a', text: 'of ann', ownerId: 1, salary: 4711 }, { id: 'b', text: 'of ben', ownerId: 2, salary: 4711 },
    { id: 'c', text: 'public', ownerId: 2, isPublic: true, salary: 4711 }
  ])
  const first = await pull('ann', 'Note')
  t.same(told(first), ['a of ann', 'c public'])
  t.notMatch(first.text, /4711|salary/)
  const all = await pull('adam', 'Note')
  t.same(told(all), ['a of ann', 'b of ben', 'c public'])
  t.match(all.text, '4711', 'who may read it gets it')
  t.not(all.body.changes[0].rev, first.body.changes[0].rev, 'a revision tells nothing of what is left out')
  await Note.updateAll({ id: 'a' }, { ownerId: 2 })
  await Note.updateAll({ id: 'b' }, { ownerId: 1 })
  await Note.updateAll({ id: 'c' }, { isPublic: false })
  const second = await pull('ann', 'Note', first.body.cursor)
  t.same(told(second).sort(), ['a left', 'b of ben', 'c left'])
  t.notMatch(second.text, /4711|salary/)
  await Note.deleteById('a')
  await Note.deleteById('b')
  const third = await pull('ann', 'Note', second.body.cursor)
  t.same(told(third), ['b deleted'], 'what went unseen goes unseen')
  const where = encodeURIComponent('{"where":{"salary":4711}}')
  t.match(await call('ann', 'GET', `/Note/sync/pull?filter=${where}`), { status: 400, body: { error: { code: 'HIDDEN_PROPERTY_IN_QUERY' } } })
  t.equal((await call('adam', 'GET', `/Note/sync/pull?filter=${where}`)).status, 200)
  const several = await call('ann', 'POST', '/sync/pull', { models: { Note: null } })
  t.same(several.body.models.Note.changes, [])
})

onStores('pushes obey rows, check, preset and fields', async (t, start) => {
  const { pull, push, models: { Note } } = await start(t)
  await Note.create([
    { id: 'a', text: 'of ann', ownerId: 1, salary: 4711 }, { id: 'b', text: 'of ben', ownerId: 2 },
    { id: 'c', text: 'public', ownerId: 2, isPublic: true }
  ])
  t.match(await push('ann', { id: 'n', base: null, data: { id: 'n', text: 'new' } }), { ok: true, data: { ownerId: 1 } })
  t.match(await push('ann', { id: 'm', base: null, data: { id: 'm', text: 'new', ownerId: 2 } }), { error: { statusCode: 403, code: 'FIELD_NOT_WRITABLE' } })
  const { body: { changes } } = await pull('ann', 'Note')
  const revs = Object.fromEntries(changes.map(({ id, rev }: Loose) => [id, rev]))
  const row = (id: string): Loose => changes.find((each: Loose) => each.id === id).data
  t.match(await push('ann', { id: 'a', base: revs.a, data: { ...row('a'), salary: 1 } }), { error: { code: 'FIELD_NOT_WRITABLE' } })
  t.match(await push('ann', { id: 'a', base: revs.a, data: { ...row('a'), ownerId: 2 } }), { error: { code: 'FIELD_NOT_WRITABLE' } })
  const pushed = await push('ann', { id: 'a', base: revs.a, data: { ...row('a'), text: 'changed' } })
  t.match(pushed, { id: 'a', ok: true, data: undefined }, 'a whole row, as it was pulled, but for its text')
  t.match(await Note.findById('a'), { text: 'changed', salary: 4711, ownerId: 1 }, 'what the device does not know stays')
  const conflict = await push('ann', { id: 'a', base: revs.a, data: { ...row('a'), text: 'late' } })
  t.match(conflict, { conflict: { rev: pushed.rev, data: { text: 'changed', salary: undefined, ownerId: 1 } } })
  t.notMatch(JSON.stringify(conflict), '4711')
  t.match(await push('ann', { id: 'c', base: revs.c, data: { ...row('c'), text: 'x' } }), { error: { statusCode: /401|403/ } }, 'one may read it alone')
  t.match(await push('ann', { id: 'c', base: revs.c, deleted: true }), { error: {} })
  const unseen = await push('ann', { id: 'b', base: revs.a, data: { id: 'b', text: 'x' } })
  t.match(unseen, { conflict: { rev: null, deleted: true, data: undefined } }, 'a row outside is none')
  t.match(await Note.findById('b'), { text: 'of ben', ownerId: 2 })
  t.match(await push('ann', { id: 'a', base: pushed.rev, deleted: true }), { ok: true, rev: null })
})

onStores('a membership that changes: who comes back begins anew; rows of related rows come and go', async (t, start) => {
  const { pull, models: { Card, Team, Member } } = await start(t)
  await Team.create([{}, {}])
  await Member.create({ userId: 1, teamId: 1 })
  await Card.create([{ id: 'a', text: 'one', teamId: 1 }, { id: 'b', text: 'two', teamId: 2 }, { id: 'c', text: 'three', teamId: 1 }])
  const first = await pull('ann', 'Card')
  t.same(told(first), ['a one', 'c three'])
  await Card.updateAll({ id: 'a' }, { teamId: 2 })
  await Card.updateAll({ id: 'b' }, { teamId: 1 })
  await Card.deleteById('c')
  const second = await pull('ann', 'Card', first.body.cursor)
  t.same(told(second).sort(), ['a left', 'b two', 'c deleted'])
  await Member.create({ userId: 2, teamId: 2 })
  const third = await pull('ann', 'Card', second.body.cursor)
  t.match([third.status, third.body.changes], [200, []], 'that of somebody else is nothing to ann')
  await Member.create({ userId: 1, teamId: 2 })
  t.match(await pull('ann', 'Card', third.body.cursor), { status: 410, body: { error: { code: 'CURSOR_EXPIRED' } } })
  const again = await pull('ann', 'Card')
  t.same(told(again), ['a one', 'b two'])
  await Member.destroyAll({ userId: 1, teamId: 1 })
  t.equal((await pull('ann', 'Card', again.body.cursor)).status, 410)
  t.same(told(await pull('ann', 'Card')), ['a one'])
})

onStores('a role that is taken away', async (t, start) => {
  const { pull, models: { Note, Diary, RoleMapping } } = await start(t)
  await Note.create([{ id: 'a', text: 'of ann', ownerId: 1 }, { id: 'b', text: 'of adam', ownerId: 3 }])
  await Diary.create([{ id: 'a', text: 'of ann', userId: 1 }, { id: 'b', text: 'of adam', userId: 3 }])
  const cursors: Record<string, string> = {}
  for (const model of ['Note', 'Diary']) {
    const answer = await pull('adam', model)
    t.same(told(answer), ['a of ann', 'b of adam'], model)
    cursors[model] = answer.body.cursor
    t.equal((await pull('adam', model, cursors[model])).status, 200)
  }
  await RoleMapping.destroyAll()
  for (const model of ['Note', 'Diary']) {
    t.equal((await pull('adam', model, cursors[model])).status, 410, model)
    t.same(told(await pull('adam', model)), ['b of adam'], model)
  }
})

t.test('a push under rules does not write over what came between the look and the write', async t => {
  const { pull, push, models: { Note } } = await startOn(t, { url: undefined, async remove () {} })
  await Note.create({ id: 'a', text: 'of ann', ownerId: 1 })
  const { body: { changes: [{ rev, data }] } } = await pull('ann', 'Note')
  meanwhile(Note, async () => { await Note.updateAll({ id: 'a' }, { text: 'meanwhile' }) })
  const result = await push('ann', { id: 'a', base: rev, data: { ...data, text: 'late' } })
  t.match(result, { conflict: { data: { text: 'meanwhile' } } })
  t.match(await Note.findById('a'), { text: 'meanwhile' })
})

t.test('nor over what another process wrote', async t => {
  if (!await isReachable('postgres')) { t.comment('no postgres server'); return }
  const scratch = await makeScratch('postgres')
  const { pull, push, models: { Note } } = await startOn(t, scratch)
  const other = registryOn(scratch)
  await other.start()
  t.teardown(async () => { await other.stop() })
  t.teardown(async () => { await scratch.remove() })
  await Note.create({ id: 'a', text: 'of ann', ownerId: 1 })
  const { body: { changes: [{ rev, data }] } } = await pull('ann', 'Note')
  let written: Promise<unknown> | undefined
  meanwhile(Note, async () => {
    written = (other.models as Loose).Note.updateAll({ id: 'a' }, { text: 'meanwhile' })
    // It may have to wait for the push.
    await Promise.race([written, setTimeout(1000)])
  })
  const result = await push('ann', { id: 'a', base: rev, data: { ...data, text: 'late' } })
  await written
  t.ok(result.conflict !== undefined || result.ok === true)
  t.match(await Note.findById('a'), { text: 'meanwhile' }, 'it came after the push, or the push is a conflict')
})

/** Does something once, when a push is about to write. */
function meanwhile (Note: Loose, work: () => Promise<void>): void {
  let isOnce = true
  Note.observe('persist', async ({ options }: Loose) => {
    if (!isOnce || options.accessToken === undefined) return
    isOnce = false
    await work()
  })
}
