/** Whether a value that a client sends is right is told to nobody who may not see it: S-145. */
import { createHash } from 'node:crypto'
import tap from 'tap'
import { join } from './clients.js'
import { appWith } from './folders.js'
import { attack, storeNames, type Answer } from './harness.js'

type Loose = any

const users = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }
const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const id = { type: 'string', id: true, defaultFn: 'guid' }
const served = appWith({
  Note: {
    trackChanges: true,
    forceId: false,
    properties: { id, text: 'string', salary: 'number', code: { type: 'string', index: { unique: true } } },
    acls: [
      deny, { ...users, accessType: 'READ', fields: { read: ['*', '-salary', '-code'] } },
      { ...users, accessType: 'WRITE', fields: { write: ['*', '-salary'] } }, { ...users, accessType: 'REPLICATE' }
    ]
  },
  Card: {
    forceId: false,
    properties: {
      id,
      text: 'string',
      pin: { type: 'number', hidden: true, readOnly: true },
      once: { type: 'number', hidden: true, writeOnce: true },
      unread: { type: 'number', readOnly: true },
      shown: { type: 'number', readOnly: true }
    },
    acls: [deny, { ...users, accessType: 'READ', fields: { read: ['*', '-unread'] } }, { ...users, accessType: 'WRITE' }]
  }
})

for (const store of new Set(['memory', ...storeNames])) {
  tap.test(`${store}: S-145 no write tells whether a value is right that its caller may not see`, { timeout: 60_000 }, async t => {
    // Seen to fail: writableByClient of sync and callAs of acl/acting without "reads", judged of client-values without
    // isSeen: right guesses were 200 or 204, wrong ones 403 or 422
    const server = await attack(t, served(t, { readOnlyProperties: 'refuse', bulk: true }), store)
    const { id: userId, token } = await join(server, 'ben')
    const loose = server.models as Loose
    await loose.Note.create({ id: 'a', text: 't', salary: 4321, code: 'x1' })
    await loose.Card.create({ id: 'a', text: 't', pin: 4321, once: 4321, unread: 4321, shown: 4321 })
    const send = async (verb: string, path: string, json: object): Promise<Answer> =>
      await server.send(verb, path, { token, json })
    const rev = createHash('sha1').update(JSON.stringify({ id: 'a', text: 't' })).digest('hex')
    const change = { modelName: 'Note', modelId: 'a', rev: 'z', prev: rev }
    const mine = loose.Note.registry.as({ user: userId }).Note
    const before = await server.rows('Note', 'Card')
    const told = async (guess: number): Promise<unknown[]> => [
      (await send('PATCH', '/Notes/a', { salary: guess })).code,
      (await send('PUT', '/Notes/a', { id: 'a', text: 't', salary: guess })).code,
      (await send('POST', '/Notes/bulk-update', { updates: [{ type: 'update', data: { id: 'a', salary: guess }, change }] })).code,
      ((await send('POST', '/Notes/sync/push', { id: `p${guess}`, changes: [{ id: 'a', base: rev, fields: { salary: guess } }] }))
        .body as Loose).results[0].error?.code,
      ((await send('POST', '/Notes/sync/push', { id: `q${guess}`, changes: [{ id: 'a', base: rev, data: { id: 'a', text: 't', salary: guess } }] }))
        .body as Loose).results[0].error?.code,
      await mine.patchById('a', { salary: guess }).then(() => undefined, ({ code }: Loose) => code),
      await mine.replaceById('a', { id: 'a', text: 't', salary: guess }).then(() => undefined, ({ code }: Loose) => code)
    ]
    for (const guess of [4321, 1]) t.same(new Set(await told(guess)), new Set(['FIELD_NOT_WRITABLE']), String(guess))
    for (const name of ['pin', 'once', 'unread']) {
      for (const guess of [4321, 1]) t.equal((await send('PATCH', '/Cards/a', { [name]: guess })).status, 422, `${name} ${guess}`)
    }
    for (const code of ['x1', 'x2']) {
      t.equal((await send('PUT', '/Notes/bulk', { rows: [{ id: 'b', text: 'n', code }], by: ['code'] })).code, 'INVALID_BULK', code)
    }
    t.equal(await server.rows('Note', 'Card'), before)
    t.equal((await send('PATCH', '/Cards/a', { shown: 4321, text: 'u' })).status, 200, 'control: what a response showed is no change')
    t.equal((await send('PATCH', '/Cards/a', { shown: 1 })).status, 422, 'control')
    t.equal((await send('PATCH', '/Notes/a', { text: 'u' })).status, 200, 'control')
  })
}
