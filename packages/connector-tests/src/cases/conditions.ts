import type { SuiteCase } from '../suite-case.js'

/** Conditions on the seeded items with the ids they match. */
function table (
  name: string,
  rows: ReadonlyArray<readonly [where: object, ids: readonly number[]]>,
  needs: SuiteCase['needs'] = []
): SuiteCase {
  return {
    name,
    needs,
    async run (t, store) {
      await store.seed()
      for (const [where, ids] of rows) {
        t.same(await store.ids(where), ids, JSON.stringify(where))
        t.equal(await store.count('Item', where), ids.length, `count ${JSON.stringify(where)}`)
      }
    }
  }
}

export const conditionCases: readonly SuiteCase[] = [
  table('eq', [
    [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ name: 'Mug' }, [4]],
    [{ name: 'mug' }, []],
    [{ name: 'Mug ' }, []],
    [{ price: 12 }, [4]],
    [{ price: '12' }, [4]],
    [{ price: 'abc' }, []],
    [{ stock: 0 }, [3]],
    [{ active: false }, [3, 6]],
    [{ active: true, price: { gt: 9 } }, [4, 5]],
    [{ made: '2020-05-15T00:00:00.000Z' }, [2, 5]],
    [{ made: new Date('2020-05-15') }, [2, 5]],
    [{ big: 9007199254740991 }, [6]],
    [{ id: 3 }, [3]],
    [{ id: '3' }, [3]],
    [{ id: { eq: 3 } }, [3]],
    [{ shelf: 1, id: 2 }, [2]],
    [{ extra: 'cake' }, [3]],
    [{ extra: 7 }, [4]],
    [{ extra: '7' }, []],
    [{ name: "' OR '1'='1" }, []]
  ]),
  table('neq and nin match what is missing', [
    [{ name: { neq: 'Mug' } }, [1, 2, 3, 5, 6, 7, 8]],
    [{ active: { neq: true } }, [3, 6, 7, 8]],
    [{ price: { neq: 12 } }, [1, 2, 3, 5, 6, 7, 8]],
    [{ made: { neq: '2020-05-15T00:00:00.000Z' } }, [1, 3, 4, 6, 7, 8]],
    [{ shelf: { nin: [1, 2] } }, [6, 7, 8]],
    [{ name: { nin: [] } }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ id: { neq: 3 } }, [1, 2, 4, 5, 6, 7, 8]],
    [{ extra: { neq: 7 } }, [1, 2, 3, 5, 6, 7, 8]]
  ]),
  table('ranges', [
    [{ price: { gt: 12 } }, [3, 5, 6]],
    [{ price: { gte: 12 } }, [3, 4, 5, 6]],
    [{ price: { lt: 9 } }, [1, 8]],
    [{ price: { lte: 9 } }, [1, 2, 8]],
    [{ price: { gt: 5, lt: 10 } }, [1, 2]],
    [{ price: { between: [6.5, 12] } }, [1, 2, 4]],
    [{ price: { between: [7, 8] } }, []],
    [{ price: { between: [12, 6] } }, []],
    [{ price: { gt: 'abc' } }, []],
    [{ name: { gt: 'M' } }, [2, 3, 4]],
    [{ name: { lte: 'Gaiwan' } }, [1, 5, 6]],
    [{ name: { between: ['A', 'H'] } }, [1, 5, 6, 8]],
    [{ name: { gt: 'a' } }, []],
    [{ made: { gt: '2020-05-15T00:00:00.000Z' } }, [4]],
    [{ made: { gte: '2020-05-15T00:00:00.000Z' } }, [2, 4, 5]],
    [{ made: { between: ['2018-01-01T00:00:00.000Z', '2019-12-31T00:00:00.000Z'] } }, [1, 3]],
    [{ active: { gt: false } }, [1, 2, 4, 5]],
    [{ active: { lte: false } }, [3, 6]],
    [{ id: { gt: 6 } }, [7, 8]],
    [{ id: { between: [2, 3] } }, [2, 3]],
    [{ extra: { gte: 1 } }, [4, 8]],
    [{ extra: { gte: 'a' } }, [3, 8]],
    [{ stock: { gte: 25, lte: 100 }, active: true }, [1, 4]]
  ]),
  table('inq', [
    [{ name: { inq: ['Mug', 'Puer', 'Nothing'] } }, [3, 4]],
    [{ id: { inq: [8, 1, 3, 1] } }, [1, 3, 8]],
    [{ price: { inq: [9, '12', 'abc'] } }, [2, 4]],
    [{ name: { inq: [] } }, []],
    [{ shelf: { inq: [3, 1] } }, [1, 2, 3, 6]],
    [{ made: { inq: ['2020-05-15T00:00:00.000Z', '2017-07-07T00:00:00.000Z'] } }, [2, 5, 6]],
    [{ active: { inq: [false] } }, [3, 6]],
    [{ price: { inq: Array.from({ length: 300 }, (_, i) => i) } }, [2, 3, 4, 6, 8]],
    [{ id: { inq: [1, 2, 3] }, name: { nin: ['Sencha'] } }, [1, 3]]
  ]),
  table('and, or, nor, nested in one another', [
    [{ and: [{ price: { gt: 8 } }, { price: { lt: 20 } }] }, [2, 4, 5]],
    [{ or: [{ name: 'Mug' }, { name: 'Puer' }] }, [3, 4]],
    [{ or: [{ price: { lt: 7 } }, { stock: { gt: 500 } }], active: true }, [1]],
    [
      { or: [{ and: [{ shelf: 1 }, { price: { lt: 10 } }] }, { and: [{ shelf: 2 }, { price: { gt: 15 } }] }] },
      [1, 2, 5]
    ],
    [{ shelf: 1, or: [{ name: 'Puer' }, { price: 9 }] }, [2, 3]],
    [{ and: [{ or: [{ id: 1 }, { id: 2 }] }, { or: [{ id: 2 }, { id: 3 }] }] }, [2]],
    [{ nor: [{ name: 'Mug' }, { price: { gt: 10 } }] }, [1, 2, 7, 8]],
    [{ nor: [{ price: { lt: 10 } }] }, [3, 4, 5, 6, 7]],
    [{ nor: [{ nor: [{ id: 5 }] }] }, [5]],
    [{ and: [] }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ or: [] }, []],
    [{ nor: [] }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ or: [{}, { id: 1 }] }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ or: [{ or: [{ or: [{ id: 5 }] }] }] }, [5]]
  ]),
  {
    name: 'near: nearest first, within distances, beside other conditions',
    needs: ['near'],
    async run (t, store) {
      await store.seed()
      t.same(await store.ids({ spot: { near: { lat: 59.9, lng: 10.75 } } }), [1, 2, 3, 4])
      t.same(await store.ids({ spot: { near: '60.39,5.32' } }), [4, 2, 1, 3])
      t.same(await store.ids({ spot: { near: '59.9,10.75', maxDistance: 50, unit: 'kilometers' } }), [1, 2, 3])
      t.same(await store.ids({ spot: { near: '59.9,10.75', maxDistance: 30 } }), [1, 2, 3])
      t.same(await store.ids({ spot: { near: '59.9,10.75', minDistance: 5, unit: 'kilometers' } }), [3, 4])
      t.same(await store.ids({ and: [{ spot: { near: '60.39,5.32' } }, { price: { gt: 8 } }] }), [4, 2, 3])
      t.same(await store.ids({ spot: { near: '60.39,5.32' } }, { limit: 2, skip: 1 }), [2, 1])
      t.same(await store.ids({ spot: { near: '60.39,5.32' } }, { order: 'id' }), [1, 2, 3, 4])
      t.equal(await store.count('Item', { spot: { near: '59.9,10.75', maxDistance: 5, unit: 'kilometers' } }), 2)
    }
  }
]
