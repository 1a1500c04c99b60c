/** Definitions, tables and counts. */
import t from 'tap'
import { application } from './helpers/application.js'

const { get, post, ann, root, app } = await application(t)

t.test('definitions: properties, relations, indexes, methods, and no secrets', async t => {
  const { status, body, text } = await get('/studio/definitions.json')
  t.equal(status, 200)
  const note = body.models.find((each: any) => each.name === 'Note')
  t.match(note, {
    base: 'PersistedModel', public: true, plural: 'Notes', path: '/api/Notes', dataSource: 'db', builtin: false,
    description: 'What somebody wrote down', rules: 5
  })
  const property = (name: string): any => note.properties.find((each: any) => each.name === name)
  t.match(property('id'), { type: 'number', id: true, generated: true })
  t.match(property('title'), { type: 'string', required: true, description: 'What it is about' })
  t.match(property('kind'), { enum: ['private', 'work'], default: 'private' })
  t.match(property('secret'), { hidden: true })
  t.match(note.relations, [{ name: 'owner', type: 'belongsTo', target: 'User', foreignKey: 'ownerId', embedded: false }])
  t.ok(note.indexes.some((index: any) => index.columns[0].property === 'city'))
  t.match(note.methods.find((each: any) => each.name === 'find'), { routes: ['GET /api/Notes'], own: false })
  t.match(body.models.find((each: any) => each.name === 'User'), { builtin: true })
  t.ok(body.types.includes('string') && body.bases.includes('PersistedModel'))
  t.notMatch(text, 'setting-secret')
  t.notMatch(text, 'hidden-default')
})

t.test('the table as it is, and what a migration would do', async t => {
  const { body } = await get('/studio/database.json?model=Note')
  t.match(body, { model: 'Note', dataSource: 'db', table: 'Note', exists: true, pending: [] })
  t.match(body.columns.find((each: any) => each.name === 'title'), { property: 'title', primaryKey: false })
  t.match(body.columns.find((each: any) => each.name === 'id'), { primaryKey: true })
  app.registry.getModel('Visit').defineProperty('stars', { type: 'number' })
  const changed = await get('/studio/database.json?model=Visit')
  t.match(changed.body.pending, [{ change: /add column.*stars/, statements: [/ALTER TABLE/], destructive: false }])
  t.equal((await get('/studio/database.json?model=__proto__')).status, 404)
  t.equal((await get('/studio/database.json')).status, 400)
})

t.test('rows are counted by the rules of the caller', async t => {
  t.same((await get('/studio/counts.json')).body, { Role: 1, RoleMapping: 1, Visit: 12 })
  t.match((await get('/studio/counts.json', { authorization: root.token })).body, { Note: 12, Visit: 12 })
  const refused = await get('/studio/counts.json', { authorization: ann.token, host: 'example.com' })
  t.equal(refused.status, 403)
  t.match((await get('/studio/counts.json', { authorization: ann.token })).body, { Note: 4, Visit: 12 })
})

t.test('nobody writes definitions of an application in code', async t => {
  t.match((await get('/studio/ui.json')).body, { development: true, changes: false })
  const proposed = await post('/studio/models/propose', { kind: 'model', name: 'Tea' })
  t.match(proposed, { status: 409, body: { error: { code: 'CHANGES_NOT_AVAILABLE' } } })
  for (const payload of [{}, { kind: 'file' }, { kind: 'model' }, { kind: 'model', name: 1 }, { kind: 'property', model: 'Note', name: 'x' }]) {
    t.equal((await post('/studio/models/propose', payload)).status, 400, JSON.stringify(payload))
  }
})
