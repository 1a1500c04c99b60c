/** What another process changes is narrowed as what this one does: S-91. */
import { join } from 'node:path'
import tap from 'tap'
import { outboxBus, sqlConnector } from '@fastback/connector-sql'
import { Change, ModelRegistry } from '@fastback/core'
import { createChangeStream, remoteOptions } from '@fastback/core/remote'

type Loose = any

async function startProcess (url: string): Promise<Loose> {
  const registry = new ModelRegistry({ settings: { bus: { outbox: 'db', namespace: 'views' } } })
  registry.busDrivers.set('outbox', outboxBus)
  registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'update' })
  const properties = { id: { type: 'number', id: true }, text: 'string', team: 'number' }
  registry.defineModel({ name: 'Note', forceId: false, properties } as never)
  registry.defineModel({
    name: 'Sealed', forceId: false, properties: { ...properties, seal: { type: 'string', hidden: true } }
  } as never)
  const models = registry.models as Loose
  for (const name of ['Note', 'Sealed']) registry.attach(name, 'db', { public: true })
  const narrow = (condition: object) => async ({ options, query }: Loose) => {
    if (options.prohibitHiddenPropertiesInQuery === undefined) return
    query.where = { and: [query.where ?? {}, condition] }
  }
  models.Note.observe('access', narrow({ team: 1 }))
  models.Sealed.observe('access', narrow({ seal: 'mine' }))
  await registry.start()
  return { registry, models }
}

const comes = async (is: () => boolean): Promise<boolean> => {
  for (let i = 0; i < 1000 && !is(); i++) await new Promise(resolve => setTimeout(resolve, 20))
  return is()
}

tap.test('S-91 changes of another process, their removals and departures among them', { timeout: 60_000 }, async t => {
  // Seen to fail: Elsewhere without the row before an update: a gap for each update of a row out of sight
  t.testdir({})
  const url = `sqlite:${join(t.testdirName, 'views.db')}`
  const [one, two] = [await startProcess(url), await startProcess(url)]
  for (const { registry } of [one, two]) t.teardown(() => registry.stop())
  const listen = (name: string): string[] => {
    const seen: string[] = []
    const stream = createChangeStream(two.models[name], {}, remoteOptions({}))
    stream.on('data', (change: Loose) => seen.push(change instanceof Change ? `${change.type} ${change.target}` : 'gap'))
    t.teardown(() => stream.destroy())
    return seen
  }
  const [notes, sealed] = [listen('Note'), listen('Sealed')]
  const { Note, Sealed } = one.models
  let tries = 0
  // Until the two know of each other.
  await comes(() => {
    if (tries++ % 20 === 0) Note.create({ id: 1000 + tries, team: 1 }).catch(t.fail)
    return notes.length > 0
  })
  notes.length = 0
  await Note.create([{ id: 1, team: 1 }, { id: 2, team: 2 }])
  t.ok(await comes(() => notes.includes('create 1')))
  await Note.updateAll({ id: 2 }, { text: 'still out of sight' })
  await Note.updateAll({ id: 1 }, { team: 2 })
  t.ok(await comes(() => notes.includes('remove 1')))
  await Note.updateAll({ id: 2 }, { team: 1 })
  t.ok(await comes(() => notes.includes('update 2')))
  await Note.destroyById(1)
  await Note.destroyById(2)
  t.ok(await comes(() => notes.includes('remove 2')))
  t.strictSame(notes.filter(each => !/ 10\d\d$/.test(each)), ['create 1', 'remove 1', 'update 2', 'remove 2'])

  await Sealed.create([{ id: 1, seal: 'mine' }, { id: 2, seal: 'other' }])
  t.ok(await comes(() => sealed.includes('create 1')))
  t.notOk(sealed.includes('create 2'))
  sealed.length = 0
  await Sealed.destroyById(2)
  t.ok(await comes(() => sealed.length > 0))
  t.strictSame(sealed, ['gap'], 'hidden properties of what was there do not travel: the reader looks for itself')
})
