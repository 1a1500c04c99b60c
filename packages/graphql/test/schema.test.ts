import t from 'tap'
import { printSchema } from 'graphql'
import { makeApp, data } from './app.js'
t.test('x', async t => {
  const app = await makeApp(t, { definitions: [
    { name: 'Shop', hidden: ['secret'], properties: { name: {type:'string', required:true}, place: 'geopoint', kind: {type:'string', enum:['a','b']}, big: 'bigint', exact: 'decimal', day: 'dateOnly', n: 'integer', buf: 'buffer', list: ['number'], obj: {type:{w:'number'}}, any: 'any', secret: 'string' }, relations: { products: { type: 'hasMany', model: 'Product' } } },
 { name: 'Product', properties: { name: 'string', price: 'number', at: 'date' }, relations: { shop: { type: 'belongsTo', model: 'Shop' } } }] as any })
  console.error(printSchema((globalThis as any).schema))
})
