/** Replication between two applications over real sockets, both ways. */
import Fastify from 'fastify'
import t from 'tap'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { remoteConnector } from '@fastback/connector-remote'
import { rest } from '@fastback/rest'
import { sync } from '@fastback/sync'

type Loose = any

const properties = { id: { type: 'string', id: true, defaultFn: 'guid' }, title: 'string', done: 'boolean' }

t.test('SY-82, SY-83, SYD-11: a client with a remote model pushes, pulls and settles a conflict', async t => {
  const server = Fastify({ forceCloseConnections: true })
  await server.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: [{ name: 'Note', trackChanges: true, properties } as Loose],
    models: { Note: { dataSource: 'db' } }
  })
  await server.register(sync)
  await server.register(rest, { prefix: '/api' })
  const url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/api`
  t.teardown(async () => { await server.close() })

  const client = Fastify()
  await client.register(core, {
    dataSources: { local: { connector: memoryConnector }, remote: { connector: remoteConnector, url } },
    definitions: [
      { name: 'LocalNote', trackChanges: true, properties } as Loose,
      { name: 'RemoteNote', plural: 'Notes', enableRemoteReplication: true, properties } as Loose
    ],
    models: { LocalNote: { dataSource: 'local' }, RemoteNote: { dataSource: 'remote' } }
  })
  await client.register(sync)
  await client.ready()
  t.teardown(async () => { await client.close() })
  const { LocalNote, RemoteNote } = client.models as Loose
  const { Note } = server.models as Loose
  const titles = async (Model: Loose): Promise<unknown> =>
    (await Model.find({ order: 'id' })).map(({ id, title }: Loose) => `${id} ${title}`)

  await LocalNote.create({ id: 'a', title: 'from client' })
  await Note.create({ id: 'b', title: 'from server' })
  const push = await LocalNote.replicate(-1, RemoteNote)
  const pull = await RemoteNote.replicate(-1, LocalNote)
  t.same([...push, ...pull], [])
  t.same(await titles(Note), ['a from client', 'b from server'])
  t.same(await titles(LocalNote), await titles(Note))

  await LocalNote.updateAll({ id: 'b' }, { title: 'client edit' })
  await Note.updateAll({ id: 'b' }, { title: 'server edit' })
  await LocalNote.destroyById('a')
  const conflicts = await LocalNote.replicate(push.checkpoints, RemoteNote)
  t.same(conflicts.map(({ modelId }: Loose) => modelId), ['b'])
  const [source, target] = await conflicts[0].models()
  t.same([source.title, target.title], ['client edit', 'server edit'])
  await conflicts[0].resolveUsingTarget()
  await LocalNote.replicate(-1, RemoteNote)
  t.same(await titles(Note), ['b server edit'], 'the delete was carried, the row of the server stays')
  t.same(await titles(LocalNote), ['b server edit'])
})
