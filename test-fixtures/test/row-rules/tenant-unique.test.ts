/** `tenant.unique`: a unique value is one of its tenant, on every store, with and without the look before the write. */
import t from 'tap'
import { modelsOn, stores } from '../agreement-stores.js'

type Loose = any

const tenant = { property: 'tenantId', value: '$user.tenantId', unique: true }
const properties = {
  id: { type: 'string', id: true }, tenantId: { type: 'string' }, number: { type: 'string', unique: true }, name: { type: 'string' }
}
const definitions = [
  { name: 'TenantInvoice', forceId: false, properties, tenant },
  { name: 'TenantNote', forceId: false, properties: { ...properties, number: 'string' }, tenant }
]

for (const [name, start] of stores) {
  t.test(name, { timeout: 0 }, async t => {
    const opened = await start(t)
    if (opened === undefined) { t.comment(`no ${name} server`); return }
    const models = await modelsOn(opened, t, definitions as Loose, definitions.map(each => each.name), []) as Loose
    models.TenantNote.validatesUniquenessOf('name')
    // Servers' tables are not changed at the start.
    if (name === 'mongodb') await models.TenantInvoice.dataSource.autoupdate()
    await t.test('unique indexes', async t => {
      const { TenantInvoice } = models
      await TenantInvoice.create({ id: 'a', tenantId: 'red', number: '1' })
      await TenantInvoice.create({ id: 'b', tenantId: 'blue', number: '1' })
      await t.rejects(TenantInvoice.create({ id: 'c', tenantId: 'red', number: '1' }))
      await t.rejects(TenantInvoice.updateAll({ id: 'b' }, { tenantId: 'red' }))
      await t.rejects(TenantInvoice.create({ id: 'a', tenantId: 'blue', number: '2' }), 'an id is one whosever row it is')
      t.equal(await TenantInvoice.count(), 2)
    })
    await t.test('the validation of uniqueness', async t => {
      const { TenantNote } = models
      await TenantNote.create({ id: 'a', tenantId: 'red', name: 'x' })
      await TenantNote.create({ id: 'b', tenantId: 'blue', name: 'x' })
      await TenantNote.create({ id: 'c', name: 'x' })
      await t.rejects(TenantNote.create({ id: 'd', tenantId: 'red', name: 'x' }), { statusCode: 422 } as Loose)
      await t.rejects(TenantNote.create({ id: 'd', name: 'x' }), { statusCode: 422 } as Loose, 'rows of no tenant are one more')
      await t.resolves(TenantNote.updateAll({ id: 'c' }, { name: 'y' }))
    })
  })
}
