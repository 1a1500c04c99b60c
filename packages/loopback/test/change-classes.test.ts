/** Changes and checkpoints as the classes that code of LoopBack applications extends and asks. */
import { createRequire } from 'node:module'
import t from 'tap'

const loopback = createRequire(import.meta.url)('@fastback/loopback')

const tracked = (name: string, settings: object = {}): any => loopback.PersistedModel.extend(
  name, { id: { type: 'string', id: true, defaultFn: 'guid' }, title: 'string' }, { trackChanges: true, ...settings }
)
const memory = (): any => loopback.createDataSource({ connector: loopback.Memory })

t.test('a model of checkpoints counts by itself', async t => {
  const Checkpoint = loopback.Checkpoint.extend('Sheet')
  Checkpoint.attachTo(memory())
  t.equal(await Checkpoint.current(), 1)
  t.match(await Checkpoint.bumpLastSeq(), { seq: 2 })
  t.equal(await new Promise(resolve => Checkpoint.current((_error: unknown, seq: number) => { resolve(seq) })), 2)
  t.ok(await Checkpoint.getSingleton() instanceof Checkpoint)
  t.equal(await Checkpoint.count(), 1)
})

t.test('changes of a model are written under the checkpoints that it was given before it was attached', async t => {
  const db = memory()
  const Source = tracked('Source')
  const Target = tracked('Target')
  const Own = loopback.Checkpoint.extend('OwnCheckpoint')
  Own.attachTo(db)
  Target.Change.Checkpoint = Own
  Source.attachTo(db)
  Target.attachTo(db)
  t.equal(Target.getChangeModel(), Target.Change)
  await Own.bumpLastSeq()
  await Target.create({ title: 'a' })
  await Source.create({ title: 'b' })
  t.match(await Target.changes(-1), [{ checkpoint: 2 }])
  t.match(await Source.changes(-1), [{ checkpoint: 1 }])
  t.equal(await Target.currentCheckpoint(), 2)
  t.equal((await Source.replicate(Target)).length, 0)
  t.equal(await Target.count(), 2)
})

t.test('changes are instances to code, with the constants of all of them', async t => {
  const Note = tracked('ChangedNote')
  Note.attachTo(memory())
  const { id } = await Note.create({ title: 'a' })
  const [change] = await Note.changes(-1)
  t.ok(change instanceof Note.Change)
  t.match(change.toObject(), { modelName: 'ChangedNote', modelId: id })
  t.equal(change.type(), loopback.Change.CREATE)
  t.equal(loopback.Change.idForModel('ChangedNote', id), change.id)
  const own = await Note.Change.create({ modelName: 'ChangedNote', modelId: 'x', rev: 'one' })
  t.equal(own.id, Note.Change.idForModel('ChangedNote', 'x'), 'one that code stores has its id')
  const { deltas } = await Note.Change.diff('ChangedNote', 0, [{ modelName: 'ChangedNote', modelId: 'y', rev: 'two' }])
  t.ok(deltas[0] instanceof Note.Change)
})

t.test('_defineChangeModel makes the change model that the model has when it is attached', async t => {
  const Note = tracked('LateNote', { additionalChangeModelProperties: { tenant: 'string' } })
  const Change = Note._defineChangeModel()
  t.ok(Change.definition.properties.tenant)
  Note.attachTo(memory())
  t.equal(Note.getChangeModel(), Change)
})

t.test('a model that replaces extend does so for itself alone', async t => {
  const Base = loopback.PersistedModel.extend('ExtendedBase')
  const builtin = Base.extend
  Base.extend = function (...args: unknown[]) { return Object.assign(builtin.apply(this, args), { isMarked: true }) }
  const Kid = Base.extend('ExtendedKid')
  t.equal(Kid.isMarked, true)
  t.notOk(Object.hasOwn(Kid.extend('ExtendedGrandchild'), 'isMarked'))
})

t.test('a model that extends one of another application has its own rows', async t => {
  const app = loopback()
  app.use(loopback.rest())
  const server: any = await new Promise(resolve => { const made = app.listen(0, () => { resolve(made) }) })
  const Near = loopback.PersistedModel.extend('FarNote', { title: 'string' })
  const Server = Near.extend('ServedNote', {}, { plural: Near.pluralModelName })
  Server.attachTo(memory())
  app.model(Server)
  Near.attachTo(loopback.createDataSource({ connector: loopback.Remote, host: 'localhost', port: app.get('port') }))
  t.match(await Near.create({ title: 'a' }), { title: 'a' })
  const saved = await new Near({ title: 'b' }).save()
  t.ok(saved instanceof Near && saved.id !== undefined, 'a new one is created there')
  t.equal(await Server.count(), 2)
  t.equal((await Near.find()).length, 2)
  await Near.dataSource.disconnect()
  server.close()
  server.closeAllConnections()
})
