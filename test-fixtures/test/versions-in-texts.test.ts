/** Versions that are told with finished texts of rows: the row's own, whatever else in it resembles one. */
import path from 'node:path'
import t, { type Test } from 'tap'
import { sqlConnector } from '@fastback/connector-sql'
import { findByIdText, patchText, ROW_KNOWN, ROW_SEEN } from '@fastback/core/remote'
import { modelsOn, stores, type Stores } from './agreement-stores.js'

const definitions = [
  { name: 'Plain', version: true, properties: { alpha: 'string', zulu: 'string', at: 'date', count: 'number' } },
  { name: 'Renamed', version: 'a "b"', properties: { 'a "b"': 'number', zulu: 'string' } },
  { name: 'Nested', version: true, properties: { zulu: { type: 'object' }, alpha: { type: 'object' } } },
  { name: 'Loose', version: true, strict: false, properties: { zulu: 'string' } },
  { name: 'Covered', version: true, hidden: ['version'], properties: { zulu: 'string' } }
]

const misleading = '{"version":90,"a \\"b\\"":91}, "version":92'
const rows: Readonly<Record<string, object>> = {
  Plain: { alpha: misleading, zulu: misleading, at: new Date(0), count: 9 },
  Renamed: { zulu: misleading },
  Nested: { alpha: { version: 93 }, zulu: { version: 94 } },
  Loose: { zulu: misleading, zz: { version: 95 } },
  Covered: { zulu: misleading }
}

const parsed = (text: string | undefined): unknown => text === undefined ? undefined : JSON.parse(text)

/** Such a store looks at the version first where the client has one. */
const inFile = async (t: Test): Promise<Stores> =>
  ({ main: { connector: sqlConnector, url: `sqlite:${path.join(t.testdir(), 'db.sqlite')}`, migrate: 'reset' } })

for (const [name, open] of [...stores, ['sqlite in a file', inFile] as const]) {
  t.test(name, async t => {
    const opened = await open(t)
    if (opened === undefined) { t.pass('there is no such server'); return }
    const models = await modelsOn(opened, t, definitions, definitions.map(each => each.name))
    for (const [kind, row] of Object.entries(rows)) {
      const Model = models[kind] as any
      const { compiled } = Model
      const told: unknown[] = []
      const options = (knows: boolean): any => ({
        [ROW_SEEN]: (model: any, row: any) => { told.push(row[model.version.name]); return knows }
      })
      const { id } = await Model.create(row)
      const read = await findByIdText(compiled, id, undefined, options(false))
      const known = await findByIdText(compiled, id, undefined, options(true))
      t.strictSame(told.splice(0), [1, 1], `${kind}: of reads`)
      t.equal(known, '', `${kind}: no text for who has it`)
      t.same(parsed(read), parsed(await findByIdText(compiled, id, undefined)), `${kind}: the row is the same as without`)
      const asked = { ...options(true), [ROW_KNOWN]: true }
      t.equal(await findByIdText(compiled, id, undefined, asked), '', `${kind}: nor where the version is looked at first`)
      t.equal(await findByIdText(compiled, 12345, undefined, asked), undefined)
      const other = { ...options(false), [ROW_KNOWN]: true }
      t.same(parsed(await findByIdText(compiled, id, undefined, other)), parsed(read), `${kind}: who has another one gets it`)
      t.strictSame(new Set(told.splice(0)), new Set([1]))
      const patched = await patchText(compiled, id, { zulu: kind === 'Nested' ? { version: 96 } : 'x' }, options(false))
      t.strictSame(told.splice(0), [2], `${kind}: of a patch`)
      t.same(parsed(patched), parsed(await findByIdText(compiled, id, undefined)))
      await t.rejects(async () => await patchText(compiled, id, { zulu: null }, { ...options(false), ifVersion: 1 }),
        { statusCode: 412, code: 'VERSION_CONFLICT', current: { id } }, `${kind}: a row that has changed`)
      t.equal(await patchText(compiled, 12345, { zulu: null }, { ...options(false), ifVersion: 1 }), undefined)
      t.strictSame(told.splice(0), [], `${kind}: nothing of what is not written`)
      const again = await patchText(compiled, id, { zulu: null }, { ...options(false), ifVersion: 2 })
      t.strictSame([again === undefined, told], [false, [3]], `${kind}: of a patch of the version that was seen`)
    }
  })
}
