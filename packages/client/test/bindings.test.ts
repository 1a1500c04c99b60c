/** React, Vue, RxDB and LoopBack 3's own way upon a client. */
import { createElement } from 'react'
import { act, create } from 'react-test-renderer'
import t from 'tap'
import { effectScope, ref } from 'vue'
import { useLive as useLiveRows, useSyncState as useReactState } from '@fastback/client/react'
import { loopbackModels, type Checkpoints } from '@fastback/client/loopback'
import { rxDbReplication, type RxDocument } from '@fastback/client/rxdb'
import { useLive, useSyncState } from '@fastback/client/vue'
import { device, serve, until, type Note } from './support.js'

const titles = (rows: readonly Note[] | undefined): string | undefined => rows?.map(({ title }) => title).join()

t.test('React', async t => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const { client } = device(t, await serve(t))
  await client.Note.create({ id: 'a', title: 'a', rank: 1 })
  const seen: unknown[] = []
  function Notes ({ rank }: { rank: number }): null {
    const { rows, error } = useLiveRows(client.Note, { where: { rank }, order: 'title' })
    const { pending } = useReactState(client)
    seen.push([titles(rows), pending, error])
    return null
  }
  const shows = async (...wanted: unknown[]): Promise<void> => {
    await until(async () => {
      await act(async () => { await new Promise(resolve => { setTimeout(resolve, 10) }) })
      return JSON.stringify(seen.at(-1)) === JSON.stringify([...wanted, undefined])
    })
    t.pass(JSON.stringify(wanted))
  }
  let page: ReturnType<typeof create> | undefined
  await act(async () => { page = create(createElement(Notes, { rank: 1 })) })
  await shows('a', 1)
  await act(async () => { await client.Note.create({ title: 'b', rank: 1 }) })
  await shows('a,b', 2)
  await act(async () => { page?.update(createElement(Notes, { rank: 2 })) })
  await shows('', 2)
  await act(async () => { await client.sync() })
  await shows('', 0)
  await act(async () => { page?.unmount() })
  const count = seen.length
  await client.Note.create({ title: 'c', rank: 2 })
  await client.sync()
  t.equal(seen.length, count)
})

t.test('Vue', async t => {
  const { client } = device(t, await serve(t))
  await client.Note.create({ id: 'a', title: 'a', rank: 1 })
  const scope = effectScope()
  const rank = ref(1)
  const { rows, error, state } = scope.run(() => ({ ...useLive(client.Note, () => ({ where: { rank: rank.value }, order: 'title' as const })), state: useSyncState(client) })) as
    ReturnType<typeof useLive<Note>> & { state: ReturnType<typeof useSyncState> }
  t.equal(rows.value, undefined)
  await until(() => titles(rows.value) === 'a')
  await client.Note.create({ title: 'b', rank: 1 })
  await until(() => titles(rows.value) === 'a,b')
  t.equal(state.value.pending, 2)
  rank.value = 2
  await until(() => titles(rows.value) === '')
  await client.sync()
  t.equal(state.value.pending, 0)
  scope.stop()
  await client.Note.create({ title: 'c', rank: 2 })
  await client.sync()
  t.same([titles(rows.value), state.value.pending, error.value], ['', 0, undefined], 'its end is the end of all')
})

t.test('RxDB: what its replication asks of handlers', async t => {
  const { models: { Note }, baseUrl } = await serve(t)
  const { pull, push } = rxDbReplication({ baseUrl, path: '/Notes' })
  await Note.create([{ id: 'a', title: '1' }, { id: 'b', title: '2' }, { id: 'c', title: '3' }])
  const first = await pull.handler(undefined, 2)
  t.equal(first.documents.length, 2)
  const rest = await pull.handler(first.checkpoint, 2)
  const documents = new Map([...first.documents, ...rest.documents].map(document => [document.id, document]))
  t.match(documents.get('a'), { id: 'a', title: '1', rev: /^\w+$/, _deleted: false })
  t.equal(documents.size, 3)

  const a = documents.get('a') as RxDocument
  const [now] = await push.handler([{ assumedMasterState: a, newDocumentState: { ...a, title: 'mine' } }])
  t.match(now, { title: 'mine', _deleted: false })
  t.not(now?.rev, a.rev, 'with its revision')
  const gone = { ...now as RxDocument, _deleted: true }
  t.same(await push.handler([{ assumedMasterState: now, newDocumentState: gone }]), [])
  t.match(await push.handler([{ newDocumentState: { id: 'd', title: 'new', rev: '', _deleted: false } }]), [{ title: 'new', rev: /^\w+$/ }])
  await Note.updateAll({ id: 'b' }, { title: 'theirs' })
  const b = documents.get('b') as RxDocument
  t.match(await push.handler([{ assumedMasterState: b, newDocumentState: { ...b, title: 'mine' } }]), [{ id: 'b', title: 'theirs' }], 'the master state of a conflict')
  await t.rejects(push.handler([{ newDocumentState: { id: 'bad', rev: '', _deleted: false } }]), { code: 'REQUEST_FAILED', statusCode: 422 })

  const next = await pull.handler(rest.checkpoint, 10)
  t.match(next.documents.sort((one, other) => String(one.id) < String(other.id) ? -1 : 1), [{ id: 'a', _deleted: true }, { title: 'theirs' }, { title: 'new' }])
  t.same((await pull.handler(next.checkpoint, 10)).documents, [])
  let pings = 0
  const stream = pull.stream$.subscribe(() => { pings++ })
  await until(async () => {
    await Note.create({ title: 'live' })
    return pings > 0
  })
  stream.unsubscribe()
})

t.test('SYD-35: replicate, as LoopBack 3 had it', async t => {
  const served = await serve(t)
  const { models: { Note } } = served
  const made = device(t, served)
  const { local: LocalNote, remote: RemoteNote } = loopbackModels<Note>(made.client, 'Note')
  const heard: number[] = []
  LocalNote.on('conflicts', conflicts => { heard.push(conflicts.length) })
  await LocalNote.create({ id: 'a', title: 'local' })
  let since: Checkpoints | undefined
  const errors: unknown[] = []
  await LocalNote.replicate(since, RemoteNote, {}, (error: unknown, conflicts: unknown[], checkpoints: Checkpoints) => {
    errors.push(error)
    t.same(conflicts, [])
    since = checkpoints
  })
  t.match(since, { source: Number, target: Number })
  t.match(await Note.findById('a'), { title: 'local' })
  for (const [resolve, title] of [['resolveUsingSource', 'local 1'], ['resolveUsingTarget', 'remote 2'], ['resolveManually', 'both'], ['resolve', 'local 4']] as const) {
    const n = heard.length + 1
    await LocalNote.upsert({ id: 'a', title: `local ${n}` })
    await Note.updateAll({ id: 'a' }, { title: `remote ${n}` })
    const [conflict] = await LocalNote.replicate(since, RemoteNote)
    t.match(await conflict?.models(), [{ title: `local ${n}` }, { title: `remote ${n}` }])
    t.match(await conflict?.swapParties().models(), [{ title: `remote ${n}` }, { title: `local ${n}` }])
    t.equal(await conflict?.type(), 'update')
    if (resolve === 'resolveManually') await conflict?.resolveManually({ id: 'a', title: 'both' }, error => { errors.push(error) })
    else await conflict?.[resolve](error => { errors.push(error) })
    await RemoteNote.replicate(since, LocalNote)
    t.equal((await Note.findById('a')).title, title)
    t.equal((await LocalNote.findById('a'))?.title, title)
  }
  t.same(heard, [1, 1, 1, 1])
  t.same(await LocalNote.deleteById('a'), { count: 1 })
  t.equal(await LocalNote.findOne({}), null)
  t.same([await LocalNote.count(), await LocalNote.find()], [0, []])
  t.same(errors, [null, null, null, null, null])
  made.isOnline = false
  await LocalNote.replicate(RemoteNote, (error: unknown) => { t.match(error, { code: 'OFFLINE' }) })
  await t.rejects(LocalNote.replicate(RemoteNote), { code: 'OFFLINE' })
})
