/** The functions and settings of change lists, as LoopBack 3's applications use them. */
import t from 'tap'
import { serve, type Loose } from './support.js'

const settled = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!await condition()) await new Promise(resolve => setTimeout(resolve, 5))
}

t.test('SY-02, SY-40, SY-49: the routes without tracking, and what they refuse', async t => {
  const { models: { Note, Mirror }, get, post } = await serve(t, [
    { name: 'Note' }, { name: 'Mirror', trackChanges: false, enableRemoteReplication: true }
  ])
  await Mirror.create({ id: 'a', title: 'x' })
  await Note.create({ id: 'a', title: 'x' })
  t.same((await get('/Mirrors/changes?since=-1')).body, [], 'nothing is tracked')
  t.equal((await get('/Mirrors/sync/pull')).status, 404, 'and nothing of today is there')
  t.same((await get('/Notes/checkpoint')).body, 1, 'SY-30, SY-40')
  t.match((await post('/Notes/checkpoint', {})).body, { seq: 2, id: 1 }, 'SY-41')
  for (const url of ['/Notes/changes?since=x', '/Notes/changes?since=1&filter=x']) t.equal((await get(url)).status, 400, url)
  t.equal((await post('/Notes/diff', { a: 1 })).status, 400)
})

t.test('SY-30: one checkpoint for all models of a data source', async t => {
  const { models: { Note, Tag } } = await serve(t, [{ name: 'Note' }, { name: 'Tag' }])
  const { seq } = await Note.checkpoint()
  t.equal(await Tag.currentCheckpoint(), seq)
})

t.test('SY-04: ids that clients cannot choose are told of', async t => {
  const { warnings } = await serve(t, [
    { name: 'Note' }, { name: 'Counted', properties: { id: { type: 'number', id: true, generated: true }, title: 'string' } }
  ])
  t.match(warnings.filter(message => message.includes('guid')), [/"Counted".*"guid" or "uuid"/])
})

t.test('SY-06: properties of changes, which the application fills', async t => {
  const { models: { Entry }, get } = await serve(t, [{
    name: 'Entry', plural: 'Entries', additionalChangeModelProperties: { rank: 'number' }
  }])
  Entry.prototype.fillCustomChangeProperties = function (change: Loose, done: () => void) {
    change.rank = this.rank
    done()
  }
  Entry.createChangeFilter = (since: number) => ({ where: { checkpoint: { gte: since }, rank: 2 } })
  await Entry.create([{ id: 'a', title: 'x', rank: 1 }, { id: 'b', title: 'y', rank: 2 }])
  t.match((await get('/Entries/changes?since=-1')).body, [{ modelId: 'b', rank: 2 }])
})

t.test('SY-08, SYD-3: the timer looks at rows that others wrote', async t => {
  const { models: { Note } } = await serve(t, [{ name: 'Note', changeCleanupInterval: 10 }])
  await Note.create({ id: 'a', title: 'x' })
  const { rev } = await Note.findLastChange('a')
  await Note.dataSource.connector.updateById(Note.compiled, 'a', { title: 'by another' }, {})
  await settled(async () => (await Note.findLastChange('a')).rev !== rev)
  t.equal((await Note.findLastChange('a')).rev, Note.getChangeModel().revisionForInst(await Note.findById('a')))
})

t.test('SY-25, SY-28, SY-29: the change model, and rectify', async t => {
  const { models: { Note } } = await serve(t, [{ name: 'Note' }])
  const Change = Note.getChangeModel()
  const { connector } = Note.dataSource
  t.equal(Change, Note.Change)
  t.same([Change.CREATE, Change.UPDATE, Change.DELETE, Change.UNKNOWN], ['create', 'update', 'delete', 'unknown'])
  t.equal(Change.idForModel('Note', 'n1'), Change.hash('Note-n1'))
  await Note.create({ id: 'a', title: '1' })
  const typeOf = async (): Promise<string> => (await Change.findOrCreateChange('Note', 'a')).type()
  t.equal(await typeOf(), 'create')
  await Note.checkpoint()
  await connector.updateById(Note.compiled, 'a', { title: '2' }, {})
  await Note.rectifyChange('a')
  t.equal(await typeOf(), 'update', 'a write that went past the model')
  await Note.rectifyChange('a')
  t.equal(await typeOf(), 'update', 'nothing new: nothing changes')
  await connector.deleteAll(Note.compiled, undefined, {})
  await Change.rectifyModelChanges('Note', ['a'])
  t.equal(await typeOf(), 'delete')
  await Note.rectifyChange('never')
  t.equal(await Note.findLastChange('never'), null, 'a change of nothing')
  await Note.create({ id: 'b', title: '1' })
  await Note.destroyById('b')
  const change = await Change.findOrCreateChange('Note', 'b')
  t.equal(change.getModelId(), 'b')
  t.equal(await change.getModel(), null)
  t.equal(await change.currentRevision(), null)
  t.same(await Note.createUpdates([{ modelId: 'b', rev: 'x' }]), [], 'SY-52: a row that is gone')
})

t.test('SYD-2: a change model that the application publishes', async t => {
  const { models: { Note }, app, post } = await serve(t, [{ name: 'Note' }])
  await Note.create({ id: 'a', title: 'x' })
  t.equal((await post('/Note-changes', { id: 'x' })).status, 404)
  t.ok(app.registry.findModel('Note-change'))
  t.same(Object.keys((await Note.getChangeModel().findOne()).toJSON()).sort(), ['checkpoint', 'id', 'modelId', 'modelName', 'rev'].sort())
})

t.test('SY-50, SY-51, SY-53, SY-56: lists, differences, updates', async t => {
  const { models: { Note }, get, post, app } = await serve(t, [{ name: 'Note' }])
  await Note.create([{ id: 'a', title: '1' }, { id: 'b', title: '2' }, { id: 'c', title: '3' }])
  const { seq } = await Note.checkpoint()
  await Note.destroyById('c')
  const filter = encodeURIComponent(JSON.stringify({ where: { title: '1' } }))
  t.same((await get(`/Notes/changes?since=-1&filter=${filter}`)).body.map(({ modelId }: Loose) => modelId).sort(), ['a', 'c'], 'deletes always')
  const { rev } = await Note.findLastChange('a')
  const { body } = await post(`/Notes/diff?since=${seq}`, [{ modelName: 'Note', modelId: 'a', rev: 'other', prev: 'x' }, { modelName: 'Note', modelId: 'c', rev: 'r', prev: 'x' }])
  t.match(body, { deltas: [{ modelId: 'a', prev: rev }], conflicts: [{ modelId: 'c' }] })
  t.match(await post('/Notes/bulk-update', {
    updates: [
      { type: 'update', change: { modelId: 'a', rev: 'n', prev: 'old' }, data: { title: 'x' } },
      { type: 'create', change: { modelId: 'd', rev: 'n' }, data: { id: 'd', title: 'd' } }
    ]
  }), { status: 409, body: { error: { details: { conflicts: [{ modelId: 'a' }] } } } }, 'SY-54')
  t.ok(await Note.findById('d'), 'what can be done is done')
  const { statusCode, payload } = await app.inject({ method: 'PUT', url: '/api/Notes/a/changes/last', payload: { prev: 'p', rev: 'forged' } })
  t.match([statusCode, JSON.parse(payload)], [200, { prev: 'p', rev }])
})

t.test('SY-67, SY-70, SYD-6: chunks lose nothing, and conflicts of both steps are told', async t => {
  const { models: { Note, Copy } } = await serve(t, [{ name: 'Note', replicationChunkSize: 2 }, { name: 'Copy' }])
  await Note.create(['a', 'b', 'c', 'd', 'e'].map(id => ({ id, title: id })))
  const first = await Note.replicate(-1, Copy)
  await Note.updateAll({ id: { inq: ['a', 'b', 'c'] } }, { title: 'new' })
  await Note.destroyById('d')
  await Copy.updateAll({ id: 'a' }, { title: 'theirs' })
  const conflicts = await Note.replicate(first.checkpoints, Copy)
  t.same((await Copy.find({ order: 'id' })).map(({ id, title }: Loose) => `${id} ${title}`), ['a theirs', 'b new', 'c new', 'e e'])
  t.match([...conflicts], [{ modelId: 'a', SourceModel: Note, TargetModel: Copy }])
  t.equal(await conflicts[0].type(), 'update')
  await conflicts[0].resolveManually({ title: 'both' })
  await Note.replicate(first.checkpoints, Copy)
  t.equal((await Copy.findById('a')).title, 'both', 'SY-73')
})
