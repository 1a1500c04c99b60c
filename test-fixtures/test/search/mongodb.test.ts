/** On MongoDB, searches for words find the rows that they find in memory. */
import { memoryConnector } from '@fastback/connector-memory'
import { mongodbConnector } from '@fastback/connector-mongodb'
import { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { testDatabase } from '../../../packages/connector-mongodb/test/support/database.js'

type Loose = any

const note = {
  name: 'Note',
  properties: { id: { type: 'string', id: true, generated: false }, title: 'string', body: 'string' },
  indexes: { search: { text: ['title', 'body'] } }
} as unknown as ModelDefinitionInput

async function open (t: Test, settings: object): Promise<Loose> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', settings as Loose)
  registry.attach(registry.defineModel(note), db)
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models.Note
}

const words = [
  'fast', 'FAST', 'fa\u017ft', 'kelvin', '\u212aelvin', 'food', 'a', 'the', 'café', 'Привет', '42', '$where', 'a.b',
  '0123456789abcdef01234567'
]
const text = fc.array(fc.constantFrom(...words), { maxLength: 4 })
  .chain(some => fc.constantFrom(' ', '_', ', ', '.').map(between => some.join(between)))
const term = fc.oneof(fc.constantFrom(...words), fc.constantFrom('"fast food"', '-the', '-"a fast"', '{"$ne":1}', '.*', '^fast'))
const search = fc.array(term, { minLength: 1, maxLength: 3 }).map(some => `${some.join(' ')} `)

t.test('as in memory', async t => {
  const stored = await open(t, { ...(await testDatabase(t)).settings, connector: mongodbConnector })
  const memory = await open(t, { connector: memoryConnector })
  let seen = 0
  const answer = async (model: Loose, filter: object): Promise<unknown> => {
    try {
      return (await model.find(filter)).map(({ id }: Loose) => id)
    } catch (error) {
      return (error as Loose).code ?? String(error)
    }
  }
  await fc.assert(fc.asyncProperty(
    fc.array(fc.record({ title: fc.option(text), body: fc.option(text) }), { minLength: 1, maxLength: 8 }),
    fc.array(search, { minLength: 8, maxLength: 8 }),
    async (rows, searches) => {
      for (const model of [stored, memory]) {
        await model.destroyAll()
        await model.create(rows.map((row, i) => ({ ...row, id: `r${i}` })))
      }
      for (const $search of searches) {
        for (const more of [{}, { order: '$rank', limit: 2 }]) {
          const filter = { where: { $search }, ...more }
          const [found, expected] = [await answer(stored, filter), await answer(memory, filter)]
          if (Array.isArray(found) && found.length > 0) seen++
          if (JSON.stringify(found) !== JSON.stringify(expected)) {
            throw new Error(`${JSON.stringify(filter)}: ${JSON.stringify(found)}, and not ${JSON.stringify(expected)}`)
          }
        }
      }
    }
  ), { numRuns: 40 })
  t.ok(seen > 20, `${seen} searches found something`)
})
