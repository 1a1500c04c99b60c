import type { TextSupport } from '@fastback/core'
import { defaultQueryLimits, parseFilter } from '@fastback/core/connector'
import type { SuiteCase } from '../suite-case.js'

/** Rows as their JSON text gives them. */
const viaJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const filters: readonly object[] = [
  {}, { where: { shelf: 1 } }, { order: 'price DESC', limit: 3 }, { fields: ['name', 'made'], skip: 1, limit: 4 },
  { where: { labels: 'paper' }, fields: { name: false } },
  { where: { id: 99 } }, { where: { extra: { neq: null } }, fields: ['extra', 'meta', 'parts'] }
]

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
  }
]
