/** Defaults of rows that are older than the property, and what of defaults is not stored. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

type Loose = any

/** A model whose one row was stored before it had all of its properties. */
async function grown (settings: object = {}): Promise<Loose> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: memoryConnector })
  await (db.createModel('Note', { title: 'string' }) as Loose).create({ title: 'old' })
  return db.createModel('Note', {
    title: 'string',
    state: { type: 'string', default: 'new' },
    at: { type: 'date', defaultFn: 'now' },
    mark: { type: 'string', default: 'none', applyDefaultOnWrites: false },
    lang: { type: 'string', default: 'en', persistDefaultValues: false }
  }, settings as Record<string, unknown>)
}

const json = (value: unknown): Loose => JSON.parse(JSON.stringify(value))

t.test('rows that lack a value are read with its default', async t => {
  const Note = await grown()
  const at = /^\d{4}-.*Z$/
  const whole = { title: 'old', state: 'new', at, lang: 'en', id: 1 }
  t.match(json(await Note.find()), [whole])
  t.match(json(await Note.findById(1)), whole)
  t.match(json(await Note.findOrCreate({ where: { title: 'old' } }, {})), [whole, false])
  t.notOk('mark' in json(await Note.findById(1)), 'a default for documentation alone is none')
  t.strictSame(json(await Note.findOne({ fields: ['title', 'state'] })), { title: 'old', state: 'new' })
  t.equal(await Note.count({ state: 'new' }), 0, 'conditions see what is stored')
  t.match(json(await (await Note.findById(1)).updateAttributes({ title: 'older' })), { ...whole, title: 'older' })
})

t.test('applyDefaultsOnReads: false', async t => {
  const Note = await grown({ applyDefaultsOnReads: false })
  t.strictSame(json(await Note.find()), [{ title: 'old', id: 1 }])
  t.match(json(await Note.create({ title: 'a', mark: 'none' })), { state: 'new', mark: 'none', lang: 'en' })
  const found = json(await Note.findById(2))
  t.match(found, { title: 'a', state: 'new' })
  t.notOk('mark' in found, 'new rows are stored without applyDefaultOnWrites: false')
  t.notOk('lang' in found)
})
