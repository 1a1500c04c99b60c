import type { SuiteCase } from '../suite-case.js'

export const typeCases: readonly SuiteCase[] = [
  {
    name: 'every type comes back as it was stored',
    async run (t, store) {
      const row = {
        name: 'text with \0 NUL, "quotes", \'single\', back\\slash, é, 😀 and\nlines',
        price: -2.75,
        stock: -7,
        big: 9007199254740991,
        active: false,
        made: new Date('2020-02-29T23:59:59.999Z'),
        labels: ['a', '', 'ü'],
        sizes: [1.5, -2, 0],
        dims: { w: 1, box: { depth: 0.5 } },
        parts: [{ k: 1 }, { k: null }],
        meta: { text: 'x', number: 1, no: null, list: [1, [2]], yes: true },
        extra: [{ any: 'thing' }],
        spot: { lat: -33.5, lng: 151.25 },
        data: Buffer.from([0, 255, 10, 128])
      }
      await store.create('Item', row)
      t.same(await store.findById('Item', 1), { ...row, id: 1 })
      t.same(await store.find('Item'), [{ ...row, id: 1 }])
      t.ok(Buffer.isBuffer((await store.findById('Item', 1))?.data))
      t.type((await store.findById('Item', 1))?.made, Date)
    }
  },
  {
    name: 'null, empty and zero are different values',
    async run (t, store) {
      const row = { name: '', price: 0, stock: null, active: false, labels: [], meta: {}, extra: '' }
      await store.create('Item', row)
      t.same(await store.findById('Item', 1), { ...row, id: 1 })
    }
  },
  {
    name: 'dates outside the usual years',
    async run (t, store) {
      for (const text of ['0001-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z']) {
        const { id } = await store.create('Item', { made: new Date(text) })
        t.same((await store.findById('Item', id as number))?.made, new Date(text))
      }
      t.same(await store.ids({ made: { lt: '1969-12-31T23:59:59.999Z' } }), [1])
      t.same(await store.ids({}, { order: 'made DESC' }), [3, 2, 1])
    }
  },
  {
    name: 'values of free-form properties keep their type',
    async run (t, store) {
      const values = ['12', 12, true, 'true', null, [12], { a: 12 }, '', 0, 1.5]
      for (const extra of values) await store.create('Item', { extra })
      t.same((await store.find('Item', { fields: ['extra'] })).map(row => row.extra), values)
    }
  },
  {
    name: 'numbers at the ends of their range',
    async run (t, store) {
      for (const price of [1.7976931348623157e308, 5e-324, -0.1, 1e21, 123456789.123456]) {
        await store.create('Item', { price })
      }
      t.same(
        (await store.find('Item')).map(row => row.price),
        [1.7976931348623157e308, 5e-324, -0.1, 1e21, 123456789.123456]
      )
      t.same(await store.ids({ price: 1e21 }), [4])
      t.same(await store.ids({ price: { gt: 1e300 } }), [1])
    }
  },
  {
    name: 'a long text',
    async run (t, store) {
      const name = 'long '.repeat(20_000)
      await store.create('Item', { name })
      t.ok((await store.findById('Item', 1))?.name === name)
    }
  }
]
