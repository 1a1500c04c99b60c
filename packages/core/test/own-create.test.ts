/** Upserts of a model whose `create` is the application's own; ids of rows that are embedded before they are kept. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector, transientConnector } from '@fastback/connector-memory'

type Loose = any

t.test('upserts without an id call a create of the application\'s own', async t => {
  const registry = new ModelRegistry()
  const Note = registry.defineDataSource('db', { connector: memoryConnector }).createModel('Note', {}) as Loose
  const { create } = Note
  Note.create = (data: object, options: object, done: Loose) => {
    create.call(Note, { ...data, by: 'own' }, options, done)
  }
  t.match(await Note.updateOrCreate({ title: 'a' }), { id: 1, title: 'a', by: 'own' })
  t.match(await Note.upsert({ title: 'b' }), { id: 2, by: 'own' })
  t.match(await Note.replaceOrCreate({ title: 'c' }), { id: 3, by: 'own' })
  t.match(await Note.updateOrCreate({ id: 3, title: 'd' }), { id: 3, title: 'd' }, 'with an id it is an update')
  Note.create = async () => { throw new Error('not so') }
  await t.rejects(Note.updateOrCreate({ title: 'a' }), { message: 'not so' })
  t.equal(await Note.count(), 3)
})

t.test('rows of a transient model get their ids when they are built, whatever type these are', async t => {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineDataSource('none', { connector: transientConnector })
    .createModel('Address', { id: { type: 'string', id: true }, street: 'string' })
  const Team = db.createModel('Team', { name: 'string' }, {
    relations: { addresses: { type: 'embedsMany', model: 'Address', property: '_addresses' } }
  }) as Loose
  const team = await Team.create({ name: 'a' })
  await team.addresses.create({ street: 'first' })
  const built = team.addresses.build({ street: 'second' })
  t.match(built.id, /^[0-9a-f]{24}$/)
  await team.save()
  const { _addresses: stored } = await Team.findById(1)
  t.match(stored, [{ id: /^[0-9a-f]{24}$/, street: 'first' }, { id: built.id, street: 'second' }])
})
