/** One suite for all stores (SYD-30, SYD-31). */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import 'fake-indexeddb/auto'
import { IDBObjectStore } from 'fake-indexeddb'
import t from 'tap'
import { encoded, memoryStore, type Store } from '@fastback/client'
import { indexedDbStore } from '@fastback/client/indexeddb'
import { sqliteStore } from '@fastback/client/sqlite'

const folder = mkdtempSync(path.join(tmpdir(), 'fastback-client-'))
t.teardown(async () => { await rm(folder, { recursive: true }) })

/** Each gives the same store opened twice: two tabs, two processes. */
const kinds: Record<string, () => [Store, Store]> = {
  memory: () => { const store = memoryStore(); return [store, store] },
  indexeddb: () => [indexedDbStore({ name: 'suite' }), indexedDbStore({ name: 'suite' })],
  sqlite: () => {
    const file = path.join(folder, 'suite.db')
    return [sqliteStore({ database: new DatabaseSync(file) }), sqliteStore({ database: new DatabaseSync(file) })]
  },
  encoded: () => {
    const codec = {
      encode: async (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64'),
      decode: async (kept: unknown) => JSON.parse(Buffer.from(kept as string, 'base64').toString()) as unknown
    }
    const store = memoryStore()
    return [encoded(store, codec), encoded(store, codec)]
  }
}

for (const [kind, make] of Object.entries(kinds)) {
  t.test(kind, async t => {
    const [store, other] = make()
    await store.open()
    await other.open()
    t.teardown(async () => { await other.close() })

    t.equal(await store.revision(), 0)
    t.equal(await store.get('a', 1), undefined)
    t.equal(await store.write(0, [
      { table: 'a', key: 'b', value: { text: 'ü', list: [1, null] } },
      { table: 'a', key: 10, value: 'ten' },
      { table: 'a', key: '10', value: 'text' },
      { table: 'a', key: 9.5, value: false },
      { table: 'b', key: 1, value: 'other table' }
    ]), true)
    t.equal(await other.revision(), 1, 'the other sees it')
    t.same(await other.get('a', 'b'), { text: 'ü', list: [1, null] })

    t.equal(await other.write(0, [{ table: 'a', key: 'x', value: 1 }]), false, 'upon an old revision')
    t.equal(await store.get('a', 'x'), undefined)
    const both = await Promise.all([store, other].map(async each => await each.write(1, [{ table: 'c', key: 'x', value: 1 }])))
    t.same(both.sort(), [false, true], 'of two at once one is first')

    const all = await store.list('a')
    t.same(all.map(([key]) => key), [9.5, 10, '10', 'b'], 'in the order of keys, numbers first')
    t.same(await store.list('a', { limit: 2 }), [[9.5, false], [10, 'ten']])
    t.same(await store.list('a', { after: 10, limit: 1 }), [['10', 'text']])
    t.same(await store.list('a', { after: 'b' }), [])
    const units = ['', 'a', 'a\0', 'é', '😀', '\ufb00'].map(key => ({ table: 'd', key, value: 1 }))
    await store.write(2, [...units].reverse())
    t.same((await store.list('d')).map(([key]) => key), units.map(({ key }) => key), 'by code units')

    await store.write(3, [{ table: 'a', key: 'b', value: undefined }, { table: 'a', key: 10, value: 'new' }])
    t.same((await other.list('a')).map(([, value]) => value), [false, 'new', 'text'])
    const circle: Record<string, unknown> = {}
    circle.self = () => circle
    circle.big = 1n
    await t.rejects(store.write(4, [{ table: 'a', key: 1, value: 'half' }, { table: 'a', key: 2, value: circle }]))
    t.equal(await store.get('a', 1), undefined, 'all or nothing')
    t.equal(await store.revision(), 4)

    await store.wipe()
    t.same(await other.list('a'), [], 'SYD-34: nothing is left')
    t.equal(await other.write(4, [{ table: 'a', key: 'late', value: 1 }]), false, 'nobody writes upon what was before')
    t.equal(await store.revision(), 5)
    await store.close()
  })
}

t.test('what is kept is what the codec makes', async t => {
  const inner = memoryStore()
  const store = encoded(inner, { encode: value => `secret ${JSON.stringify(value)}`, decode: kept => JSON.parse(String(kept).slice(7)) as unknown })
  await store.open()
  await store.write(0, [{ table: 'a', key: 1, value: { pin: '1' } }])
  t.equal(await inner.get('a', 1), 'secret {"pin":"1"}')
  t.same(await store.get('a', 1), { pin: '1' })
})

t.test('a full store says so, and keeps nothing of the write', async t => {
  const database = new DatabaseSync(path.join(folder, 'full.db'))
  const store = sqliteStore({ database })
  await store.open()
  database.exec('PRAGMA max_page_count = 8')
  await t.rejects(store.write(0, [{ table: 'a', key: 1, value: 'x' }, { table: 'a', key: 2, value: 'y'.repeat(100_000) }]), { code: 'QUOTA_EXCEEDED' })
  t.equal(await store.revision(), 0)
  t.equal(await store.get('a', 1), undefined)
  await store.close()

  const { prototype } = IDBObjectStore as unknown as { prototype: { put: (...given: unknown[]) => unknown } }
  const { put } = prototype
  t.teardown(() => { prototype.put = put })
  const browser = indexedDbStore({ name: 'full' })
  await browser.open()
  prototype.put = function (...given) {
    if (given[0] === 'too much') throw new DOMException('full', 'QuotaExceededError')
    return put.apply(this, given)
  }
  await t.rejects(browser.write(0, [{ table: 'a', key: 1, value: 'x' }, { table: 'a', key: 2, value: 'too much' }]), { code: 'QUOTA_EXCEEDED' })
  t.equal(await browser.get('a', 1), undefined)
  await browser.close()
})
