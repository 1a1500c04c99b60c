import type { Belonging, AttachedRow, Condition, Query, RowsWithAttached, RowsIncluding, TextSupport } from '@fastback/core'
import { defaultQueryLimits, parseFilter, parseWhere } from '@fastback/core/connector'
import type { SuiteCase } from '../suite-case.js'

/** Rows as their JSON text gives them. */
const viaJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value, bytesAsBase64))
const bytesAsBase64 = (_: string, value: { readonly type?: unknown, readonly data?: unknown } | null): unknown =>
  value?.type === 'Buffer' ? Buffer.from(value.data as number[]).toString('base64') : value

const filters: readonly object[] = [
  {}, { where: { shelf: 1 } }, { order: 'price DESC', limit: 3 }, { fields: ['name', 'made'], skip: 1, limit: 4 },
  { where: { labels: 'paper' }, fields: { name: false } },
  { where: { id: 99 } }, { where: { extra: { neq: null } }, fields: ['extra', 'meta', 'parts'] }
]

const internal = { external: false, limits: defaultQueryLimits } as const
const oddNumbers = [1, 0, -1, 0.1, 1e-6, 1.5e-9, 0.30000000000000004, 123456.789012, 1e15, 2 ** 53, 1e21, -1e300]
const oddTexts = ['', 'é 😀', '"\\/\b\f\n\r\t', '\u0001\u0002', '\0', '\u2028\ufeff', '],[']

export const textCases: readonly SuiteCase[] = [
  {
    name: 'text is what find and findById give',
    async run (t, store) {
      await store.seed()
      await store.create('Item', {
        name: 'with "quotes", \\ and \u2028',
        data: Buffer.from('bytes'),
        active: false,
        spot: { lat: 1.5, lng: -2 }
      })
      const text = store.connector.text as TextSupport
      const model = store.model('Item')
      for (const filter of filters) {
        const query = parseFilter(model, filter, { external: false, limits: defaultQueryLimits })
        t.same(
          JSON.parse(await text.find(model, query, {})),
          viaJson(await store.connector.find(model, query, {})),
          JSON.stringify(filter)
        )
      }
      t.same(
        JSON.parse((await text.findById(model, 1, model.selectAll, {})) as string),
        viaJson(await store.findById('Item', 1))
      )
      t.equal(await text.findById(model, 99, model.selectAll, {}), undefined)
    }
  },
  {
    name: 'findByIdWhere gives the row where a condition leaves it',
    async run (t, store) {
      await store.seed()
      const text = store.connector.text as TextSupport
      if (text.findByIdWhere === undefined) return
      const model = store.model('Item')
      const found = async (id: number, where: object): Promise<string | undefined> => {
        const condition = parseWhere(model, where, internal)
        return await text.findByIdWhere?.(model, id, condition as Condition, model.selectAll, {})
      }
      const whole = viaJson(await store.findById('Item', 1))
      const leaving = [
        { shelf: 1 }, { and: [{ shelf: 1 }, { price: { gt: 1 } }] }, { or: [{ shelf: 9 }, { shelf: 1 }] },
        { nor: [{ shelf: 2 }] }, { shelf: { inq: [1, 2] } }, { name: { regexp: '^A' } }, { and: [] }
      ]
      for (const where of leaving) t.same(JSON.parse(await found(1, where) as string), whole, JSON.stringify(where))
      const taking = [
        { shelf: 2 }, { and: [{ shelf: 1 }, { price: { lt: 0 } }] }, { or: [{ shelf: 9 }, { shelf: 2 }] },
        { nor: [{ shelf: 1 }] }, { shelf: { nin: [1, 2] } }, { name: { regexp: '^Z' } }, { or: [] }
      ]
      for (const where of taking) t.equal(await found(1, where), undefined, JSON.stringify(where))
      // No other row that passes takes its place.
      t.equal(await found(99, { shelf: 1 }), undefined)
      const some = await text.findByIdWhere(model, 1, parseWhere(model, { shelf: 1 }, internal) as Condition,
        parseFilter(model, { fields: ['name'] }, internal).select, {})
      t.same(JSON.parse(some as string), { name: 'Assam' })
    }
  },
  {
    name: 'updateById gives the changed row as text',
    async run (t, store) {
      await store.seed()
      const text = store.connector.text as TextSupport
      const model = store.model('Item')
      const changed = await text.updateById(model, 4, { price: 13, labels: ['new'] }, model.selectAll, {})
      t.same(JSON.parse(changed as string), viaJson(await store.findById('Item', 4)))
      t.equal((await store.findById('Item', 4))?.price, 13)
      t.equal(await text.updateById(model, 99, { price: 1 }, model.selectAll, {}), undefined)
    }
  },
  {
    name: 'findKeyed gives join keys beside the text',
    async run (t, store) {
      await store.seed()
      const text = store.connector.text as TextSupport
      const model = store.model('Item')
      const query = parseFilter(
        model,
        { where: { id: { lt: 5 } }, fields: ['name'] },
        { external: false, limits: defaultQueryLimits }
      )
      const { keys, texts } = await text.findKeyed(model, query, ['shelf', 'id'], {})
      t.same(keys, [[1, 1], [1, 2], [1, 3], [2, 4]])
      t.same(
        texts.map(each => JSON.parse(each) as unknown),
        [{ name: 'Assam' }, { name: 'Sencha' }, { name: 'Puer' }, { name: 'Mug' }]
      )
    }
  },
  {
    name: 'findBeside gives each row with the one that stands beside it, or nothing where it would say something else',
    async run (t, store) {
      const { findBeside } = store.connector.text as TextSupport
      if (findBeside === undefined) return
      await store.createMany('Strict', oddNumbers.map(size => ({ name: 'number', size })))
      await store.createMany('Strict', oddTexts.map(name => ({ name, size: null })))
      await store.createMany('Word', [{ key: '1', value: 10 }, { key: '2' }, { key: 'other 3', value: 30 }])
      const beside: AttachedRow = {
        model: store.model('Word'), by: 'key', property: 'value', around: ['[', ',', ',', ']'], present: []
      }
      const found = async (
        name: string, where: object, also: Partial<AttachedRow> = {}
      ): Promise<RowsWithAttached | undefined> =>
        await findBeside(store.model(name), parseFilter(store.model(name), { where, order: 'id' }, internal), { ...beside, ...also }, {})
      const rows = viaJson(await store.find('Strict')) as Array<{ id: number }>
      let written = 0
      for (const row of rows) {
        const { id } = row
        const one = await found('Strict', { id })
        if (one === undefined) continue
        written++
        t.same(one.texts.map(text => JSON.parse(text) as unknown), [[id, id === 1 ? 10 : null, row]], `row ${id}`)
        t.equal(one.last, id)
      }
      t.ok(written >= oddTexts.length, `${written} rows were written`)
      const some = await found('Strict', { id: { between: [1, 3] } })
      t.same(some?.texts.map(text => (JSON.parse(text) as unknown[])[0]), [1, 2, 3])
      t.equal(some?.last, 3)
      t.same(await found('Strict', { id: 9999 }), { texts: [], last: undefined })
      t.equal(await found('Strict', {}, { present: ['size'] }), undefined, 'there are rows without it')
      await store.seed()
      const items = viaJson(await store.find('Item')) as Array<{ id: number }>
      for (const item of items) {
        const one = await found('Item', { id: item.id })
        if (one !== undefined) t.same((JSON.parse(one.texts[0] as string) as unknown[])[2], item)
      }
      // More than comes as one text.
      const names = Array.from({ length: 700 }, (_, i) => ({ name: 'long '.repeat(i % 120), size: i }))
      await store.createMany('Strict', names)
      const long = viaJson(await store.find('Strict', { where: { size: { gte: 0 }, name: { like: 'long%' } }, order: 'id' }))
      const several = await found('Strict', { size: { gte: 0 }, name: { like: 'long%' } })
      if (several === undefined) return
      t.same(several.texts.map(text => (JSON.parse(text) as unknown[])[2]), long)
      t.equal(several.last, (long as Array<{ id: number }>).at(-1)?.id)
    }
  },
  {
    name: 'findIncluding gives each row with those that belong to it, or nothing where they are more than their share',
    async run (t, store) {
      const { findIncluding } = store.connector.text as TextSupport
      if (findIncluding === undefined) return
      await store.seed()
      const model = store.model('Item')
      const read = (filter: object): Query => parseFilter(model, filter, internal)
      const page = read({ where: { id: { lt: 5 } }, fields: ['id', 'shelf'], order: 'id DESC', limit: 3 })
      const itself = { model, parentKey: 'id', childKey: 'id', multiple: true }
      const found = async (
        more: Partial<Belonging>, share = { rows: 10, characters: 1000 }
      ): Promise<RowsIncluding | undefined> =>
        await findIncluding(model, page, [{ ...itself, query: read({ fields: ['name'] }), ...more }], share, {})
      const all = await found({})
      const texts = all?.texts.map(text => JSON.parse(text) as unknown)
      t.same(texts, [{ id: 4, shelf: 2 }, { id: 3, shelf: 1 }, { id: 2, shelf: 1 }])
      t.same(all?.belonging, ['Mug', 'Puer', 'Sencha'].map(name => [{ text: JSON.stringify({ name }), rows: 1 }]))
      t.same((await found({ multiple: false }))?.belonging, all?.belonging)
      const some = await found({ query: read({ where: { name: { gt: 'N' } }, fields: ['name'] }) })
      t.same(some?.belonging.map(([one]) => one?.rows), [undefined, 1, 1])
      t.same((await found({ query: read({ fields: ['name'], skip: 1 }) }))?.belonging, [[undefined], [undefined], [undefined]])
      for (const multiple of [true, false]) {
        t.equal(await found({ multiple }, { rows: 10, characters: 3 }), undefined)
      }
    }
  }
]
