/** Long responses and long lists of writes leave others their turns; and a response lists so many violations. */
import Fastify from 'fastify'
import tap, { type Test } from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry } from '@fastback/core'
import rest from '@fastback/rest'
import { installSync } from '@fastback/sync'

interface Loose { create (data: object): Promise<unknown>, find (filter?: object): Promise<unknown[]> }

async function serve (t: Test): Promise<{ url: string, Note: Loose }> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineModels([{
    input: {
      name: 'Note',
      trackChanges: true,
      properties: {
        id: { type: 'string', id: true, defaultFn: 'guid' },
        title: 'string', text: 'string', stars: 'number', tags: ['string'], rows: [['number']]
      }
    }
  }])
  registry.attach('Note', 'db', { public: true })
  installSync(registry)
  const Note = registry.models.Note as unknown as
    Loose & { plain: unknown, remoteMethod (name: string, options: object): void }
  Note.plain = async () => ({
    rows: Array.from({ length: 20_000 }, (_, i) => ({ i, title: `title ${i}`, tags: ['a', 'b', 'c'] }))
  })
  Note.remoteMethod('plain', { returns: { arg: 'result', type: 'object', root: true }, http: { verb: 'get', path: '/plain' } })
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(rest, { prefix: '/api', remoting: { rest: { xml: true } } })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url: `${url}/api/Notes`, Note }
}

/**
 * How work is spread over ticks of the event loop, by a clock that goes on with each look at it and not by itself: so
 * many looks are due to a pause, however fast or busy the machine is.
 * @returns `looks`: how often something looked whether a pause is due; `ticks`: in how many ticks of the event loop;
 * `most`: looks of one tick
 */
async function ticksOf (work: () => Promise<unknown>): Promise<{ looks: number, ticks: number, most: number }> {
  const begun = performance.now()
  const inTicks = new Map<number, number>()
  let tick = 0
  let looks = 0
  const next = (): void => {
    tick++
    following = setImmediate(next)
  }
  let following = setImmediate(next)
  performance.now = () => {
    inTicks.set(tick, (inTicks.get(tick) ?? 0) + 1)
    return begun + ++looks
  }
  try {
    await work()
  } finally {
    Reflect.deleteProperty(performance, 'now')
    clearImmediate(following)
  }
  return { looks, ticks: inTicks.size, most: Math.max(...inTicks.values()) }
}

const text = async (url: string, init?: RequestInit): Promise<string> => await (await fetch(url, init)).text()
const json = (body: unknown): RequestInit =>
  ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

tap.test('S-101 XML and plain JSON of long lists, and bulk updates, are done in turns', async t => {
  // Seen to fail: XML of 3,000 rows was one turn, and so were 400 updates of one call.
  const { url, Note } = await serve(t)
  const rows = Array.from({ length: 3000 }, (_, i) => ({ id: `n${i}`, title: `<${i}>`, text: 'x'.repeat(50), stars: i, tags: ['a', 'b'] }))
  await Note.create(rows as never)
  await text(`${url}?_format=xml&filter={"limit":1}`)
  // Seven looks are a tick. Without the pauses of either part (plain rows, lines) XML is below its number.
  const spread = async (what: string, least: number, work: () => Promise<unknown>): Promise<void> => {
    const { looks, ticks, most } = await ticksOf(work)
    const seen = `${what}: ${looks} looks in ${ticks} ticks, ${most} in one`
    t.ok(ticks >= least, seen)
    t.ok(most <= 30, seen)
  }
  let xml = ''
  await spread('XML', 530, async () => { xml = await text(`${url}?_format=xml`) })
  t.match(xml, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<response>\n {2}<result>\n {4}<id>n0<\/id>\n/)
  t.equal(xml.match(/^ {2}<result>$/gm)?.length, 3000)
  t.ok(xml.endsWith('\n  </result>\n</response>'))
  let plain = ''
  await spread('JSON', 3000, async () => { plain = await text(`${url}/plain`) })
  t.equal((JSON.parse(plain) as { rows: unknown[] }).rows.length, 20_000)
  const changes = JSON.parse(await text(`${url}/changes`)) as Array<{ modelId: string, rev: string }>
  const updates = changes.slice(0, 400).map(({ modelId, rev }) =>
    ({ type: 'update', change: { modelName: 'Note', modelId, rev: 'x', prev: rev }, data: { title: 'changed' } }))
  let status = 0
  await spread('updates', 50, async () => { status = (await fetch(`${url}/bulk-update`, json({ updates }))).status })
  t.equal(status, 204)
  t.equal((await Note.find({ where: { title: 'changed' } })).length, 400)
})

tap.test('S-106 an answer lists a thousand violations, whatever holds them', async t => {
  // Seen to fail: 100 kB of [1,1,…] were answered with 50,000 violations in 4.4 MB.
  const { url } = await serve(t)
  const many = (length: number, item: unknown): unknown[] => Array.from({ length }, () => item)
  for (const body of [
    many(40_000, 1), many(20_000, []), many(3_000, { stars: 'x', title: 1 }), { tags: many(20_000, 1) }, [{ rows: [many(20_000, 'x')] }]
  ]) {
    const answer = await fetch(url, json(body))
    const told = await answer.text()
    t.equal(answer.status, 422)
    t.equal((JSON.parse(told) as { error: { details: unknown[] } }).error.details.length, 1000)
    t.ok(told.length < 300_000, String(told.length))
  }
  const changes = Array.from({ length: 50 }, (_, i) => ({ id: `n${i}`, base: null, data: { id: `n${i}`, rows: [many(100, 'x')] } }))
  const pushed = JSON.parse(await text(`${url}/sync/push`, json({ changes }))) as { results: Array<{ error?: { details?: unknown[] } }> }
  const details = pushed.results.map(({ error }) => error?.details?.length ?? 0)
  t.equal(details.reduce((sum, each) => sum + each, 0), 1000, details.join())
})
