/** Rows that are put away, and versions of rows that one may not see or write: S-115. */
import tap, { type Test } from 'tap'
import { join } from './clients.js'
import { appWith } from './folders.js'
import { attack, storeNames, type Answer, type Attacked, type Sent } from './harness.js'

type Loose = any

const users = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }
const rules = [
  { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
  { ...users, accessType: 'READ', rows: { ownerId: '$user.id' }, fields: { read: ['*', '-secret'] } },
  {
    ...users, accessType: 'WRITE', rows: { ownerId: '$user.id' }, preset: { ownerId: '$user.id' },
    fields: { write: ['text'] }
  }
]
const note = {
  softDelete: true,
  history: true,
  hidden: ['pin'],
  properties: {
    text: { type: 'string', index: { unique: true } }, ownerId: 'number', secret: 'string', pin: 'string',
    level: { type: 'number', readOnly: true }
  }
}
const models: Readonly<Record<string, object>> = {
  /** Nobody has the right to see what is put away. */
  Note: { ...note, acls: rules, relations: { parts: { type: 'hasMany', model: 'Part', foreignKey: 'noteId' } } },
  /** All who are logged in have, of rows of theirs. */
  Bin: { ...note, acls: [...rules, { ...users, property: 'readDeleted' }] },
  /** All may read and write all rows; nobody may bring one back, or see what was. */
  Part: {
    softDelete: true,
    history: true,
    properties: { text: 'string', noteId: 'number' },
    relations: { note: { type: 'belongsTo', model: 'Note', foreignKey: 'noteId' } },
    acls: [
      { principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' },
      ...['restore', 'history', 'revert'].map(property =>
        ({ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY', property }))
    ]
  }
}
const served = appWith(models)
const hidden = /hush|topsecret|4321/

type Attempt = readonly [verb: string, path: string, sent?: Sent]
const filter = (value: object): string => `filter=${encodeURIComponent(JSON.stringify(value))}`
const where = (value: object): string => `where=${encodeURIComponent(JSON.stringify(value))}`
const shown = ([verb, path, sent]: Attempt): string => `${verb} ${path} ${JSON.stringify(sent ?? '')}`

/** Each of ann's row (1: there; 2: put away) and of one that never was: the responses are alike. */
const questions = (name: string): ReadonlyArray<(id: number) => Attempt> => [
  id => ['GET', `/${name}/${id}/history`],
  id => ['GET', `/${name}/${id}/history?${filter({ limit: 1, skip: 1 })}`],
  id => ['POST', `/${name}/${id}/restore`],
  ...[1, 2, 3, 0, -1, 1e9, '1 OR 1=1', { gt: 0 }].map((version): (id: number) => Attempt => id =>
    ['POST', `/${name}/${id}/revert`, { json: { version } }]),
  id => ['PATCH', `/${name}/${id}`, { json: { text: 'x' } }],
  id => ['DELETE', `/${name}/${id}`],
  id => ['GET', `/${name}/${id}`],
  id => ['GET', `/${name}/${id}/exists`],
  id => ['GET', `/${name}/count?${where({ id })}`],
  id => ['GET', `/${name}/findOne?${filter({ where: { id } })}`]
]

/** Ways to ask for what is put away without the right, and to learn of it otherwise. */
const asking: readonly Attempt[] = [
  ...['with', 'only'].flatMap((deleted): Attempt[] => [
    ['GET', `/Notes?${filter({ deleted })}`],
    ['GET', `/Notes?filter[deleted]=${deleted}`],
    ['GET', `/Notes/2?${filter({ deleted })}`],
    ['GET', `/Notes/findOne?${filter({ deleted })}`],
    ['GET', `/Notes?${filter({ deleted, distinct: 'text' })}`],
    ['GET', `/Notes?${filter({ deleted, fields: ['id'] })}`],
    ['GET', `/Parts?${filter({ deleted })}`],
    ['GET', `/Notes/3/parts?${filter({ deleted })}`],
    ['GET', `/Parts?${filter({ include: { relation: 'note', scope: { deleted } } })}`]
  ]),
  ['GET', `/Notes?${filter({ deleted: { neq: 'x' } })}`],
  ['GET', `/Notes?${filter({ deleted: ['with'] })}`]
]

for (const store of new Set(['memory', 'sqlite', ...storeNames])) {
  tap.test(store, { timeout: 120_000 }, async t => {
    type Started = { readonly server: Attacked, readonly as: (attempt: Attempt) => Promise<Answer> }
    const start = async (t: Test): Promise<Started> => {
      const server = await attack(t, served(t, { aggregates: true, relatedConditions: true }), store)
      const ann = await join(server, 'ann')
      const ben = await join(server, 'ben')
      const { Note, Bin, Part } = server.models as Loose
      for (const Model of [Note, Bin]) {
        await Model.create([
          { text: 'hush', ownerId: ann.id, secret: 'topsecret', pin: '4321', level: 1 },
          { text: 'hush 2', ownerId: ann.id, secret: 'topsecret', pin: '4321', level: 1 },
          { text: 'of ben', ownerId: ben.id, secret: 'topsecret', pin: '4321', level: 1 },
          { text: 'gone', ownerId: ben.id, secret: 'topsecret', pin: '4321', level: 1 }
        ])
        await Model.updateAll({ ownerId: ben.id }, { level: 2, secret: 'topsecret 2' })
        await Model.deleteAll({ id: { inq: [2, 4] } })
      }
      await Part.create([{ text: 'hush', noteId: 2 }, { text: 'p', noteId: 3 }])
      await Part.deleteById(1)
      const as = async ([verb, path, sent]: Attempt): Promise<Answer> =>
        await server.send(verb, path, { ...sent, token: ben.token })
      return { server, as }
    }
    const rows = async ({ models }: Attacked): Promise<string> => JSON.stringify(
      await Promise.all(['Note', 'Bin', 'Part'].map(async name => await (models as Loose)[name].find({ order: 'id', deleted: 'with' }))))

    t.test('S-115 nobody learns of rows of others by their history, or brings them back', async t => {
      // Seen to fail: mustSee of core/history that asks as the application: GET /Notes/1/history was 200
      const { server, as } = await start(t)
      const before = await rows(server)
      for (const name of ['Notes', 'Bins']) {
        for (const question of questions(name)) {
          const missing = await as(question(77))
          for (const id of [1, 2]) {
            const there = await as(question(id))
            const told = ({ status, text }: Answer): unknown => [status, text.replaceAll(/\b(1|2|77)\b/g, 'n')]
            t.strictSame(told(there), told(missing), shown(question(id)))
            t.notMatch(there.text, hidden, shown(question(id)))
          }
        }
      }
      t.equal(await rows(server), before)
    })

    t.test('S-115 rows that are put away are for who has the right, and then for rows that they may see', async t => {
      // Seen to fail: mustReadDeleted of core/operations that lets everybody: filter[deleted]=only was 200
      const { server, as } = await start(t)
      const before = await rows(server)
      for (const attempt of asking) {
        const response = await as(attempt)
        t.ok(response.status === 400 || response.status === 403, `${response.status} ${shown(attempt)}`)
        t.notMatch(response.text, /hush|gone/, shown(attempt))
      }
      t.match(await as(['GET', `/Bins?${filter({ deleted: 'with', order: 'id' })}`]), { status: 200, body: [{ id: 3 }, { id: 4, deletedAt: String }] })
      t.match(await as(['GET', `/Bins?${filter({ deleted: 'only' })}`]), { status: 200, body: { length: 1 } })
      t.equal(await rows(server), before)
    })

    t.test('S-115 conditions, counts, groups, orders and includes find no row that is put away', async t => {
      // Seen to fail: settledLinks of core/operations without among(): Parts with a note that was put away were found
      const { server, as } = await start(t)
      const { Part, Note } = server.models as Loose
      await Note.deleteById(3)
      const none: readonly Attempt[] = [
        ['GET', `/Notes?${filter({ where: { text: 'gone' } })}`],
        ['GET', `/Notes?${filter({ where: { deletedAt: { neq: null } } })}`],
        ['GET', `/Notes?${filter({ where: { or: [{ id: 4 }, { id: 3 }] } })}`],
        ['GET', `/Parts?${filter({ where: { 'note.id': 3 } })}`],
        ['GET', `/Parts?${filter({ where: { note: { some: { text: { like: '%' } } } } })}`],
        ['GET', `/Notes/aggregate?${filter({ groupBy: ['text'], aggregate: { n: { count: '*' } } })}`],
        ['GET', `/Notes?${filter({ distinct: 'text' })}`],
        ['GET', `/Notes?${filter({ order: 'parts.$count DESC' })}`]
      ]
      for (const attempt of none) {
        const response = await as(attempt)
        t.strictSame([response.status, response.body], [200, []], shown(attempt))
      }
      t.strictSame((await as(['GET', `/Notes/count?${where({ text: 'gone' })}`])).body, { count: 0 })
      const [part] = (await as(['GET', `/Parts?${filter({ include: 'note' })}`])).body as Loose
      t.equal(part.note ?? null, null, 'include')
      for (const path of ['/Notes/4', '/Notes/4/parts', '/Notes/4/parts/count']) {
        t.equal((await as(['GET', path])).status, 404, path)
      }
      t.notMatch((await as(['GET', '/Parts/2/note'])).text, /gone|of ben/)
      const taken = await as(['PUT', '/Notes', { json: { id: 4, text: 'x' } }])
      t.ok(taken.status >= 400 && taken.status < 500, `an upsert of it: ${taken.status}`)
      t.equal((await as(['POST', '/Notes', { json: { text: 'gone' } }])).status, 200, 'its unique values are free')
      t.equal(await Part.count(), 1)
    })

    t.test('S-115 a history has nothing that the caller may not read, and a revert sets nothing they may not', async t => {
      // Seen to fail: shownVersion of core/history without readableRow: "secret" was in after
      const { server, as } = await start(t)
      const { Note } = server.models as Loose
      const history = await as(['GET', '/Notes/3/history'])
      t.match(history, { status: 200, body: [{ version: 1, operation: 'create', before: null }, { version: 2, operation: 'update' }] })
      t.notMatch(history.text, hidden)
      t.notOk(/ownerId.*secret|pin/.test(history.text))
      t.match(await as(['POST', '/Notes/3/revert', { json: { version: 1 } }]), { status: 403, code: 'FIELD_NOT_WRITABLE' }, 'its secret was another one')
      t.equal((await Note.findById(3)).secret, 'topsecret 2')
      t.equal((await as(['PATCH', '/Notes/3', { json: { text: 'new' } }])).status, 200)
      t.match(await as(['POST', '/Notes/3/revert', { json: { version: 2 } }]), { status: 200, body: { text: 'of ben', level: 2 } })
      await Note.updateAll({ id: 3 }, { level: 5, secret: 'topsecret 2' })
      t.match(await as(['POST', '/Notes/3/revert', { json: { version: 3 } }]), { status: 200, body: { text: 'new', level: 5 } }, 'what can only be read stays')
      t.match(await as(['POST', '/Notes/4/restore']), { status: 200, body: { id: 4, text: 'gone' } })
      t.match((await as(['GET', '/Notes/4/history'])).body, [{}, {}, { operation: 'delete', after: null }, { operation: 'restore', userId: Number, requestId: String }])
      for (const path of ['restore', 'revert']) {
        t.equal((await as(['POST', `/Parts/1/${path}`, { json: { version: 1 } }])).status, 401, path)
      }
      t.equal((await as(['GET', '/Parts/2/history'])).status, 401)
      t.equal((await server.send('GET', '/Notes/3/history')).status, 401)
      t.equal((await as(['GET', '/NoteHistories'])).status, 404, 'the model of versions has no routes')
      t.equal((await as(['GET', `/Notes/3/history?${filter({ limit: 1e6 })}`])).status, 400)
    })
  })
}
