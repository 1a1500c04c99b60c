/** What rules say of rows and properties, as operations are given it: `request.rowRules`. */
import t from 'tap'
import type { Row, RowAction, RowRule } from '@fastback/core'
import { compileCondition } from '@fastback/core/connector'
import { call, makeApp, row, type App } from './app.js'

type Loose = any

const owners = { properties: { text: 'string', ownerId: 'number', userId: 'number', teamId: 'string', isPublic: 'boolean', at: 'date', salary: 'number' } }

/** An application whose method `look` shows what the rules of its caller come to. */
async function looking (
  test: Loose, acls: object[], { model = {}, settings = {}, prepare, definitions = [], property = 'look' }: Loose = {}
): Promise<{
  app: App
  rule: (who?: string, action?: RowAction, name?: string) => Promise<RowRule | undefined>
  warnings: string[]
}> {
  let found: Loose
  const warnings: string[] = []
  const log = Object.fromEntries(['info', 'debug', 'error', 'trace', 'fatal'].map(name => [name, () => {}]))
  const app = await makeApp(test, {
    definitions: [
      { name: 'Note', ...owners, acls: acls as never, ...model },
      ...definitions
    ],
    settings: { modelDefinitions: 'open', ...settings },
    log: { ...log, warn: (_: unknown, message: string) => { warnings.push(message) } },
    prepare: async (models: Loose, fastify: Loose) => {
      models.Note.look = async (options: Loose) => { found = options.rowRules; return {} }
      models.Note.remoteMethod(property, {
        accepts: [{ arg: 'options', type: 'object', http: 'optionsFromRequest' }],
        http: { verb: 'get', path: '/look' },
        returns: { type: 'object', root: true },
        accessType: 'EXECUTE'
      })
      await prepare?.(models, fastify)
    }
  } as Loose)
  return {
    app,
    warnings,
    rule: async (who, action = 'read', name = 'Note') => {
      found = undefined
      const { status, body } = await call(app, who, 'GET', '/Notes/look')
      if (status !== 200) throw new Error(JSON.stringify(body))
      const { compiled } = app.models[name]
      return found?.concerns(compiled) === true ? await found.of(compiled, action) : undefined
    }
  }
}

const look = row('ALLOW', '$everyone', { property: 'look' })
const deny = row('DENY', '$everyone')
const reading = (principalId: string, extra: object): Loose => row('ALLOW', principalId, { accessType: 'READ', ...extra })
const passes = (rule: RowRule | undefined, each: Row): boolean => compileCondition(rule?.rows)(each)

t.test('values of the caller stand for variables', async t => {
  const { rule } = await looking(t, [deny, look, reading('$everyone', { rows: { or: [{ ownerId: '$user.id' }, { isPublic: true }] } })])
  t.equal(passes(await rule('ann'), { id: 1, ownerId: 1 }), true)
  t.equal(passes(await rule('ann'), { id: 1, ownerId: 2 }), false)
  t.equal(passes(await rule('ben'), { id: 1, ownerId: 2 }), true)
  t.equal(passes(await rule(undefined), { id: 1, ownerId: 2 }), false)
  t.equal(passes(await rule(undefined), { id: 1, ownerId: null }), false, 'nobody is not null')
  t.equal(passes(await rule(undefined), { id: 1, isPublic: true }), true)
  t.not((await rule('ann'))?.key, (await rule('ben'))?.key)
  t.equal((await rule('ann')), await rule('ann'), 'kept for the token')
})

t.test('a value that is missing passes nothing, also below a negation', async t => {
  const some = { ownerId: 2, id: 1 }
  const conditions = [
    { ownerId: '$user.id' }, { ownerId: { neq: '$user.id' } }, { ownerId: { nin: ['$user.id'] } },
    { nor: [{ ownerId: '$user.id' }] }, { nor: [{ nor: [{ ownerId: '$user.id' }] }] }, { ownerId: { gt: '$user.id' } },
    { ownerId: { between: ['$user.id', 9] } }, { nor: [{ ownerId: { inq: ['$user.id'] } }] },
    { and: [{ ownerId: { neq: '$user.id' } }] }, { nor: [{ ownerId: { neq: '$user.id' } }] }, { ownerId: { inq: ['$user.id'] } }
  ]
  for (const rows of conditions) {
    const { rule } = await looking(t, [deny, look, reading('$everyone', { rows })])
    t.equal(passes(await rule(undefined), some), false, JSON.stringify(rows))
    t.equal(passes(await rule(undefined), { id: 1 }), false, `${JSON.stringify(rows)} of a row without`)
  }
  const { rule } = await looking(t, [deny, look, reading('$everyone', { rows: { nor: [{ ownerId: '$user.id' }, { nor: [{ isPublic: true }] }] } })])
  t.equal(passes(await rule(undefined), { id: 1, isPublic: true }), false)
  t.equal(passes(await rule('ann'), { id: 1, ownerId: 2, isPublic: true }), true)
})

t.test('a rule that denies rows by a value that is missing denies them all', async t => {
  for (const rows of [
    { ownerId: '$user.id' }, { ownerId: { neq: '$user.id' } }, { nor: [{ ownerId: '$user.id' }] },
    { or: [{ text: 'x' }, { ownerId: { neq: '$user.id' } }] }
  ]) {
    const { rule } = await looking(t, [look, row('DENY', '$everyone', { accessType: 'READ', rows })])
    t.equal(passes(await rule(undefined), { id: 1, ownerId: 2 }), false, JSON.stringify(rows))
    t.equal(passes(await rule(undefined), { id: 1 }), false, `${JSON.stringify(rows)} of a row without`)
  }
  const { rule } = await looking(t, [look, row('DENY', '$everyone', { accessType: 'READ', rows: { text: 'x', ownerId: '$user.id' } })])
  t.equal(passes(await rule(undefined), { id: 1, text: 'y', ownerId: 2 }), true, 'it is false for this row, whoever asks')
})

t.test('properties of the user are read once, and let go when the user changes', async t => {
  let reads = 0
  const { app, rule } = await looking(t, [deny, look, reading('$authenticated', { rows: { teamId: '$user.realm' } })], {
    settings: { aclCacheTtl: 60_000 },
    prepare: async ({ User }: Loose) => {
      User.observe('loaded', async () => { reads++ })
      await User.updateAll({ id: 1 }, { realm: 'red' })
    }
  })
  t.equal(passes(await rule('ann'), { id: 1, teamId: 'red' }), true)
  t.equal(passes(await rule('ben'), { id: 1, teamId: null }), false)
  await app.models.User.updateAll({ id: 1 }, { realm: 'blue' })
  t.equal(passes(await rule('ann'), { id: 1, teamId: 'red' }), false)
  t.equal(passes(await rule('ann'), { id: 1, teamId: 'blue' }), true)
  for (const realm of [{ neq: null }, ['red'], { inq: ['red'] }]) {
    await app.models.User.updateAll({ id: 1 }, { realm: null })
    const { store } = { store: app.models.User.dataSource.connector }
    t.ok(store)
    t.equal(passes(await rule('ann'), { id: 1, teamId: JSON.stringify(realm) }), false)
  }
  t.equal(reads, 0, 'hooks of the application are not told of it')
})

t.test('roles, client, time and token', async t => {
  const { rule } = await looking(t, [deny, look, reading('$everyone', { rows: { teamId: { inq: '$roles' } } })])
  t.equal(passes(await rule('adam'), { id: 1, teamId: 'admin' }), true)
  t.equal(passes(await rule('ann'), { id: 1, teamId: 'admin' }), false)
  t.equal(passes(await rule('ann'), { id: 1, teamId: '$authenticated' }), true)
  t.equal(passes(await rule(undefined), { id: 1, teamId: '$unauthenticated' }), true)
  const time = await looking(t, [deny, look, reading('$everyone', { rows: { at: { between: ['$now-30d', '$now'] } } })])
  t.equal(passes(await time.rule('ann'), { id: 1, at: new Date(Date.now() - 86_400_000) }), true)
  t.equal(passes(await time.rule('ann'), { id: 1, at: new Date(Date.now() - 31 * 86_400_000) }), false)
  t.equal((await time.rule('ann'))?.key, (await time.rule('ann'))?.key, 'cursors hold while time passes')
  const token = await looking(t, [deny, look, reading('$everyone', { rows: { salary: { lt: '$token.ttl' }, teamId: '$$x' } })])
  t.equal(passes(await token.rule('ann'), { id: 1, salary: 999, teamId: '$x' }), true)
  t.equal(passes(await token.rule('ann'), { id: 1, salary: 1001, teamId: '$x' }), false)
  const client = await looking(t, [deny, look, reading('$everyone', { rows: { teamId: '$client.id' } })])
  t.equal(passes(await client.rule('ann'), { id: 1, teamId: null }), false)
})

t.test('the rows that one owns are those of $owner', async t => {
  const { rule } = await looking(t, [deny, look, reading('$authenticated', { rows: 'own' })])
  t.equal(passes(await rule('ann'), { id: 1, userId: 1 }), true)
  t.equal(passes(await rule('ann'), { id: 1, userId: 2 }), false)
  t.equal(passes(await rule('ann'), { id: 1, userId: null }), false)
  const related = await looking(t, [deny, look, reading('$authenticated', { rows: 'own' })], {
    model: {
      properties: { text: 'string', owner: 'number' },
      relations: { author: { type: 'belongsTo', model: 'User', foreignKey: 'authorId' } }
    }
  })
  const isOwn = async (each: Row): Promise<boolean> => passes(await related.rule('ann'), { id: 1, ...each })
  const { ownerTest } = await import('../src/roles/owner.js')
  const { Caller } = await import('../src/caller.js')
  const { aclService } = await import('../src/service.js')
  const { registry } = related.app as Loose
  const caller = new Caller(aclService(registry).users, { userId: 1 } as Loose)
  for (const owner of [undefined, null, 0, 1, 2]) {
    for (const authorId of [undefined, null, 1, 2]) {
      const each = { owner, authorId }
      t.equal(await isOwn(each), ownerTest(related.app.models.Note)?.({ id: 1, ...each }, caller), JSON.stringify(each))
    }
  }
})

t.test('rules of one rank add up; one that denies rows takes them away', async t => {
  const team = reading('admin', { rows: { teamId: 'a' } })
  const { rule } = await looking(t, [
    deny, look, team, reading('teller', { rows: { teamId: 'b' } }), reading('$authenticated', { rows: { teamId: 'c' } }),
    row('DENY', '$everyone', { accessType: 'READ', rows: { isPublic: false } })
  ], {
    prepare: async ({ Role }: Loose) => {
      const teller = await Role.create({ name: 'teller' })
      await teller.principals.create({ principalType: 'USER', principalId: 3 })
      await teller.principals.create({ principalType: 'USER', principalId: 2 })
    }
  })
  const seen = async (who: string | undefined): Promise<string> => {
    const found = await rule(who)
    return ['a', 'b', 'c'].filter(teamId => passes(found, { id: 1, teamId })).join('')
  }
  t.equal(await seen('adam'), 'ab')
  t.equal(await seen('ben'), 'b')
  t.equal(await seen('ann'), 'c')
  t.equal(await seen(undefined), '')
  const taking = await looking(t, [
    look, row('DENY', 'admin', { accessType: 'READ', rows: { isPublic: false } }), reading('$everyone', {})
  ])
  t.equal(passes(await taking.rule('adam'), { id: 1, isPublic: false }), false)
  t.equal(passes(await taking.rule('adam'), { id: 1, isPublic: true }), true)
  t.equal(await taking.rule('ann'), undefined, 'nothing is narrowed for others')
  const all = await looking(t, [deny, look, team, reading('admin', {}), reading('$authenticated', { rows: { teamId: 'c' } })])
  t.equal((await all.rule('adam'))?.rows, undefined, 'one without rows gives all')
})

t.test('fields: readable by every rule that gives rows, or by one that gives all', async t => {
  const { rule } = await looking(t, [
    deny, look, reading('$authenticated', { rows: 'own', fields: { read: ['*', '-salary'], write: ['text'] } }),
    reading('admin', { fields: { read: ['text', 'salary'] } }),
    row('ALLOW', '$authenticated', { accessType: 'WRITE', fields: { write: ['text'] }, preset: { ownerId: '$user.id', teamId: 'x' }, check: { ownerId: '$user.id' } })
  ])
  const of = (found: RowRule | undefined, key: 'reads' | 'writes'): string =>
    ['id', 'text', 'salary', 'other'].filter(name => found?.[key]?.(name) ?? true).join(' ')
  t.equal(of(await rule('ann'), 'reads'), 'id text other')
  t.equal(of(await rule('adam'), 'reads'), 'id text salary')
  t.equal((await rule('adam'))?.rows, undefined)
  const writing = await rule('ann', 'update')
  t.equal(of(writing, 'writes'), 'id text')
  t.equal(of(writing, 'reads'), 'id text other', 'what a write shows is what reads show')
  t.equal(writing?.rows, undefined)
  t.equal(compileCondition(writing?.check)({ ownerId: 1 }), true)
  t.equal(compileCondition(writing?.check)({ ownerId: 2 }), false)
  t.same((await rule('ben', 'create'))?.preset, { ownerId: 2, teamId: 'x' })
  t.equal(passes(await rule(undefined, 'update'), { id: 1, ownerId: 1 }), false, 'who may not write gets no rows')
  t.equal(of(await rule(undefined), 'reads'), 'id', 'who may not read gets the id alone')
})

t.test('a tenant narrows whatever rule decides', async t => {
  const { rule } = await looking(t, [], {
    model: { tenant: { property: 'teamId', value: '$user.realm' } },
    prepare: async ({ User }: Loose) => { await User.updateAll({ id: 1 }, { realm: 'red' }) }
  })
  for (const action of ['read', 'create', 'update', 'delete'] as const) {
    const ann = await rule('ann', action)
    t.equal(passes(ann, { id: 1, teamId: 'red' }), true, action)
    t.equal(passes(ann, { id: 1, teamId: 'blue' }), false)
    t.equal(compileCondition(ann?.check)({ id: 1, teamId: 'blue' }), false)
    t.same(ann?.preset, { teamId: 'red' })
    for (const who of ['ben', undefined]) {
      t.equal(passes(await rule(who, action), { id: 1, teamId: null }), false)
      t.equal(compileCondition((await rule(who, action))?.check)({ id: 1, teamId: null }), false)
    }
  }
  const odd = await looking(t, [], { model: { tenant: { property: 'teamId', value: '$user.relm' } } })
  t.ok(odd.warnings.some(each => /tenant of "Note".*relm.*realm/.test(each)))
  t.equal(passes(await odd.rule('ann'), { id: 1, teamId: 'red' }), false)
})

t.test('a role of the application may be for some rows', async t => {
  const { app, rule } = await looking(t, [deny, look, reading('member', { rows: { isPublic: true } })], {
    prepare: ({ Role }: Loose) => {
      Role.registerResolver('member', (_: string, { accessToken }: Loose) =>
        accessToken.userId === 1 ? { where: { teamId: 'red' } } : accessToken.userId === 2)
    }
  })
  const seen = async (who: string | undefined): Promise<boolean[]> => {
    const found = await rule(who)
    return [{ teamId: 'red', isPublic: true }, { teamId: 'red' }, { teamId: 'blue', isPublic: true }].map(each => passes(found, each))
  }
  t.same(await seen('ann'), [true, false, false])
  t.same(await seen('ben'), [true, false, true])
  t.same(await seen(undefined), [false, false, false])
  t.equal(await app.models.Role.isInRole('member', { principalType: 'USER', principalId: 1, accessToken: { userId: 1 } }), false)
})

t.test('a rule whose parts nobody can read grants nothing', async t => {
  const faults: Record<string, [object, RegExp]> = {
    variable: [{ rows: { ownerId: '$usr.id' } }, /\$usr\.id/],
    'property of the user': [{ rows: { ownerId: '$user.emial' } }, /email/],
    property: [{ rows: { ownerIdd: 1 } }, /ownerId/],
    operator: [{ rows: { ownerId: { neqq: '$user.id' } } }, /neqq/],
    pattern: [{ rows: { text: { like: '$user.username' } } }, /variable/],
    list: [{ rows: { text: '$roles' } }, /list/],
    relation: [{ rows: { 'projet.members': { some: {} } } }, /projet/],
    shape: [{ rows: 'mine' }, /condition/],
    check: [{ check: { ownerIdd: 1 } }, /check/],
    preset: [{ preset: { ownerIdd: 1 } }, /preset/],
    fields: [{ fields: { read: ['salry'] } }, /salary/],
    'fields, key': [{ fields: { reads: ['text'] } }, /read/],
    enforce: [{ enforce: 'no' }, /enforce/]
  }
  for (const [name, [part, says]] of Object.entries(faults)) {
    const { app, warnings } = await looking(t, [deny, look, reading('$authenticated', part)])
    t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 401, name)
    t.ok(warnings.some(each => says.test(each)), `${name}: ${warnings.join(' | ')}`)
    const other = await looking(t, [look, row('DENY', '$authenticated', { accessType: 'READ', ...part })])
    t.equal((await call(other.app, 'ann', 'GET', '/Notes')).status, 401, `DENY: ${name}`)
  }
  const strict = { settings: { modelDefinitions: 'strict' } }
  await t.rejects(looking(t, [reading('$authenticated', { rows: { ownerIdd: 1 } })], strict), { code: 'FBK_ACL_VOID_RULE' })
})

t.test('a stored rule whose rows nobody can read is told', async t => {
  const { app, warnings } = await looking(t, [deny, look])
  await app.models.ACL.create({
    ...reading('$authenticated', { rows: { ownerIdd: '$user.id' } }), model: 'Note'
  })
  t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 401)
  t.ok(warnings.some(each => /stored rule of "Note".*ownerIdd.*ownerId/.test(each)), warnings.join(' | '))
})

t.test('without such rules requests are given none', async t => {
  const { app, rule } = await looking(t, [look, row('DENY', 'admin')])
  t.equal(await rule('ann'), undefined)
  const { aclService } = await import('../src/service.js')
  t.equal(aclService((app as Loose).registry).rows.any, false)
})
