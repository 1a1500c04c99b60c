/** Change tracking on every store: what is written with a row, and what is not. */
import t, { type Test } from 'tap'
import { ModelRegistry } from '@fastback/core'
import { installSync } from '@fastback/sync'
import { dataSourceOf, noteProperties as properties, stores, type Loose, type Scratch } from './support.js'

async function start (t: Test, scratch: Scratch): Promise<Loose> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', dataSourceOf(scratch))
  for (const name of ['Note', 'Copy']) {
    registry.defineModel({ name, trackChanges: true, strict: true, hidden: ['pin'], properties } as Loose)
    registry.attach(name, 'db')
  }
  installSync(registry)
  await registry.start()
  t.teardown(async () => { await registry.stop() })
  return registry.models
}

for (const [name, open] of stores) {
  t.test(name, async t => {
    const scratch = await open(t)
    if (scratch === undefined) { t.comment(`no ${name} server`); return }
    const { Note, Copy } = await start(t, scratch)
    // Before the registry stops: nothing is left behind.
    t.teardown(async () => { await scratch.remove() })
    const last = async (id: string): Promise<Loose> => await Note.findLastChange(id)

    await t.test('SY-21, SY-23: a change has the revision of its row, hidden properties left out', async t => {
      await Note.create({ id: 'a', title: 'one', pin: '1234' })
      const change = await last('a')
      t.equal(change.rev, Note.getChangeModel().revisionForInst(await Note.findById('a')))
      await Note.updateAll({ id: 'a' }, { pin: '99' })
      t.equal((await last('a')).rev, change.rev, 'SY-64: a hidden property is no change')
      const [update] = await Note.createUpdates([{ modelId: 'a', rev: 'x' }])
      t.notOk('pin' in update.data, 'SYD-4: it does not travel')
    })

    await t.test('SY-27: updateAll and deleteAll are told row by row, all of them or none', async t => {
      await Note.create([{ id: 'b', title: 'x', rank: 1 }, { id: 'c', title: 'x', rank: 2 }, { id: 'd', title: 'y', rank: 3 }])
      const before = await last('d')
      const { seq } = await Note.checkpoint()
      await Note.updateAll({ title: 'x' }, { title: 'z' })
      t.same((await Note.changes(seq, {})).map(({ modelId }: Loose) => modelId).sort(), ['b', 'c'])
      t.same(await last('d'), before)
      await Note.destroyAll({ rank: { gt: 1 } })
      t.equal((await last('c')).rev, null)
      t.equal((await last('d')).type ?? Note.getChangeModel().DELETE, 'delete')
    })

    await t.test('SYD-1: a write that is taken back leaves no change', async t => {
      const observer = async (): Promise<void> => { throw new Error('no') }
      Note.observe('after save', observer)
      await t.rejects(Note.create({ id: 'undone', title: 'x' }), /no/)
      Note.removeObserver('after save', observer)
      const row = await Note.findById('undone')
      t.equal(await last('undone') === null, row === null, 'a change is there exactly when its row is')
    })

    await t.test('SYD-1: a change that cannot be written fails the write', async t => {
      const { Change } = Note
      const connector = (Note.dataSource as { store: Loose }).store
      const { create, together } = connector
      const full = (): never => { throw new Error('full') }
      connector.create = full
      if (together !== undefined) connector.together = { create: full, put: full }
      try {
        await t.rejects(Note.create({ id: 'failed', title: 'x' }), /full/)
      } finally {
        connector.create = create
        delete connector.create
        if (together !== undefined) connector.together = together
      }
      t.equal(await Note.findById('failed'), null)
      t.ok(Change)
    })

    await t.test('what is noted of a change is not seen by code of applications, and stays when it writes', async t => {
      const Change = Note.getChangeModel()
      await Note.create({ id: 'noted', title: 'x' })
      const id = Change.idForModel('Note', 'noted')
      const stored = async (): Promise<Loose> =>
        await Note.dataSource.store.findById(Change.compiled, id, Change.compiled.selectStored, {})
      const before = await stored()
      t.equal(new Date(before._at).toISOString(), before._at)
      t.same(before._kept, {})
      const names = ['_at', '_kept', '_trail']
      const change = await Change.findById(id)
      const [found] = await Change.find({ where: { id } })
      for (const seen of [change.toObject(), found.toObject(), Change.definition.properties]) {
        t.same(names.filter(name => seen[name] !== undefined), [])
      }
      change.prev = 'earlier'
      await change.save()
      t.same(await stored(), { ...before, prev: 'earlier' }, 'saved')
      const changed = await change.updateAttributes({ prev: 'still earlier' })
      t.same(names.filter(name => changed.toObject()[name] !== undefined), [])
      const { prev: _, ...others } = await stored()
      const { rev, checkpoint } = before
      const replaced = await Change.replaceById(id, { rev, checkpoint, modelName: 'Note', modelId: 'noted' })
      t.equal(replaced.prev ?? null, null)
      const { prev, ...left } = await stored()
      t.equal(prev ?? null, null, 'a replacing row takes away what it lacks')
      t.same(left, others, 'but the note')
    })

    await t.test('SYD-7: no two callers get the same checkpoint', async t => {
      const numbers = (await Promise.all(Array.from({ length: 8 }, async () => await Note.checkpoint())))
        .map(({ seq }) => seq as number)
      t.equal(new Set(numbers).size, 8)
      t.equal(await Note.currentCheckpoint(), Math.max(...numbers))
    })

    await t.test('SYD-7: no write falls between two lists', async t => {
      let since: number = await Note.currentCheckpoint()
      const seen = new Set<string>()
      const writing = { isOver: false }
      const ids = Array.from({ length: 40 }, (_, i) => `gap${i}`)
      const writers = Promise.all([0, 1, 2, 3].map(async part => {
        for (const id of ids.filter((_, i) => i % 4 === part)) await Note.create({ id, title: id })
      })).then(() => { writing.isOver = true })
      const look = async (): Promise<void> => {
        const { seq } = await Note.checkpoint()
        for (const { modelId } of await Note.changes(since, {})) seen.add(modelId)
        since = seq
      }
      while (!writing.isOver) await look()
      await writers
      await look()
      t.same(ids.filter(id => !seen.has(id)), [])
    })

    await t.test('SY-60 to SY-63: replication carries rows, deletes and conflicts', async t => {
      await Note.destroyAll()
      await Note.create([{ id: 'r1', title: '1', pin: 's' }, { id: 'r2', title: '2' }])
      const first = await Note.replicate(-1, Copy)
      t.same(first, [])
      t.same((await Copy.find({ order: 'id' })).map((row: Loose) => [row.id, row.title, row.pin ?? null]),
        [['r1', '1', null], ['r2', '2', null]])
      await Note.destroyById('r1')
      await Note.updateAll({ id: 'r2' }, { title: 'note' })
      await Copy.updateAll({ id: 'r2' }, { title: 'copy' })
      const second = await Note.replicate(first.checkpoints, Copy)
      t.same(second.map(({ modelId }: Loose) => modelId), ['r2'])
      t.same((await Copy.find()).map(({ id }: Loose) => id), ['r2'], 'the delete was carried')
      t.equal(await second[0].type(), 'update')
      await second[0].resolve()
      t.same([...await Note.replicate(first.checkpoints, Copy)], [])
      t.equal((await Copy.findById('r2')).title, 'note', 'SY-71: the row of the source')
    })

    await t.test('SY-53: of two instructions on one revision one is a conflict', async t => {
      await Note.create({ id: 'race', title: 'start' })
      const { rev } = await last('race')
      const update = (title: string): object => ({ type: 'update', change: { modelId: 'race', rev: title, prev: rev }, data: { title } })
      const results = await Promise.allSettled(['p', 'q', 'r'].map(async title => await Note.bulkUpdate([update(title)])))
      t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const result of results) if (result.status === 'rejected') t.equal(result.reason.statusCode, 409)
    })

    await t.test('SY-28, SYD-3: what went unseen is found again', async t => {
      const { connector } = Note.dataSource
      await connector.create(Note.compiled, { id: 'raw', title: 'unseen' }, {})
      await Note.rectifyAllChanges()
      t.equal(await last('raw'), null, 'rows without a change are not looked at')
      await Note.rebuildChanges()
      t.match(await last('raw'), { modelId: 'raw' })
    })

    await t.test('SYD-9: tombstones end, and a list from before them is whole', async t => {
      await Note.create({ id: 'gone', title: 'x' })
      const { seq } = await Note.checkpoint()
      await Note.destroyById('gone')
      t.equal((await last('gone')).rev, null)
      Note.settings.tombstoneTtl = -60
      await Note.rectifyAllChanges()
      t.equal(await last('gone'), null)
      t.same((await Note.changes(seq, {})).length, (await Note.changes(-1, {})).length, 'as if from the beginning')
    })
  })
}
