import type { SuiteCase } from '../suite-case.js'

const rows: ReadonlyArray<readonly [where: object, ids: readonly number[]]> = [
  [{ price: null }, [7]],
  [{ shelf: null }, [7, 8]],
  [{ made: null }, [7, 8]],
  [{ active: null }, [7, 8]],
  [{ extra: null }, [1, 2, 6, 7]],
  [{ meta: null }, [4, 5, 6, 7, 8]],
  [{ labels: null }, [7]],
  [{ sizes: null }, [5, 7, 8]],
  [{ shelf: { neq: null } }, [1, 2, 3, 4, 5, 6]],
  [{ extra: { neq: null } }, [3, 4, 5, 8]],
  [{ name: { inq: ['Mug', null] } }, [4, 7]],
  [{ shelf: { inq: [null] } }, [7, 8]],
  [{ shelf: { nin: [null] } }, [1, 2, 3, 4, 5, 6]],
  [{ shelf: { nin: [1, null] } }, [4, 5, 6]],
  [{ price: { gt: -1 } }, [1, 2, 3, 4, 5, 6, 8]],
  [{ price: { lt: 1 } }, [8]],
  [{ price: { gt: null } }, []],
  [{ price: { between: [null, 10] } }, []],
  [{ nor: [{ price: { gt: 1 } }] }, [7, 8]],
  [{ nor: [{ price: { gt: null } }] }, [1, 2, 3, 4, 5, 6, 7, 8]],
  [{ nor: [{ name: { like: '%' } }] }, [7]],
  [{ nor: [{ shelf: { neq: 1 } }] }, [1, 2, 3]],
  [{ nor: [{ shelf: { nin: [1] } }] }, [1, 2, 3]],
  [{ name: { exists: true } }, [1, 2, 3, 4, 5, 6, 8]],
  [{ shelf: { exists: false } }, [7, 8]],
  [{ 'meta.origin': null }, [4, 5, 6, 7, 8]],
  [{ 'meta.origin': { neq: null } }, [1, 2, 3]],
  [{ 'meta.origin': { exists: true } }, [1, 2, 3]],
  [{ 'dims.box.depth': null }, [3, 4, 5, 6, 7, 8]],
  [{ 'dims.w': { neq: 10 } }, [2, 3, 4, 5, 6, 7, 8]]
]

export const nullCases: readonly SuiteCase[] = [
  {
    name: 'null also stands for missing; ranges and patterns never match it',
    async run (t, store) {
      await store.seed()
      for (const [where, ids] of rows) t.same(await store.ids(where), ids, JSON.stringify(where))
    }
  },
  {
    name: 'null and missing come first, and last when descending',
    async run (t, store) {
      await store.seed()
      t.same(await store.ids({}, { order: 'shelf' }), [7, 8, 1, 2, 3, 4, 5, 6])
      t.same(await store.ids({}, { order: 'shelf DESC' }), [6, 4, 5, 1, 2, 3, 7, 8])
    }
  }
]
