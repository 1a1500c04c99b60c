import t from 'tap'
import { concerns, mayConcern, partsOf, typeOf } from './event-names.js'

t.test('names have a model and what happened', async t => {
  t.strictSame(partsOf('Order.created'), { model: 'Order', happening: 'created' })
  t.strictSame(partsOf('shop.Order.*'), { model: 'shop.Order', happening: '*' })
  for (const odd of ['', 'Order', 'Order.', '.created', 'Order.made', 'Order.Created', 'Order.created ', '*']) {
    t.equal(partsOf(odd), undefined, odd)
  }
})

t.test('which subscriptions an operation may concern', async t => {
  t.ok(mayConcern(['Order.left'], 'Order', 'update'), 'a row may leave by an update')
  t.notOk(mayConcern(['Order.left'], 'Order', 'delete'))
  t.ok(mayConcern(['Order.*'], 'Order', 'restore'))
  t.notOk(mayConcern(['Order.*'], 'OrderItem', 'create'))
  t.notOk(concerns(['Order.created'], 'Order', 'updated'))
  t.equal(typeOf('OrderItem', 'created'), 'orderItem.created')
})
