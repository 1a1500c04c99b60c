/**
 * Two registries in two encapsulated contexts of one server: no model, hook, data source or route of one is seen by the
 * other (packages/docs/architecture.md, "What belongs to what").
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { core, type HookContext, type ModelClass } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'

const book = {
  name: 'Note',
  plural: 'notes',
  properties: { title: { type: 'string', required: true }, pages: 'number' }
}
const song = {
  name: 'Note',
  plural: 'notes',
  properties: { pitch: { type: 'string', required: true } },
  // Rows may have more than is declared, and a name of that kind is hidden.
  strict: false,
  hidden: ['secret']
}

t.test('two contexts, one server', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'fastback-'))
  const app = Fastify()
  t.teardown(async () => { await app.close(); await rm(dir, { recursive: true }) })
  const contexts: FastifyInstance[] = []
  const started: string[] = []
  const stores = [{ connector: memoryConnector }, { connector: sqlConnector, url: `sqlite:${join(dir, 'songs.db')}` }]
  for (const [i, [prefix, definition]] of ([['/books', book], ['/songs', song]] as const).entries()) {
    await app.register(async scope => {
      await scope.register(core, {
        dataSources: { db: stores[i] as never },
        definitions: [definition, ...(i === 0 ? [{ name: 'Shelf' }] : [])],
        models: { Note: { dataSource: 'db' } }
      })
      const Note = scope.models.Note as ModelClass
      Note.observe('before save', (context: HookContext) => {
        started.push(`${prefix} ${String(context.instance?.title ?? context.instance?.pitch)}`)
      })
      const beforeRemote = Note.beforeRemote as (method: string, hook: unknown) => void
      beforeRemote.call(Note, 'create', async (context: { res: { set(name: string, value: string): void } }) => {
        context.res.set('x-context', prefix)
      })
      await scope.register(rest, { prefix: '/api' })
      await t.rejects(
        async () => {
          await core(scope, {})
        },
        { code: 'FBK_CORE_ALREADY_REGISTERED' },
        'one registry per context'
      )
      contexts.push(scope)
    }, { prefix })
  }
  await app.ready()

  t.notOk(app.hasDecorator('registry'), 'the root has no registry')
  const [books, songs] = contexts as [FastifyInstance, FastifyInstance]
  t.not(books.registry, songs.registry)
  t.not(books.models.Note, songs.models.Note)
  t.same(['Shelf' in books.models, 'Shelf' in songs.models], [true, false], 'a model of one is not in the other')

  const created = await app.inject({ method: 'POST', url: '/books/api/notes', payload: { title: 'Moby' } })
  t.equal(created.statusCode, 200)
  t.equal(created.headers['x-context'], '/books')
  t.equal(
    (await app.inject({ method: 'POST', url: '/songs/api/notes', payload: { title: 'Moby' } })).statusCode,
    422,
    'each validates with its own schema'
  )
  const sung = await app.inject({ method: 'POST', url: '/songs/api/notes', payload: { pitch: 'a' } })
  t.equal(sung.headers['x-context'], '/songs')
  t.same(started, ['/books Moby', '/songs Moby', '/songs a'], 'hooks run in their own context')
  t.same((await app.inject('/books/api/notes')).json(), [{ title: 'Moby', id: 1 }])
  t.same((await app.inject('/songs/api/notes')).json(), [{ pitch: 'a', id: 1 }])
  t.equal((await app.inject('/api/notes')).statusCode, 404)
})
