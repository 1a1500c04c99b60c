/** Several that listen to an application's work, and none that stays. */
import { memoryConnector } from '@fastback/connector-memory'
import { instrument, instrumentOf, instrumentReads, type Instrument } from '@fastback/core/remote'
import { ModelRegistry } from '@fastback/core'
import t from 'tap'

t.test('each is told, the first outermost, until it stops', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  const Note = registry.defineModel({ name: 'Note', properties: { title: 'string' } })
  registry.attach('Note', 'db')
  Note.observe('before save', async ({ instance }) => {
    if (instance !== undefined) instance.title = 'hooked'
  })
  const told: string[] = []
  const listener = (name: string): Instrument => (step, work, values) => {
    told.push(`${name} ${step.kind} ${step.name}`)
    if (step.kind === 'hook') told.push(`${name} sees ${String(values?.changing?.()?.title)}`)
    return work()
  }
  const [first, second] = [listener('first'), listener('second')]
  t.equal(instrumentOf(registry), undefined)
  const stopFirst = instrument(registry, first)
  const stopSecond = instrument(registry, second)
  instrument(registry, second)
  const around = instrumentOf(registry)
  const stopReads = instrumentReads(registry, (dataSource, { model, operation }, work) => {
    told.push(`reads ${dataSource} ${model.name} ${operation}`)
    return work()
  })
  const create = async (data: object): Promise<{ title: string }> =>
    await (Note.create as (data: object) => Promise<{ title: string }>)(data)
  t.equal((await create({ title: 'a' })).title, 'hooked')
  t.same(told.splice(0), [
    'first hook Note before save', 'first sees a', 'second hook Note before save', 'second sees a',
    'first query db', 'second query db'
  ])
  await (Note.find as () => Promise<unknown>)()
  t.same(told.splice(0), ['reads db Note find', 'first query db', 'second query db'])
  stopFirst()
  stopReads()
  t.equal(instrumentOf(registry), around, 'routes keep one for all')
  await (Note.find as () => Promise<unknown>)()
  t.same(told.splice(0), ['second query db'])
  stopSecond()
  await create({ title: 'b' })
  t.same([told, instrumentOf(registry)], [[], undefined])
  t.equal(around?.({ kind: 'method', name: 'x' }, () => 7), 7, 'what asked before is not in the way')
})
