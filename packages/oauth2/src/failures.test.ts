import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { attemptsWith } from './failures.js'
import type { FailureCount } from './failure-count.js'
import type { FailureStore } from './failure-store.js'

/** A store of an application's, as others than this process see it. */
function slowStore (more: Partial<FailureStore> = {}): FailureStore & { readonly counts: Map<string, FailureCount> } {
  const counts = new Map<string, FailureCount>()
  const later = async (): Promise<void> => {
    await new Promise(resolve => setImmediate(resolve))
  }
  return {
    counts,
    get: async key => {
      await later()
      return counts.get(key)
    },
    add: async (key, window) => {
      await later()
      const { count = 0, until = Date.now() + window } = counts.get(key) ?? {}
      counts.set(key, { count: count + 1, until })
    },
    clear: async key => {
      counts.delete(key)
    },
    ...more
  }
}

const attempt = { what: 'oauth user', name: 'ann', address: '10.0.0.1' }

for (const remove of [false, true]) {
  t.test(
    `a store of one's own ${
      remove ? 'that takes back' : 'that only adds'
    }: no more than may be, and what is right is given back`,
    async t => {
      const store: ReturnType<typeof slowStore> = slowStore(
        remove
          ? {
              remove: key => {
                const found = store.counts.get(key)
                if (found !== undefined) store.counts.set(key, { ...found, count: found.count - 1 })
              }
            }
          : {}
      )
      const attempts = attemptsWith({ max: 3, window: 60, knownFor: 60, store }, new ModelRegistry())
      const answers = await Promise.allSettled(
        Array.from({ length: 20 }, async () => await attempts?.reserve(attempt))
      )
      t.ok(answers.filter(({ status }) => status === 'fulfilled').length <= 3, 'many at once')
      for (let i = 0; i < 8; i++) await (await attempts?.reserve({ ...attempt, name: 'ben' }))?.succeeded()
      t.pass('eight that were right, where three may be wrong')
    }
  )
}
