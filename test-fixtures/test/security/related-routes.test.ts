/** Relation routes ask the rules of the model that they lead to: S-104. Writes that replace rows: S-105. */
import tap from 'tap'
import { appWith } from './folders.js'
import { attack, filterText, type Attacked, type Sent } from './harness.js'
import { join } from './clients.js'

const everybody = { principalType: 'ROLE', principalId: '$everyone' }
const deny = { ...everybody, permission: 'DENY' }
const allow = (property: string | string[], principalId = '$everyone'): object =>
  ({ principalType: 'ROLE', principalId, permission: 'ALLOW', property })

const related = (model: string, extra: object = {}): object => ({ type: 'hasMany', model, foreignKey: 'clinicId', ...extra })
const models: Readonly<Record<string, object>> = {
  Clinic: {
    properties: { name: 'string', staffIds: ['number'] },
    relations: {
      staffs: related('Staff'),
      head: { type: 'hasOne', model: 'Staff', foreignKey: 'clinicId' },
      picked: { type: 'referencesMany', model: 'Staff', foreignKey: 'staffIds' },
      sent: { type: 'hasMany', model: 'Staff', through: 'Posting', foreignKey: 'clinicId', keyThrough: 'staffId' },
      known: { type: 'hasAndBelongsToMany', model: 'Room' },
      rooms: related('Room', { options: { nestRemoting: true } }),
      diaries: related('Diary')
    }
  },
  Staff: {
    plural: 'Staffs',
    properties: { name: 'string' },
    acls: [deny],
    scopes: { all: {} }
  },
  Posting: { properties: {}, acls: [deny] },
  Room: {
    properties: { name: 'string' },
    acls: [deny, allow(['find', 'findById', 'count', 'create'])],
    relations: {
      staffs: { type: 'hasMany', model: 'Staff', foreignKey: 'roomId' },
      clinic: { type: 'belongsTo', model: 'Clinic' },
      keeper: { type: 'belongsTo', model: 'Staff', foreignKey: 'keeperId' }
    },
    scopes: { big: {} }
  },
  Diary: {
    plural: 'Diaries',
    properties: { text: 'string', userId: 'number' },
    acls: [deny, allow('*', '$owner'), allow('create', '$authenticated')]
  },
  // Opened where a rule says so in so many words.
  Shop: {
    properties: { name: 'string' },
    acls: [deny, allow('__get__shown')],
    scopes: { shown: {}, hiddenOnes: {} }
  }
}

const folder = appWith(models)

async function seed ({ models: all }: Attacked): Promise<void> {
  await all.Clinic?.create({ name: 'A', staffIds: [1] })
  await all.Staff?.create({ name: 'secret staff', clinicId: 1, roomId: 1 })
  await all.Posting?.create({ clinicId: 1, staffId: 1 })
  await all.Room?.create({ name: 'open room', clinicId: 1, keeperId: 1 })
  await all.Shop?.create({ name: 'shop' })
}

/** Routes that do to staff what its rules refuse to everybody. */
const closed: ReadonlyArray<readonly [verb: string, path: string, json?: object]> = [
  ['GET', '/Clinics/1/staffs'],
  ['GET', '/Clinics/1/staffs/1'],
  ['GET', '/Clinics/1/staffs/count'],
  ['GET', '/Clinics/1/head'],
  ['GET', '/Clinics/1/sent'],
  ['GET', '/Clinics/1/sent/1'],
  ['GET', '/Clinics/1/sent/count'],
  ['HEAD', '/Clinics/1/sent/rel/1'],
  ['GET', '/Clinics/1/picked'],
  ['GET', '/Clinics/1/picked/1'],
  ['GET', '/Clinics/1/rooms/1/staffs'],
  ['GET', '/Clinics/1/rooms/1/staffs/1'],
  ['GET', '/Clinics/1/rooms/1/staffs/count'],
  ['GET', '/Clinics/1/rooms/1/keeper'],
  ['GET', '/Rooms/1/keeper'],
  ['GET', `/Clinics?${filterText({ include: 'staffs' })}`],
  ['GET', '/Staffs/all'],
  ['POST', '/Clinics/1/staffs', { name: 'new' }],
  ['POST', '/Clinics/1/head', { name: 'new' }],
  ['POST', '/Clinics/1/sent', { name: 'new' }],
  ['POST', '/Clinics/1/picked', { name: 'new' }],
  ['PUT', '/Clinics/1/staffs/1', { name: 'other' }],
  ['PUT', '/Clinics/1/head', { name: 'other' }],
  ['PUT', '/Clinics/1/sent/1', { name: 'other' }],
  ['PUT', '/Clinics/1/sent/rel/1', {}],
  ['PUT', '/Clinics/1/picked/rel/1', {}],
  ['POST', '/Clinics/1/rooms/1/staffs', { name: 'new' }],
  ['PUT', '/Clinics/1/rooms/1/staffs/1', { name: 'other' }],
  ['DELETE', '/Clinics/1/sent/rel/1'],
  ['DELETE', '/Clinics/1/sent'],
  ['DELETE', '/Clinics/1/sent/1'],
  ['DELETE', '/Clinics/1/picked/1'],
  ['DELETE', '/Clinics/1/head'],
  ['DELETE', '/Clinics/1/rooms/1/staffs/1'],
  ['DELETE', '/Clinics/1/staffs/1'],
  ['DELETE', '/Clinics/1/staffs']
]
const bare = ({ json }: { json?: object | undefined }): Sent => json === undefined ? {} : { json }

for (const store of ['memory', 'sqlite']) {
  tap.test(store, { timeout: 120_000 }, async t => {
    t.test('S-104 P-41 a route of a relation does nothing that the rules of the related model refuse', async t => {
      // Seen to fail: Guard without its RelatedRules: 200 for GET /Clinics/1/staffs, and 36 others
      const server = await attack(t, folder(t, { relatedAccess: 'related' }), store)
      await seed(server)
      const ann = await join(server, 'ann')
      for (const [verb, path, json] of closed) {
        const isMany = path.endsWith('/staffs') && verb === 'DELETE'
        t.equal((await server.send(verb, path, bare({ json }))).status, 401, `${verb} ${path}`)
        t.equal((await server.send(verb, path, { ...bare({ json }), token: ann.token })).status, 401,
          `${verb} ${path}, logged in${isMany ? ', all' : ''}`)
      }
      t.match(await server.rows('Staff', 'Posting'), /"secret staff","id":1/, 'and nothing was done')
      t.equal((await server.models.Staff?.count()), 1)
      t.equal((await server.models.Posting?.count()), 1)
    })

    t.test('S-104 what the related model allows is done', async t => {
      // Seen to fail: MethodPlan of a demand without its names: 401 for a rule that names "create"
      const server = await attack(t, folder(t, { relatedAccess: 'related' }), store)
      await seed(server)
      const { send } = server
      t.match((await send('GET', '/Clinics/1/rooms')).text, 'open room')
      t.match((await send('GET', '/Clinics/1/rooms/1')).text, 'open room')
      t.same((await send('GET', '/Clinics/1/rooms/count')).body, { count: 1 })
      t.equal((await send('POST', '/Clinics/1/rooms', { json: { name: 'b' } })).status, 200)
      t.equal((await send('PUT', '/Clinics/1/rooms/1', { json: { name: 'c' } })).status, 401, 'patching it is refused')
      t.equal((await send('DELETE', '/Clinics/1/rooms/1')).status, 401)
      t.equal((await send('PUT', '/Clinics/1/known/rel/1', { json: {} })).status, 200, 'a model in between without rules')
      t.match((await send('GET', '/Clinics/1/known')).text, 'open room')
      t.equal((await send('DELETE', '/Clinics/1/known/rel/1')).status, 204)
      t.equal((await send('GET', '/Rooms/1/clinic')).status, 401, 'nobody opened the route itself')
      t.equal((await send('GET', '/Shops/shown')).status, 200, 'a rule that names a scope was meant for it')
      t.equal((await send('GET', '/Shops/hiddenOnes')).status, 401)
    })

    t.test('S-104 owners see and change their own rows by the route, as by include', async t => {
      // Seen to fail: shownRows of core/relations without the guard: the list had the rows of both
      const server = await attack(t, folder(t, { relatedAccess: 'related', aclErrorStatus: 403 }), store)
      await seed(server)
      const { send, models: { Diary } } = server
      const [ann, ben] = [await join(server, 'ann'), await join(server, 'ben')]
      await Diary?.create({ text: 'of ann', userId: ann.id, clinicId: 1 })
      await Diary?.create({ text: 'of ben', userId: ben.id, clinicId: 1 })
      const list = await send('GET', '/Clinics/1/diaries', { token: ann.token })
      t.equal(list.status, 200)
      t.match(list.text, 'of ann')
      t.notMatch(list.text, 'of ben')
      t.equal((await send('GET', '/Clinics/1/diaries/1', { token: ann.token })).status, 200)
      t.equal((await send('GET', '/Clinics/1/diaries/2', { token: ann.token })).status, 403)
      t.equal((await send('GET', '/Clinics/1/diaries/99', { token: ann.token })).status, 403, 'as where there is none')
      t.equal((await send('GET', '/Clinics/1/diaries')).text.includes('of'), false)
      t.equal((await send('PUT', '/Clinics/1/diaries/1', { token: ann.token, json: { text: 'x' } })).status, 200)
      t.equal((await send('PUT', '/Clinics/1/diaries/2', { token: ann.token, json: { text: 'x' } })).status, 403)
      t.equal((await send('POST', '/Clinics/1/diaries', { token: ann.token, json: { text: 'x' } })).status, 200)
      t.equal((await send('POST', '/Clinics/1/diaries', { json: { text: 'x' } })).status, 401)
      t.equal((await send('DELETE', '/Clinics/1/diaries/2', { token: ann.token })).status, 403)
      t.equal((await send('DELETE', '/Clinics/1/diaries/1', { token: ann.token })).status, 204)
    })
  })
}

tap.test('S-104 a folder that does not say is as it was, and a model may say for itself', { timeout: 60_000 }, async t => {
  // Seen to fail: checksRelated answering true: 401 for all
  for (const [config, more, status] of [
    [{}, {}, 200],
    [{ includeAccess: 'related' }, {}, 200],
    [{ relatedAccess: 'related' }, { Staff: { relatedAccess: 'parent' } }, 200],
    [{}, { Staff: { relatedAccess: 'related' } }, 401]
  ] as const) {
    const server = await attack(t, folder(t, config, more), 'memory')
    await seed(server)
    t.equal((await server.send('GET', '/Clinics/1/staffs')).status, status, JSON.stringify([config, more]))
    const shown = status === 200 && !('includeAccess' in config)
    t.equal((await server.send('GET', `/Clinics?${filterText({ include: 'staffs' })}`)).status, shown ? 200 : 401)
  }
})

tap.test('S-104 settings that contradict each other stop the start', { timeout: 60_000 }, async t => {
  // Seen to fail: plugin.ts of acl without mustAgree: the server started
  for (const [config, more] of [
    [{ includeAccess: 'parent', relatedAccess: 'related' }, {}],
    [{ includeAccess: 'related', relatedAccess: 'parent' }, {}],
    [{ relatedAccess: 'related' }, { Staff: { includeAccess: 'parent' } }],
    [{}, { Staff: { includeAccess: 'parent', relatedAccess: 'related' } }]
  ] as const) {
    await t.rejects(attack(t, folder(t, config, more), 'memory'), { code: 'FBK_ACL_CONTRADICTORY_ACCESS' })
  }
})
