/** The side of Platformatic DB: where it can run, and what of its responses is the same. */
import t from 'tap'
import { source } from './sources.js'

const { default: platformatic } = await source<{
  default: {
    missing (options: { nodeVersion: string }): string | undefined
    normalise (load: string, answer: unknown): unknown
  }
}>('servers/rest/platformatic.js')

t.test('it is left out on a Node that is too old for it', async t => {
  for (const nodeVersion of ['20.20.2', '22.18.9']) t.match(platformatic.missing({ nodeVersion }), /^needs Node 22.19, and this is /)
  for (const nodeVersion of ['22.19.0', '24.0.0']) t.notMatch(String(platformatic.missing({ nodeVersion })), /needs Node/)
})

t.test('ids and foreign keys are numbers, relations have the names of the models here', async t => {
  const product = { id: '7', name: 'seven', available: true }
  t.same(platformatic.normalise('w1', { ...product, categoryId: '3' }), { ...product, id: 7, categoryId: 3 })
  t.same(platformatic.normalise('w2', [{ ...product, categoryId: '3' }]), [{ ...product, id: 7, categoryId: 3 }])
  const row = { ...product, categoryId: { id: '3', name: 'three' }, review: [{ id: '1', rating: 5 }] }
  t.same(platformatic.normalise('w4', { data: { product: [row] } }), [{
    ...product, id: 7, categoryId: 3, category: { id: 3, name: 'three' }, reviews: [{ id: 1, rating: 5, productId: 7 }]
  }])
  t.same(platformatic.normalise('w8', { data: { countProduct: { total: 9 } } }), { count: 9 })
})
