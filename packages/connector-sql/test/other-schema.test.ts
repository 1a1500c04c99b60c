/** Tables of another schema (PostgreSQL) or database (MySQL) than that of the data source. */
import t from 'tap'
import { makeScratch } from '../../../test-fixtures/scratch.mjs'
import { openSql } from './support/connectors.js'
import { makeModel, path, query } from './support/models.js'
import { refuses } from './support/refuses.js'
import { scratchUrl } from './support/scratch.js'

for (const [server, key, place] of [['postgres', 'postgresql', 'schema'], ['mysql', 'mysql', 'database']] as const) {
  t.test(`a table of another ${place} is made, written and read there (${server})`, async t => {
    const url = await scratchUrl(t, server)
    if (url === undefined) return
    const there = await makeScratch(server)
    t.teardown(there.remove)
    const sql = await openSql({ url, poolSize: 2 })
    t.teardown(() => sql.disconnect())
    const at = (properties: Record<string, 'string' | 'number'>, unique: boolean) => makeModel('Item', properties, {
      settings: { [key]: { [place]: there.name, table: 'item' } },
      indexes: [{ name: 'name', unique, columns: [{ property: 'name', descending: false }] }]
    })
    const other = at({ name: 'string' }, false)
    const own = makeModel('Own', { name: 'string' }, { settings: { [key]: { table: 'item' } } })
    await refuses(t, () => sql.find(other, query(other), {}), {
      code: 'FBK_SQL_TABLE_MISSING', message: new RegExp(`"${there.name}\\.item"`)
    })
    t.equal(await sql.isActual([other]), false)
    await sql.autoupdate([other, own])
    t.equal(await sql.isActual([other, own]), true)
    t.match(await sql.create(other, { name: 'there' }, {}), { id: 1 })
    await sql.create(own, { name: 'here' }, {})
    t.match(await sql.find(other, query(other), {}), [{ id: 1, name: 'there' }])
    t.match(await sql.find(own, query(own), {}), [{ id: 1, name: 'here' }])

    const more = at({ name: 'string', size: 'number' }, true)
    await sql.autoupdate([more])
    t.equal(await sql.isActual([more]), true, 'a column is added, and the index made anew')
    await refuses(t, () => sql.create(more, { name: 'there' }, {}), { modelName: 'Item', properties: ['name'] })
    t.match(await sql.updateById(more, 1, { size: 2 }, {}), { size: 2 })
    t.match(await sql.replaceById(more, 1, { id: 1, name: 'new', size: 3 }, {}), { name: 'new' })
    const isNew = { kind: 'compare', path: path(more, 'name'), op: 'eq', value: 'new' } as const
    t.match(await sql.findOrCreate(more, query(more, { where: isNew, limit: 1 }), { name: 'new' }, {}), { created: false })
    t.equal(await sql.updateAll(more, isNew, { size: 4 }, {}), 1)
    t.equal(await sql.count(more, isNew, {}), 1)
    t.equal(await sql.deleteAll(more, undefined, {}), 1)
    t.equal(await sql.count(own, undefined, {}), 1, 'the table of the same name is left alone')
    await sql.automigrate([more])
    t.match(await sql.create(more, { id: 7, name: 'seven' }, {}), { id: 7 })
    t.match(await sql.create(more, { name: 'eight' }, {}), { id: 8 }, 'its sequence goes on')
    const nowhere = makeModel('Item', { name: 'string' }, { settings: { [key]: { [place]: 'no_such_place', table: 'item' } } })
    await refuses(t, () => sql.autoupdate([nowhere]), { code: 'FBK_SQL_SCHEMA_MISSING', message: /"Item"/ })
  })
}

t.test('LoopBack wrote "schema" for MySQL and never read it: neither does this', async t => {
  const url = await scratchUrl(t, 'mysql')
  if (url === undefined) return
  const sql = await openSql({ url })
  t.teardown(() => sql.disconnect())
  const item = makeModel('Item', { name: 'string' }, { settings: { mysql: { schema: 'LOOPBACK', table: 'item' } } })
  await sql.autoupdate([item])
  t.match(await sql.create(item, { name: 'a' }, {}), { id: 1 })
})
