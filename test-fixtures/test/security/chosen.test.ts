/** Polymorphic relations, whose rows say themselves which model they lead to: S-80. */
import tap from 'tap'
import { temporaryApp } from './folders.js'
import { attack, filterText, storeNames } from './harness.js'

const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const numbered = { type: 'belongsTo', polymorphic: { selector: 'about', idType: 'number' } }

const files = {
  'package.json': { name: 'chosen', private: true },
  'server/models/loose.json': { name: 'Loose', properties: { text: 'string' }, relations: { about: numbered } },
  'server/models/note.json': {
    name: 'Note',
    properties: { text: 'string' },
    relations: { about: { type: 'belongsTo', polymorphic: { selector: 'about', idType: 'number' } } }
  },
  'server/models/listed.json': {
    name: 'Listed',
    properties: { text: 'string' },
    relations: {
      about: { type: 'belongsTo', polymorphic: { selector: 'about', idType: 'number', models: ['Book', 'Member'] } }
    }
  },
  'server/models/book.json': {
    name: 'Book',
    properties: { title: 'string' },
    relations: { notes: { type: 'hasMany', model: 'Note', polymorphic: 'about' } }
  },
  'server/models/diary.json': {
    name: 'Diary',
    properties: { title: 'string', userId: 'number' },
    relations: { notes: { type: 'hasMany', model: 'Note', polymorphic: 'about' } },
    acls: [deny, { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW', property: 'findById' }]
  },
  'server/models/member.json': { name: 'Member', base: 'User', relations: {} },
  'server/boot/auth.js': 'module.exports = app => { app.enableAuth() }',
  'server/model-config.json': {
    _meta: { sources: ['loopback/common/models', './models'] },
    Loose: { dataSource: 'db' },
    Note: { dataSource: 'db' },
    Listed: { dataSource: 'db' },
    Book: { dataSource: 'db' },
    Diary: { dataSource: 'db' },
    Member: { dataSource: 'db' },
    AccessToken: {
      dataSource: 'db',
      public: false,
      relations: { user: { type: 'belongsTo', model: 'Member', foreignKey: 'userId' } }
    },
    ACL: { dataSource: 'db', public: false },
    Role: { dataSource: 'db', public: false },
    RoleMapping: { dataSource: 'db', public: false }
  }
}

for (const store of storeNames) {
  tap.test(store, async t => {
    const { send, models } = await attack(t, temporaryApp(t, files), store)
    await models.Book?.create({ title: 'open' })
    await models.Diary?.create([{ title: 'hush-ann', userId: 1 }, { title: 'hush-ben', userId: 2 }])
    await models.Member?.create([
      { email: 'hush-ann@example.com', password: 'a long secret' },
      { email: 'hush-ben@example.com', password: 'a long secret' }
    ])
    const ann = (
      await send('POST', '/Members/login', { json: { email: 'hush-ann@example.com', password: 'a long secret' } })
    ).body as { id: string }
    const point = async (plural: string, aboutType: string, aboutId: unknown): Promise<number> => {
      const { body, status, text } = await send('POST', `/${plural}`, { json: { text: 'x', aboutType, aboutId } })
      t.equal(status, 200, text)
      return (body as { id: number }).id
    }
    const routes = (plural: string, id: number): string[] => [
      `/${plural}/${id}/about`,
      `/${plural}/${id}?${filterText({ include: 'about' })}`,
      `/${plural}?${filterText({ where: { id }, include: { relation: 'about' } })}`,
      `/${plural}/findOne?${filterText({ where: { id }, include: [{ relation: 'about', scope: { fields: ['email', 'title', 'id'] } }] })}`
    ]

    t.test('S-80 a polymorphic relation reaches only models that are declared for it', async t => {
      // Seen to fail: isDeclared of core/relations/polymorphic.ts giving true read Member, AccessToken, RoleMapping
      const token = (await models.AccessToken?.find())?.[0]
      for (const [plural, type, id] of [
        ['Looses', 'Member', 1],
        ['Looses', 'member', 1],
        ['Looses', 'Book', 1],
        ['Looses', 'User', 1],
        ['Looses', 'AccessToken', token?.id],
        ['Notes', 'Member', 1],
        ['Notes', 'MEMBER', 1],
        ['Listeds', 'Diary', 1],
        ['Listeds', 'AccessToken', token?.id]
      ] as const) {
        const row = await point(plural, type, typeof id === 'number' ? id : 1)
        for (const path of routes(plural, row)) {
          for (const as of [undefined, ann.id]) {
            const { text, status } = await send('GET', path, { token: as })
            t.ok(status < 500, `${path} ${status}`)
            t.notMatch(text, /hush|"email"|"title"/, `${type} by ${path}`)
          }
        }
      }
    })

    t.test('S-80 what a row chose is judged as findById of that model', async t => {
      // Seen to fail: Guard#checkChosen of acl and isChosenByRow of its include rules left out
      for (const [plural, type] of [['Notes', 'Diary'], ['Listeds', 'Member']] as const) {
        const own = await point(plural, type, 1)
        const other = await point(plural, type, 2)
        for (const path of [...routes(plural, own), ...routes(plural, other)]) {
          t.notMatch((await send('GET', path)).text, 'hush', `anonymous ${path}`)
        }
        for (const path of routes(plural, other)) {
          t.notMatch((await send('GET', path, { token: ann.id })).text, 'hush', `ann ${path}`)
        }
        t.equal((await send('GET', `/${plural}/${other}/about`)).status, 401)
        const missing = await point(plural, type, 99)
        t.equal((await send('GET', `/${plural}/${missing}/about`)).status, 401, 'whether it is there or not (S-04)')
        for (const path of routes(plural, own)) {
          t.match((await send('GET', path, { token: ann.id })).text, 'hush-ann', `her own by ${path}`)
        }
      }
    })

    t.test('S-80 declared and listed models are reached by everybody who may read them', async t => {
      // Seen to fail: modelNamedBy of core/relations/polymorphic.ts giving undefined
      for (const plural of ['Notes', 'Listeds']) {
        const row = await point(plural, 'Book', 1)
        for (const path of routes(plural, row)) {
          const { status, text } = await send('GET', path)
          t.equal(status, 200, path)
          t.match(text, '"title":"open"', path)
        }
      }
      t.match((await send('GET', '/Books/1/notes')).body, [{ text: 'x' }])
    })
  })
}
