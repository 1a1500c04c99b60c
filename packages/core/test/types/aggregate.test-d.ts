/** Checked by `tsc` alone (`npm run types`): what `aggregate` and `distinct` give is inferred. */
import { defineModel } from '@fastback/core'
import type { ClassOf } from '@fastback/core'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined

const shop = defineModel({
  name: 'AggregatedShop',
  properties: { city: { type: 'string', required: true }, rent: 'number' },
  relations: { sales: { type: 'hasMany', model: 'AggregatedSale', foreignKey: 'shopId' } }
})
const sale = defineModel({
  name: 'AggregatedSale',
  properties: {
    status: { type: 'string', required: true }, amount: 'number', at: 'date', paid: 'boolean', more: 'object'
  },
  relations: { shop: { type: 'belongsTo', model: 'AggregatedShop', foreignKey: 'shopId' } }
})
declare module '@fastback/core' {
  interface ModelTypes {
    AggregatedShop: typeof shop
    AggregatedSale: typeof sale
  }
}
declare const Sale: ClassOf<typeof sale>

const one = await Sale.aggregate({ aggregate: { n: { count: '*' }, total: { sum: 'amount' }, last: { max: 'at' } } })
expect<Equal<typeof one, Array<{ n: number, total: number | null, last: Date | null }>>>()

const grouped = await Sale.aggregate({
  groupBy: ['status', { at: 'month' }, 'shop.city'],
  aggregate: { kinds: { countDistinct: 'paid' }, first: { min: 'status' }, mean: { avg: 'amount' } },
  having: { kinds: { gt: 1 }, status: 'open' },
  order: ['kinds DESC', 'status'],
  timeZone: 'America/Lima'
})
expect<Equal<typeof grouped[number]['status'], string | null>>()
expect<Equal<typeof grouped[number]['at'], Date | null>>()
expect<Equal<typeof grouped[number]['shop.city'], string | null>>()
expect<Equal<typeof grouped[number]['kinds'], number>>()
expect<Equal<typeof grouped[number]['first'], string | null>>()
expect<Equal<typeof grouped[number]['mean'], number | null>>()

const cities = await Sale.find({ distinct: ['status', 'shop.city'], where: { amount: { gt: 1 } } })
expect<Equal<typeof cities[number], { status: string | null, 'shop.city': string | null }>>()

// @ts-expect-error no such property
void Sale.aggregate({ groupBy: ['state'] })
// @ts-expect-error the period of what is no date
void Sale.aggregate({ groupBy: [{ status: 'month' }] })
// @ts-expect-error no such period
void Sale.aggregate({ groupBy: [{ at: 'minute' }] })
// @ts-expect-error no such property of the shop
void Sale.aggregate({ groupBy: ['shop.town'] })
// @ts-expect-error the sum of texts
void Sale.aggregate({ aggregate: { n: { sum: 'status' } } })
// @ts-expect-error no such function
void Sale.aggregate({ aggregate: { n: { median: 'amount' } } })
// @ts-expect-error a condition on what is no result
void Sale.aggregate({ aggregate: { n: { count: '*' } }, having: { amount: 1 } })
// @ts-expect-error a condition of another type
void Sale.aggregate({ aggregate: { n: { count: '*' } }, having: { n: 'many' } })
// @ts-expect-error an order by what is no result
void Sale.aggregate({ aggregate: { n: { count: '*' } }, order: 'amount' })
// @ts-expect-error no such part
void Sale.aggregate({ aggregate: { n: { count: '*' } }, fields: ['status'] })
// @ts-expect-error a condition on what is no property
void Sale.aggregate({ where: { state: 1 }, aggregate: { n: { count: '*' } } })
// @ts-expect-error no such property
void Sale.find({ distinct: ['state'] })
