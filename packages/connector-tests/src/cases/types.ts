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
    name: 'days and times of day are texts, in their order',
    async run (t, store) {
      const days = ['2020-02-29', '0001-01-01', '9999-12-31']
      const times = ['08:30:00', '00:00:00', '23:59:59.999999']
      for (const [i, day] of days.entries()) await store.create('Item', { day, at: times[i] })
      t.same(await store.findById('Item', 1), { day: '2020-02-29', at: '08:30:00', id: 1 })
      t.same((await store.find('Item')).map(({ at }) => at), times)
      t.same(await store.ids({}, { order: 'day DESC' }), [3, 1, 2])
      t.same(await store.ids({}, { order: 'at' }), [2, 1, 3])
      t.same(await store.ids({ day: '2020-02-29' }), [1])
      t.same(await store.ids({ day: { gt: '2020-02-28' } }), [1, 3])
      t.same(await store.ids({ day: { inq: ['0001-01-01', '2020-03-01', null] } }), [2])
      t.same(await store.ids({ day: { like: '2020-%' } }), [1])
      t.same(await store.ids({ day: { regexp: '^9' } }), [3])
      t.same(await store.ids({ at: { between: ['08:30', '23:59:59.999998'] } }), [1])
      t.same(await store.ids({ at: { neq: '23:59:59.999999' } }), [1, 2])
      t.equal(await store.updateAll('Item', { at: '08:30:00' }, { at: '09:00:00.5', day: '2021-01-01' }), 1)
      t.same(await store.findById('Item', 1), { day: '2021-01-01', at: '09:00:00.5', id: 1 })
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
