/** Versions of a row from when it was somebody else's, was not public yet, or was another row with its id: S-140. */
import tap from 'tap'
import { join } from './clients.js'
import { appWith } from './folders.js'
import { attack, storeNames, type Answer, type Row } from './harness.js'

type Loose = any

const users = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }
const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const note = {
  history: true,
  forceId: false,
  properties: { id: { type: 'string', id: true }, text: 'string', ownerId: 'number', isPublic: 'boolean' },
  relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } }
}
const models = {
  /** Rules say which rows. */
  Note: {
    ...note,
    acls: [
      deny,
      { ...users, accessType: 'READ', rows: { or: [{ ownerId: '$user.id' }, { isPublic: true }] } },
      { ...users, accessType: 'WRITE', rows: { ownerId: '$user.id' }, check: {} }
    ]
  },
  /** Rules name the owner, as in LoopBack. */
  Letter: { ...note, acls: [deny, { ...users, property: 'create' }, { ...users, principalId: '$owner' }] }
}
const everyone = (...property: string[]): object => ({ ...deny, property })
/** Open, but for what a rule names. */
const second = {
  ...note, softDelete: true, acls: [] as object[]
}
Object.assign(models, {
  Unread: { ...second, acls: [everyone('findById')] },
  Unchanged: {
    ...second, acls: [everyone('patchAttributes', 'replaceById', 'patchOrCreate', 'replaceOrCreate', 'upsertWithWhere')]
  },
  Unrestored: { ...second, acls: [everyone('restore')] }
})
const served = appWith(models)

for (const store of new Set(['memory', ...storeNames])) {
  for (const path of ['/Notes', '/Letters']) {
    tap.test(`${store}: S-140 whose a row is now says nothing of what it was: ${path}`, { timeout: 60_000 }, async t => {
      // Seen to fail: seenStates of core/history that is true of every state; for /Letters, one without the row guard
      const server = await attack(t, served(t, {}), store)
      const ann = await join(server, 'ann')
      const ben = await join(server, 'ben')
      type Asking = (verb: string, at: string, json?: object) => Promise<Answer>
      const as = ({ token }: { readonly token: string }): Asking => async (verb, at, json) =>
        await server.send(verb, `${path}${at}`, { token, ...json === undefined ? {} : { json } })
      const [asAnn, asBen] = [as(ann), as(ben)]
      const versions = ({ body }: Answer): unknown[] =>
        (body as Row[]).map(({ version, before, after }) => [version, before === null, after === null])

      // The id of a row that is gone is taken by somebody else.
      t.equal((await asAnn('POST', '', { id: 'a', text: 'hush', ownerId: ann.id })).status, 200)
      t.match(await asBen('GET', '/a/history'), { status: path === '/Notes' ? 404 : 401 })
      t.equal((await asAnn('DELETE', '/a')).status, 200)
      t.equal((await asBen('POST', '', { id: 'a', text: 'of ben', ownerId: ben.id })).status, 200)
      const taken = await asBen('GET', '/a/history')
      t.same(versions(taken), [[3, true, false]])
      t.notMatch(taken.text, /hush/)
      for (const version of [1, 2, 9]) {
        t.match(await asBen('POST', '/a/revert', { version }), { status: 404, code: 'VERSION_NOT_FOUND' })
      }
      t.match(await asBen('GET', '/a'), { body: { text: 'of ben', ownerId: ben.id } })

      // A row is handed on: the state that the new owner got it in is the first that they see.
      await asAnn('POST', '', { id: 'b', text: 'hush', ownerId: ann.id })
      t.equal((await asAnn('PATCH', '/b', { text: 'for ben', ownerId: ben.id })).status, 200)
      t.equal((await asBen('PATCH', '/b', { text: 'mine' })).status, 200)
      const handed = await asBen('GET', '/b/history')
      t.same(versions(handed), [[2, true, false], [3, false, false]])
      t.notMatch(handed.text, /hush/)
      t.equal((await asBen('POST', '/b/revert', { version: 1 })).status, 404)
      t.match(await asBen('POST', '/b/revert', { version: 2 }), { status: 200, body: { text: 'for ben' } })

      // Control: one's own row, from its beginning.
      await asAnn('POST', '', { id: 'c', text: 'first', ownerId: ann.id })
      await asAnn('PATCH', '/c', { text: 'second' })
      t.same(versions(await asAnn('GET', '/c/history')), [[1, true, false], [2, false, false]])
      t.match(await asAnn('POST', '/c/revert', { version: 1 }), { status: 200, body: { text: 'first' } })
    })
  }

  tap.test(`${store}: S-140 a draft is in no version of what was published`, { timeout: 60_000 }, async t => {
    // Seen to fail: seenStates of core/history that is true of every state
    const server = await attack(t, served(t, {}), store)
    const ann = await join(server, 'ann')
    const ben = await join(server, 'ben')
    await server.send('POST', '/Notes', { token: ann.token, json: { id: 'a', text: 'hush', ownerId: ann.id, isPublic: false } })
    await server.send('PATCH', '/Notes/a', { token: ann.token, json: { text: 'for all', isPublic: true } })
    const history = async (token: string): Promise<Answer> => await server.send('GET', '/Notes/a/history', { token })
    t.match((await history(ann.token)).text, /hush/)
    t.match(await history(ben.token), { status: 200, body: [{ version: 2, before: null, after: { text: 'for all' } }] })
    t.notMatch((await history(ben.token)).text, /hush/)
  })

  tap.test(`${store}: S-140 S-98 who may not read, change or restore a row does not by its history`, { timeout: 60_000 }, async t => {
    // Seen to fail: mustMayRevert of core/history that returns at once; seenStates that does not ask for findById
    const server = await attack(t, served(t, {}), store)
    const made = async (name: string): Promise<string> => {
      const Model = server.models[name] as Loose
      const row = await Model.create({ id: 'a', text: 'hush' })
      await row.updateAttributes({ text: 'now' })
      return `/${String(Model.pluralModelName)}/a`
    }
    const unread = await made('Unread')
    t.match(await server.send('GET', `${unread}/history`), { status: 404, code: 'MODEL_NOT_FOUND' })
    t.match(await server.send('POST', `${unread}/revert`, { json: { version: 1 } }), { status: 404, code: 'MODEL_NOT_FOUND' })
    const unchanged = await made('Unchanged')
    t.match(await server.send('GET', `${unchanged}/history`), { status: 200 })
    t.match(await server.send('POST', `${unchanged}/revert`, { json: { version: 1 } }), { status: 403, code: 'REVERT_REFUSED' })
    const unrestored = await made('Unrestored')
    t.match(await server.send('POST', `${unrestored}/revert`, { json: { version: 1 } }), { status: 200 }, 'a row that is there')
    await server.send('DELETE', unrestored)
    t.match(await server.send('POST', `${unrestored}/revert`, { json: { version: 1 } }), { status: 403, code: 'REVERT_REFUSED' })
    t.match(await server.send('GET', unrestored), { status: 404 })
  })
}
