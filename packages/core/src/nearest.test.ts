import t from 'tap'
import { nearest } from './nearest.js'

t.test('the nearest of the names, if any is near', async t => {
  const names = ['Note', 'Role', 'Product', 'name', 'db']
  for (const [misspelt, meant] of [
    ['Prodct', 'Product'], ['product', 'Product'], ['Ntoe', 'Note'], ['Noet', 'Note'], ['dbb', 'db'], ['Produtc', 'Product']
  ] as const) t.equal(nearest(misspelt, names), ` Did you mean "${meant}"?`, misspelt)
  for (const other of ['Nate', 'Mode', 'zzz', 'Order']) t.equal(nearest(other, ['Role', 'Product']), '', other)
})
