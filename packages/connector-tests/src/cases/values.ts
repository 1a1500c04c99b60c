import type { KeyValueSupport, StoredModel } from '@fastback/core'
import { setTimeout as wait } from 'node:timers/promises'
import type { SuiteStore } from '../store.js'
import type { SuiteCase } from '../suite-case.js'

const of = (store: SuiteStore): { kv: KeyValueSupport, cache: StoredModel, other: StoredModel } => ({
  kv: store.connector.keyValue as KeyValueSupport, cache: store.model('Cache'), other: store.model('Other')
})

const sortedKeys = async (kv: KeyValueSupport, model: StoredModel, match?: string): Promise<string[]> => {
  const keys = []
  for await (const key of kv.keys(model, match)) keys.push(key)
  return keys.sort()
}

/** Waits until a key is gone, in steps: a store may be late, but not by half a minute. */
const untilGone = async (kv: KeyValueSupport, model: StoredModel, key: string): Promise<void> => {
  for (let left = 3000; left > 0 && await kv.get(model, key) !== undefined; left--) await wait(10)
}

/** Keys that a store could take for patterns, paths or parts of its own names. */
const oddKeys = ['a1', 'a2', 'b1', 'a%', 'a_', 'a*', 'a?', 'a[12]', 'a\\1', 'é1', '😀1', 'x:y/z']

export const valueCases: readonly SuiteCase[] = [
  {
    name: 'values come back as they were',
    async run (t, store) {
      const { kv, cache } = of(store)
      for (const value of ['text', '', 0, -1.5, false, true, null, [1, null], { a: { b: 'é' } }]) {
        await kv.set(cache, 'k', value, undefined)
        t.strictSame(await kv.get(cache, 'k'), value)
      }
    }
  },
  {
    name: 'nobody else holds what is stored',
    async run (t, store) {
      const { kv, cache } = of(store)
      const given = { list: [1] }
      await kv.set(cache, 'own', given, undefined)
      given.list.push(2)
      const read = await kv.get(cache, 'own') as typeof given
      read.list.push(3)
      t.strictSame(await kv.get(cache, 'own'), { list: [1] })
    }
  },
  {
    name: 'a key that is not there',
    async run (t, store) {
      const { kv, cache } = of(store)
      t.equal(await kv.get(cache, 'none'), undefined)
      t.equal(await kv.ttl(cache, 'none'), undefined)
      t.equal(await kv.expire(cache, 'none', 1000), false)
      t.equal(await kv.delete(cache, 'none'), false)
      t.strictSame(await sortedKeys(kv, cache), [])
    }
  },
  {
    name: 'keys are removed one by one',
    async run (t, store) {
      const { kv, cache } = of(store)
      await kv.set(cache, 'a', 1, undefined)
      await kv.set(cache, 'b', 2, undefined)
      t.equal(await kv.delete(cache, 'a'), true)
      t.equal(await kv.delete(cache, 'a'), false)
      t.equal(await kv.get(cache, 'a'), undefined)
      t.equal(await kv.get(cache, 'b'), 2)
    }
  },
  {
    name: 'models have keys of their own',
    async run (t, store) {
      const { kv, cache, other } = of(store)
      await kv.set(cache, 'k', 'cache', undefined)
      t.equal(await kv.get(other, 'k'), undefined)
      await kv.set(other, 'k', 'other', undefined)
      await kv.deleteAll(cache)
      t.strictSame(await sortedKeys(kv, cache), [])
      t.equal(await kv.get(other, 'k'), 'other')
    }
  },
  {
    name: 'values whose time is over are gone',
    async run (t, store) {
      const { kv, cache } = of(store)
      await kv.set(cache, 'long', 1, 600_000)
      await kv.set(cache, 'kept', 1, 40)
      await kv.set(cache, 'kept', 2, undefined)
      await kv.set(cache, 'later', 1, undefined)
      t.equal(await kv.ttl(cache, 'later'), null, 'it stays')
      t.equal(await kv.expire(cache, 'later', 40), true)
      await kv.set(cache, 'short', 1, 40)
      const left = await kv.ttl(cache, 'long') as number
      t.ok(Number.isInteger(left) && left > 0 && left <= 600_000, String(left))
      for (const key of ['later', 'short']) {
        await untilGone(kv, cache, key)
        t.equal(await kv.get(cache, key), undefined, key)
        t.equal(await kv.ttl(cache, key), undefined, key)
        t.equal(await kv.expire(cache, key, 1000), false, 'what is over cannot be prolonged')
        t.equal(await kv.delete(cache, key), false, key)
      }
      t.equal(await kv.get(cache, 'kept'), 2, 'setting it again takes the time away')
      t.strictSame(await sortedKeys(kv, cache), ['kept', 'long'])
    }
  },
  {
    name: 'keys are given once each, and by a glob',
    async run (t, store) {
      const { kv, cache, other } = of(store)
      const keys = [...oddKeys, ...Array.from({ length: 2500 }, (_, i) => `many-${i}`)]
      await Promise.all(keys.map(async key => { await kv.set(cache, key, key, undefined) }))
      await kv.set(other, 'a1', 'other', undefined)
      t.strictSame(await sortedKeys(kv, cache), [...keys].sort())
      for (const key of oddKeys) t.equal(await kv.get(cache, key), key)
      const patterns: Array<[match: string, expected: string[]]> = [
        ['a?', ['a%', 'a*', 'a1', 'a2', 'a?', 'a_']],
        ['a1', ['a1']],
        ['*1', ['a1', 'a\\1', 'b1', 'é1', '😀1', ...keys.filter(key => /^many-.*1$/.test(key))]],
        ['a[12]', ['a[12]']],
        ['a\\1', ['a\\1']],
        ['a%', ['a%']],
        ['?1', ['a1', 'b1', 'é1', '😀1']],
        ['many-24*9', keys.filter(key => /^many-24.*9$/.test(key))],
        ['A*', []],
        ['', []]
      ]
      for (const [match, expected] of patterns) {
        t.strictSame(await sortedKeys(kv, cache, match), [...expected].sort(), match)
      }
    }
  },
  {
    // A matcher that tries all ways to divide the text among the wildcards would not come back within a lifetime.
    name: 'a hostile glob takes linear time',
    async run (t, store) {
      const { kv, cache } = of(store)
      await kv.set(cache, 'a'.repeat(200), 1, undefined)
      t.strictSame(await sortedKeys(kv, cache, `${'a*'.repeat(60)}b`), [])
      t.strictSame(await sortedKeys(kv, cache, `${'a*'.repeat(60)}a`), ['a'.repeat(200)])
    }
  }
]
