/** No condition on related rows tells what its caller may not read: S-108. The rest: packages/acl/test. */
import tap, { type Test } from 'tap'
import { join } from './clients.js'
import { appWith } from './folders.js'
import { attack, filterText, type Attacked } from './harness.js'

const everybody = { principalType: 'ROLE', principalId: '$everyone' }
const deny = { ...everybody, permission: 'DENY' }
const toOwners = { ...everybody, principalId: '$owner', permission: 'ALLOW' }

const models: Readonly<Record<string, object>> = {
  Clinic: {
    properties: { name: 'string', code: 'string' },
    hidden: ['code'],
    relations: {
      staffs: { type: 'hasMany', model: 'Staff', foreignKey: 'clinicId' },
      diaries: { type: 'hasMany', model: 'Diary', foreignKey: 'clinicId' },
      rooms: { type: 'hasMany', model: 'Room', foreignKey: 'clinicId' },
      keeper: { type: 'belongsTo', model: 'User', foreignKey: 'keeperId' }
    }
  },
  Staff: { plural: 'Staffs', properties: { name: 'string' }, acls: [deny] },
  Room: {
    properties: { name: 'string' },
    relations: { clinic: { type: 'belongsTo', model: 'Clinic', foreignKey: 'clinicId' } }
  },
  Diary: { plural: 'Diaries', properties: { text: 'string', userId: 'number' }, acls: [deny, toOwners] }
}

const served = appWith(models)

const folder = (t: Test, config: object): string => served(t, { relatedAccess: 'related', ...config })

async function seed ({ models: all }: Attacked): Promise<void> {
  await all.Clinic?.create({ name: 'A', code: 'c1' })
  await all.Staff?.create({ name: 'secret staff', clinicId: 1 })
  await all.Diary?.create({ text: 'secret diary', userId: 99, clinicId: 1 })
  await all.Room?.create({ name: 'open room', clinicId: 1 })
}

/** What is asked of clinics, each true of the one that there is. */
const secrets: readonly object[] = [
  { staffs: { some: { name: 'secret staff' } } },
  { staffs: { every: { name: { like: 'secret%' } } } },
  { staffs: { none: { name: { lt: 'secret' } } } },
  { diaries: { some: { text: { regexp: '^secret' } } } },
  { diaries: { some: { userId: 99 } } },
  { nor: [{ diaries: { none: {} } }] },
  { or: [{ name: 'B' }, { staffs: { some: {} } }] },
  { rooms: { some: { 'clinic.code': 'c1' } } },
  { rooms: { some: { clinic: { staffs: { some: { name: 'secret staff' } } } } } },
  { keeper: { none: { password: { exists: true } } } },
  { keeper: { none: { accessTokens: { some: {} } } } }
]

/** Ways that a condition of clinics comes on. */
const ways: ReadonlyArray<readonly [verb: string, path: (where: object) => string, json?: object]> = [
  ['GET', where => `/Clinics?${filterText({ where })}`],
  ['GET', where => `/Clinics/findOne?${filterText({ where })}`],
  ['GET', where => `/Clinics/count?where=${encodeURIComponent(JSON.stringify(where))}`],
  ['GET', where => `/Rooms?${filterText({ where: { clinic: where } })}`],
  ['GET', where => `/Rooms?${filterText({ include: { relation: 'clinic', scope: { where } } })}`],
  ['POST', where => `/Clinics/update?where=${encodeURIComponent(JSON.stringify(where))}`, { name: 'x' }]
]

for (const store of ['memory', 'sqlite']) {
  tap.test(store, { timeout: 120_000 }, async t => {
    t.test('S-108 a condition on rows that may not be read is refused, by every way', async t => {
      // Seen to fail: judgeRelated of core/operations without the guard: 200 for { staffs: { some: … } }, and others
      const server = await attack(t, folder(t, { relatedConditions: true }), store)
      await seed(server)
      const ann = await join(server, 'ann')
      for (const where of secrets) {
        for (const [verb, path, json] of ways) {
          for (const token of [undefined, ann.token]) {
            const sent = { ...(json === undefined ? {} : { json }), ...(token === undefined ? {} : { token }) }
            const { status, text } = await server.send(verb, path(where), sent)
            const about = `${verb} ${path(where)}${token === undefined ? '' : ', logged in'}`
            t.ok([400, 401].includes(status), `${String(status)} ${about}`)
            t.notMatch(text, /secret staff|secret diary/, about)
          }
        }
      }
      t.match(await server.models.Clinic?.findById(1), { name: 'A' }, 'nothing was written')
    })

    t.test('S-108 what may be read may be asked about', async t => {
      // Seen to fail: relationNamed of core/query without its hasRelatedConditions: 200 where they are off
      const server = await attack(t, folder(t, { relatedConditions: true }), store)
      await seed(server)
      const where = { rooms: { some: { name: 'open room' } } }
      t.match((await server.send('GET', `/Clinics?${filterText({ where })}`)).text, '"A"')
      const off = await attack(t, folder(t, {}), store)
      await seed(off)
      t.notMatch((await off.send('GET', `/Clinics?${filterText({ where })}`)).text, '"A"', 'off in folders that do not say')
    })
  })
}
