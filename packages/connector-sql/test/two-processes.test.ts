/**
 * What holds when two processes write to one PostgreSQL: here two registries, each with connections of its own. Skipped
 * where there is no server.
 */
import t from 'tap'
import { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'

type Loose = any

const definitions: ModelDefinitionInput[] = [
  { name: 'Note', base: 'Model', properties: { id: { type: 'number', id: true }, text: 'string' } },
  { name: 'Tag', idInjection: false, forceId: false, properties: { slug: { type: 'string', id: true } } },
  {
    name: 'Person',
    properties: { email: 'string', nick: 'string', team: 'string' },
    relations: {
      notes: { type: 'embedsMany', model: 'Note', property: 'noteList' },
      tags: { type: 'referencesMany', model: 'Tag' }
    }
  }
]

async function start (url: string, migrate: string): Promise<ModelRegistry> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: sqlConnector, url, migrate: migrate as 'update' })
  for (const definition of definitions) registry.attach(registry.defineModel(definition), 'db')
  const { Person } = registry.models as Loose
  Person.validatesUniquenessOf('email', { ignoreCase: true })
  Person.validatesUniquenessOf('nick', { scopedTo: ['team'] })
  await registry.start()
  return registry
}

/** Somebody in whose way others got five times in a row is told to ask again, and does. */
async function outcome (run: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    try {
      await run()
      return 'done'
    } catch (error) {
      const { statusCode, code } = error as Loose
      if (code !== 'DATABASE_BUSY' || tries === 100) return statusCode
    }
  }
}

t.test('postgres', await isReachable('postgres') ? {} : { skip: 'no PostgreSQL server' }, async t => {
  const scratch = await makeScratch('postgres')
  const registries = [await start(scratch.url, 'update'), await start(scratch.url, 'none')]
  t.teardown(async () => {
    for (const registry of registries) await registry.stop()
    await scratch.remove()
  })
  const people = registries.map(registry => registry.models.Person as Loose)
  const both = async (run: (Person: Loose, i: number) => Promise<unknown>): Promise<Loose[]> =>
    await Promise.all(
      Array.from({ length: 16 }, async (_, i) => await outcome(async () => await run(people[i % 2], i)))
    )

  const { id } = await people[0].create({ email: 'first@x' })
  t.same(
    await both(async (Person, i) => await (await Person.findById(id)).notes.create({ text: `n${i}` })),
    Array(16).fill('done')
  )
  const { noteList } = await people[1].findById(id)
  t.same(
    noteList.map((note: Loose) => note.id).sort((a: number, b: number) => a - b),
    Array.from({ length: 16 }, (_, i) => i + 1),
    'no embedded row is lost, no id is given twice'
  )
  t.same(
    await both(async (Person, i) => await (await Person.findById(id)).tags.create({ slug: `t${i}` })),
    Array(16).fill('done')
  )
  t.equal((await people[1].findById(id)).tagIds.length, 16, 'no key is lost')

  const once = [...Array(15).fill(422), 'done']
  t.same(
    (await both(async (Person, i) => await Person.create({ email: i % 3 === 0 ? 'É@x' : 'é@X' }))).sort(),
    once,
    'unique in any case'
  )
  t.same(
    (await both(async Person => await Person.create({ nick: 'n' }))).sort(),
    once,
    'unique where the scope has no value'
  )
  t.same(
    (await both(async Person => await Person.create({ nick: 'n', team: 'a' }))).sort(),
    once,
    'unique within a scope'
  )
})
