/** Pull and push of today on every store (SYD-20 to SYD-26). */
import t from 'tap'
import { serve, stores, type Loose } from './support.js'

const short = (changes: Loose[]): unknown[] =>
  changes.map(({ id, data, deleted, left }) => [id, data?.title ?? (deleted === true ? 'deleted' : left === true ? 'left' : null)])

for (const [name, open] of stores) {
  t.test(name, async t => {
    const scratch = await open(t)
    if (scratch === undefined) { t.comment(`no ${name} server`); return }
    const { models: { Note, Draft }, pull, push, post, get } = await serve(t, [
      { name: 'Note' },
      { name: 'Draft', sync: { merge: 'fields' } },
      { name: 'Theirs', plural: 'Theirs', sync: { conflict: 'server' } },
      { name: 'Mine', plural: 'Mine', sync: { conflict: 'client' } },
      { name: 'Both', plural: 'Both', sync: { conflict: 'fields' } }
    ], scratch)
    t.teardown(async () => { await scratch.remove() })

    let cursor = ''
    await t.test('SYD-20: all rows first, in pages, then what changed', async t => {
      await Note.create([{ id: 'a', title: '1', pin: 'PIN' }, { id: 'b', title: '2' }, { id: 'c', title: '3' }])
      const first = await get('/Notes/sync/pull?limit=2')
      t.equal(first.status, 200, first.text)
      t.match(first.body, { changes: { length: 2 }, more: true })
      t.notMatch(first.text, 'PIN', 'hidden properties never travel')
      t.match(first.body.changes[0], { id: 'a', rev: (await Note.findLastChange('a')).rev, data: { title: '1' } })
      const all = await pull('/Notes', undefined, { limit: 2 })
      t.same(short(all.changes), [['a', '1'], ['b', '2'], ['c', '3']])
      t.same((await pull('/Notes', all.cursor)).changes, [])
      await Note.updateAll({ id: 'a' }, { title: '1b' })
      await Note.updateAll({ id: 'a' }, { title: '1c' })
      await Note.destroyById('b')
      await Note.create({ id: 'd', title: '4' })
      const next = await pull('/Notes', all.cursor, { limit: 1 })
      t.same(short(next.changes).sort(), [['a', '1c'], ['b', 'deleted'], ['d', '4']])
      t.ok(next.changes.every(({ at }: Loose) => !Number.isNaN(Date.parse(at))))
      t.same((await pull('/Notes', next.cursor)).changes, [])
      cursor = next.cursor
    })

    await t.test('SYD-20: what was there before it was tracked comes as well', async t => {
      await Note.dataSource.connector.create(Note.compiled, { id: 'raw', title: 'unseen' }, {})
      t.ok((await pull('/Notes')).changes.some(({ id }: Loose) => id === 'raw'))
      await Note.destroyById('raw')
      cursor = (await pull('/Notes', cursor)).cursor
    })

    await t.test('SYD-21: a row that no longer fits the filter left', async t => {
      const filter = { where: { title: { like: '%' }, rank: null } }
      const begin = await pull('/Notes', undefined, { filter })
      t.same(short(begin.changes), [['a', '1c'], ['c', '3'], ['d', '4']])
      await Note.updateAll({ id: 'c' }, { rank: 1 })
      t.same(short((await pull('/Notes', begin.cursor, { filter })).changes), [['c', 'left']])
      const other = await get(`/Notes/sync/pull?after=${encodeURIComponent(begin.cursor)}`)
      t.match(other, { status: 400, body: { error: { code: 'BAD_CURSOR' } } }, 'another filter')
    })

    await t.test('SYD-20: cursors', async t => {
      const asked = async (after: string): Promise<Loose> => await get(`/Notes/sync/pull?after=${encodeURIComponent(after)}`)
      const [text = '', signature = ''] = cursor.split('.')
      const [phase, checkpoint] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, number]
      const altered = Buffer.from(JSON.stringify([phase, checkpoint - 1, null, ''])).toString('base64url')
      for (const bad of ['x', '', `${altered}.${signature}`, `${text}.`, `${text}.${signature}x`, '.'.repeat(5_000)]) {
        t.match(await asked(bad), { status: 400, body: { error: { code: 'BAD_CURSOR' } } }, bad.slice(0, 30))
      }
      t.match(await get(`/Drafts/sync/pull?after=${encodeURIComponent(cursor)}`), { status: 400 }, 'of another model')
      for (const query of ['limit=0', 'limit=1001', 'limit=1.5', 'limit=x', 'filter={"where":{"pin":"PIN"}}', 'filter={"limit":1}', 'filter=[]']) {
        t.equal((await get(`/Notes/sync/pull?${query}`)).status, 400, query)
      }
      await Note.create({ id: 'short', title: 'x' })
      const { cursor: before } = await pull('/Notes')
      await Note.destroyById('short')
      Note.settings.tombstoneTtl = -60
      await Note.rectifyAllChanges()
      delete Note.settings.tombstoneTtl
      await Note.create({ id: 'e', title: '5' })
      const old = await asked(before)
      t.match(old, { status: 410, body: { error: { code: 'CURSOR_EXPIRED' } } }, 'SYD-9: deletes since are forgotten')
    })

    await t.test('SYD-22: writes upon a revision', async t => {
      const [made] = await push('/Notes', [{ id: 'p', base: null, data: { title: 'p' } }])
      t.match(made, { id: 'p', ok: true, rev: (await Note.findLastChange('p')).rev })
      const again = await push('/Notes', [{ id: 'p', base: null, data: { title: 'q' } }])
      t.match(again, [{ id: 'p', conflict: { rev: made.rev, data: { title: 'p' } } }])
      const both = await push('/Notes', [
        { id: 'p', base: made.rev, data: { id: 'p', title: 'p2', rank: 7 } },
        { id: 'p', base: made.rev, data: { id: 'p', title: 'p3' } },
        { id: 'bad', base: null, data: { rank: 1 } },
        { id: 'gone', base: 'old', data: { title: 'x' } },
        { id: 'gone', base: 'old', deleted: true },
        { id: 'fine', base: null, data: { title: 'x' } }
      ])
      t.match(both, [
        { ok: true }, { conflict: { data: { title: 'p2' } } }, { error: { statusCode: 422, code: 'VALIDATION_FAILED' } },
        { conflict: { rev: null, deleted: true } }, { ok: true, rev: null }, { ok: true }
      ])
      const [whole] = await push('/Notes', [{ id: 'p', base: both[0].rev, data: { id: 'p', title: 'p4' } }])
      t.equal((await Note.findById('p')).rank ?? null, null, 'a whole row: what it does not say is gone')
      const [part] = await push('/Notes', [{ id: 'p', base: whole.rev, fields: { rank: 3 } }])
      t.match(await Note.findById('p'), { title: 'p4', rank: 3 })
      t.match(await push('/Notes', [{ id: 'p', base: 'old', fields: { rank: 4 } }]), [{ conflict: { rev: part.rev } }])
      t.match(await push('/Notes', [{ id: 'p', base: part.rev, deleted: true }]), [{ ok: true, rev: null }])
      t.equal(await Note.findById('p'), null)
    })

    await t.test('SYD-22: sent again under its key, a push is answered again', async t => {
      const body = { changes: [{ id: 'k', base: null, data: { title: 'k' } }] }
      const headers = { 'idempotency-key': 'one' }
      const first = await post('/Notes/sync/push', body, headers)
      t.match(first, { status: 200, body: { results: [{ ok: true }] } }, first.text)
      t.same((await post('/Notes/sync/push', body, headers)).body, first.body)
      await Note.updateAll({ id: 'k' }, { title: 'by another' })
      const { rev } = await Note.findLastChange('k')
      // Seen to fail: push.ts without asOfNow, whose answer takes a replica back that pulled the row since.
      t.match((await post('/Notes/sync/push', body, headers)).body.results, [{ ok: true, rev, data: { title: 'by another' } }])
      t.equal((await Note.findById('k')).title, 'by another', 'and not done again')
      t.match(await post('/Notes/sync/push', { changes: [] }, headers), { status: 422, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } })
      const several = await Promise.all([1, 2, 3].map(async () =>
        await post('/Notes/sync/push', { changes: [{ id: 'k2', base: null, data: { title: 'k2' } }] }, { 'idempotency-key': 'two' })))
      t.ok(several.every(({ body }) => body.results[0].ok === true), 'at once, too')
    })

    await t.test('SYD-22: all or none', async t => {
      const body = {
        atomic: true,
        changes: [{ id: 't1', base: null, data: { title: '1' } }, { id: 'k', base: 'old', data: { title: '2' } }, { id: 't3', base: null, data: { title: '3' } }]
      }
      const answer = await post('/Notes/sync/push', body)
      if (Note.dataSource.connector.transactions === undefined) {
        t.match(answer, { status: 422, body: { error: { code: 'ATOMIC_NOT_SUPPORTED' } } })
        return
      }
      t.match(answer.body.results, [{ id: 't1', skipped: true }, { id: 'k', conflict: {} }, { id: 't3', skipped: true }])
      t.equal(await Note.findById('t1'), null, 'nothing was written')
      const fine = await post('/Notes/sync/push', { ...body, changes: body.changes.filter(({ id }) => id !== 'k') })
      t.match(fine.body.results, [{ ok: true }, { ok: true }])
      t.equal(await Note.count({ id: { inq: ['t1', 't3'] } }), 2)
    })

    await t.test('SYD-22: what is no push', async t => {
      const bad: unknown[] = [
        {}, { changes: {} }, { changes: [{}] }, { changes: [{ id: { gt: '' }, deleted: true }] }, { changes: [{ id: 'a' }] },
        { changes: [{ id: 'a', base: {}, deleted: true }] }, { changes: [{ id: 'a', data: [] }] },
        { changes: [{ id: 'a', data: {}, deleted: true }] }, { changes: [{ id: 'a', deleted: false }] },
        { changes: [{ id: 'a', base: null, fields: {} }] }, { changes: [], atomic: 'yes' }, { changes: [], version: 'x' }
      ]
      for (const body of bad) t.match(await post('/Notes/sync/push', body), { status: /^(400|422)$/ }, JSON.stringify(body))
      const many = { changes: Array.from({ length: 1_001 }, (_, i) => ({ id: `m${i}`, deleted: true })) }
      t.match(await post('/Notes/sync/push', many), { status: 413, body: { error: { code: 'TOO_MANY_CHANGES' } } })
    })

    await t.test('SYD-22, SYD-24: merges of properties, and whose row stays', async t => {
      const start = async (path: string): Promise<string> => {
        const [made] = await push(path, [{ id: 'm', base: null, data: { title: 't', rank: 1 } }])
        await push(path, [{ id: 'm', base: made.rev, fields: { title: 'server' } }])
        return made.rev
      }
      const base = await start('/Drafts')
      t.match(await push('/Drafts', [{ id: 'm', base, fields: { rank: 2 } }]), [{ ok: true, resolved: 'fields', data: { title: 'server', rank: 2 } }])
      t.match(await push('/Drafts', [{ id: 'm', base, fields: { title: 'client' } }]), [{ conflict: { data: { title: 'server' } } }], 'one that overlaps')
      t.match(await push('/Drafts', [{ id: 'm', base, data: { id: 'm', title: 't', rank: 5 } }]), [{ conflict: {} }], 'whole rows are not merged')
      const ofBoth = await start('/Both')
      t.match(await push('/Both', [{ id: 'm', base: ofBoth, data: { id: 'm', title: 't', rank: 5 } }]), [{ ok: true, resolved: 'fields', data: { title: 'server', rank: 5 } }])
      const ofTheirs = await start('/Theirs')
      t.match(await push('/Theirs', [{ id: 'm', base: ofTheirs, fields: { title: 'client' } }]), [{ ok: true, resolved: 'server', data: { title: 'server' } }])
      const ofMine = await start('/Mine')
      t.match(await push('/Mine', [{ id: 'm', base: ofMine, fields: { title: 'client' } }]), [{ ok: true, resolved: 'client', data: { title: 'client' } }])
    })

    await t.test('SYD-25: several models in one call', async t => {
      const { status, body, text } = await post('/sync/pull', { models: { Note: null, Draft: null }, filters: { Note: { where: { id: 'k' } } } })
      t.equal(status, 200, text)
      t.same(body.models.Note.changes.map(({ id }: Loose) => id), ['k'])
      t.same(body.models.Draft.changes.map(({ id }: Loose) => id), ['m'])
      t.equal((await post('/sync/pull', { models: { 'Note-change': null } })).status, 404)
      t.equal((await post('/sync/pull', { models: { __proto__: null, constructor: null } })).status, 404)
      t.match(await post('/sync/pull', {}), { status: /^(400|422)$/ })
    })

    await t.test('SYD-25: several models are of one moment', async t => {
      // Others have no such moments; in MongoDB a change may come after its row.
      if (Note.dataSource.connector.holdsLocks !== true) return
      await Note.destroyAll()
      await Draft.destroyAll()
      const writing = { isOver: false }
      const write = async (title: string): Promise<void> => await Note.dataSource.transaction(async (models: Loose) => {
        await models.Draft.patchOrCreate({ id: 'pair', title })
        await models.Note.patchOrCreate({ id: 'pair', title })
      }, { retry: true })
      const writer = (async () => {
        for (let i = 0; i < 60; i++) await write(`pair ${String(i)}`)
      })().finally(() => { writing.isOver = true })
      const seen: Loose = {}
      const torn: string[] = []
      let models: Loose = { Note: null, Draft: null }
      for (let last = false; !last;) {
        last = writing.isOver
        const { status, body, text } = await post('/sync/pull', { models })
        t.equal(status, 200, text)
        for (const [name, { changes, cursor }] of Object.entries<Loose>(body.models)) {
          for (const { id, data } of changes) if (id === 'pair') seen[name] = data?.title
          models = { ...models, [name]: cursor }
        }
        if (seen.Note !== seen.Draft) torn.push(`${String(seen.Note)}, ${String(seen.Draft)}`)
      }
      await writer
      t.same(torn, [])
      t.same(seen, { Note: 'pair 59', Draft: 'pair 59' })
      await Draft.destroyAll()
    })

    await t.test('SYD-20: whoever is told that there is no more has what was written before', async t => {
      await Note.destroyAll()
      await Note.create([{ id: 'k', title: '1' }, { id: 'l', title: '2' }, { id: 'm', title: '3' }])
      const first = (await get('/Notes/sync/pull?limit=2')).body
      t.equal(first.more, true)
      await Note.create({ id: 'a', title: 'before them' })
      await Note.updateAll({ id: 'k' }, { title: 'once more' })
      const { changes } = await pull('/Notes', first.cursor, { limit: 2 })
      t.same(short(changes).sort(), [['a', 'before them'], ['k', 'once more'], ['m', '3']])
    })

    await t.test('SYD-9: a delete that is forgotten while somebody pulls is not missed', async t => {
      await Note.destroyAll()
      await Note.create({ id: 'gone', title: '1' })
      const { cursor } = await pull('/Notes')
      await Note.destroyById('gone')
      const { connector } = Note.getChangeModel().compiled
      const find = connector.find.bind(connector)
      Note.settings.tombstoneTtl = -60
      t.teardown(() => {
        delete connector.find
        delete Note.settings.tombstoneTtl
      })
      /** All is forgotten just before the change list is read for the nth time. */
      const forgetBefore = (nth: number): void => {
        let reads = 0
        connector.find = async (model: Loose, ...rest: Loose[]) => {
          if (model.name === 'Note-change' && ++reads === nth) {
            delete connector.find
            await Note.rectifyAllChanges()
          }
          return await find(model, ...rest)
        }
      }
      // The first time to find out whether anything is new.
      forgetBefore(2)
      const answer = await get(`/Notes/sync/pull?after=${encodeURIComponent(cursor)}`)
      t.match(answer, { status: 410, body: { error: { code: 'CURSOR_EXPIRED' } } })
      await Note.create([{ id: 'gone', title: '1' }, { id: 'old', title: '1' }])
      const { seq } = await Note.checkpoint()
      await Note.destroyById('gone')
      forgetBefore(1)
      t.same((await Note.changes(seq, {})).map(({ modelId }: Loose) => modelId), ['old'], 'as if from the beginning')
    })

    await t.test('SYD-22: a write whose row is deleted at whatever moment is a conflict, never a success', async t => {
      const { connector } = Note.dataSource
      const outcomes = new Set<string>()
      const saved = new Set<string>()
      Note.observe('after save', async ({ instance }: Loose) => { if (instance?.title === 'second') saved.add(instance.id) })
      for (let moment = 1; moment <= 8; moment++) {
        const id = `deleted-${String(moment)}`
        await Note.create({ id, title: 'first' })
        const { rev: base } = await Note.findLastChange(id)
        let reads = 0
        const original = connector.findById
        connector.findById = async function (model: Loose, asked: unknown, ...rest: unknown[]) {
          if (model.name === 'Note' && asked === id && ++reads === moment) {
            connector.findById = original
            await Note.destroyById(id)
          }
          return await original.call(connector, model, asked, ...rest)
        }
        const [result] = await push('/Notes', [{ id, base, data: { id, title: 'second' } }])
        connector.findById = original
        outcomes.add(result.ok === true ? 'written' : 'conflict')
        t.equal(result.ok === true, saved.has(id), `read ${String(moment)}`)
        if (result.ok !== true) t.same(result.conflict, { rev: null, deleted: true }, `read ${String(moment)}`)
      }
      t.ok(outcomes.has('conflict'))
    })

    await t.test('SYD-20: no change is skipped, whoever writes meanwhile', async t => {
      const ids = Array.from({ length: 40 }, (_, i) => `gap${i}`)
      const seen = new Set<string>()
      let { cursor } = await pull('/Notes')
      const writing = { isOver: false }
      const writers = Promise.all([0, 1, 2, 3].map(async part => {
        for (const id of ids.filter((_, i) => i % 4 === part)) await Note.create({ id, title: id })
      })).finally(() => { writing.isOver = true })
      const look = async (): Promise<void> => {
        const page = await pull('/Notes', cursor, { limit: 3 })
        for (const { id } of page.changes) seen.add(id)
        cursor = page.cursor
      }
      while (!writing.isOver) await look()
      await writers
      await look()
      t.same(ids.filter(id => !seen.has(id)), [])
    })
  })
}
