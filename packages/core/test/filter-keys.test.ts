/** Parts of a filter that are an application's own: who reads them, and what becomes of those that nobody reads. */
import t, { type Test } from 'tap'
import { ModelRegistry, type HookContext } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

type Loose = any

async function start (t: Test, model: object, settings: object = {}, log?: Loose): Promise<Loose> {
  const registry = new ModelRegistry({ settings: settings as Loose, log })
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineModels([{ input: { name: 'Note', properties: { title: 'string', deleted: 'boolean' }, ...model } }])
  registry.attach('Note', 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  const { Note } = registry.models as Loose
  await Note.create([{ title: 'a', deleted: false }, { title: 'b', deleted: true }])
  return Note
}

const refused = { statusCode: 400, code: 'UNKNOWN_FILTER_KEY' }

t.test('who says nothing: what nobody reads is refused', async t => {
  for (const model of [{ strict: true }, {}]) await t.rejects((await start(t, model)).find({ page: 2 }), refused)
})

t.test('what is ignored is told once', async t => {
  const told: string[] = []
  const log = { warn: (_: object, line: string) => { told.push(line) }, info () {}, debug () {} }
  const Note = await start(t, {}, { unknownFilterKeys: 'ignore' }, log)
  for (const page of [1, 2]) await Note.find({ page })
  t.strictSame(told, ['The filter part "page" of "Note" has no effect: nobody reads it'])
})

t.test('the setting of an application or a model decides', async t => {
  t.equal((await (await start(t, { strict: true }, { unknownFilterKeys: 'ignore' })).find({ page: 2 })).length, 2)
  const told = await start(t, { unknownFilterKeys: 'refuse' }, { unknownFilterKeys: 'ignore' })
  await t.rejects(told.find({ page: 2 }), refused)
  await t.rejects(told.findOne({ limt: 2 }), refused)
})

for (const unknownFilterKeys of ['ignore', 'refuse']) {
  t.test(`${unknownFilterKeys}: an access hook sees keys of its own`, async t => {
    const Note = await start(t, { strict: true }, { unknownFilterKeys })
    Note.observe('access', async ({ query }: HookContext) => {
      const asked = query as Loose
      if (asked.withDeleted !== true) asked.where = { and: [asked.where ?? {}, { deleted: false }] }
    })
    t.equal((await Note.find()).length, 1)
    t.equal((await Note.find({ withDeleted: true })).length, 2)
    t.equal((await Note.find({ withDeleted: true, where: { title: 'a' } })).length, 1)
    if (unknownFilterKeys === 'refuse') await t.rejects(Note.find({ limt: 1 }), refused, 'nobody read this one')
    else t.equal((await Note.find({ limt: 1 })).length, 1)
  })
}
