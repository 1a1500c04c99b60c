// FASTBACK_TEST_FULL: statements as large as database servers take them.
/**
 * What each database has at most (columns of a table, arguments of a function, parameters of a statement, depth of an
 * expression, bytes of a name): at the limit everything answers, and one past it the start says which model it was.
 */
import t, { type Test } from 'tap'
import { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { asRemote, findText } from '@fastback/core/remote'
import { sqlConnector } from '@fastback/connector-sql'
import { scratchUrl } from './support/scratch.js'

type Loose = any

interface Limits {
  /** Columns of a table, its id and the column for undeclared properties among them. */
  readonly columns: number
  /** How many there may be that each hold a text. MySQL bounds the bytes of a row. */
  readonly widths: readonly number[]
  /** The longest name of a column; undefined: there is no bound. */
  readonly name: string | undefined
}

const engines: Readonly<Record<'sqlite' | 'postgres' | 'mysql', Limits>> = {
  // 100 arguments of `concat_ws` and of `printf`, 1,000 levels of an expression, 2,000 columns of a result.
  sqlite: { columns: 2000, widths: [99, 101, 1001, 1990], name: undefined },
  postgres: { columns: 1600, widths: [49, 50, 99, 100, 1400], name: `${'é'.repeat(31)}a` },
  mysql: { columns: 1017, widths: [101, 190], name: 'x'.repeat(64) }
}

const propertiesOf = (width: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: width }, (_, i) => [`p${String(i)}`, 'string']))

async function open (t: Test, url: string, definition: ModelDefinitionInput): Promise<Loose> {
  const registry = new ModelRegistry({})
  registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'reset' })
  registry.attach(registry.defineModel(definition), 'db')
  t.teardown(() => registry.stop())
  await registry.start()
  return registry.models[definition.name]
}

for (const [engine, { columns, widths, name }] of Object.entries(engines)) {
  t.test(engine, async t => {
    const url = engine === 'sqlite'
      ? `sqlite:${t.testdir({})}/wide.sqlite`
      : await scratchUrl(t, engine as 'postgres' | 'mysql')
    if (url === undefined) return

    for (const width of widths) {
      for (const strict of [true, false]) {
        await t.test(`${String(width)} properties, ${strict ? 'strict' : 'open'}`, async t => {
          const properties = propertiesOf(width)
          const Wide = await open(t, url, {
            name: 'Wide', strict, properties, relations: { others: { type: 'hasMany', model: 'Wide', foreignKey: 'p1' } }
          })
          const row = Object.fromEntries(Object.keys(properties).map((name, i) => [name, String(i)]))
          const text = async (filter: object): Promise<Loose[]> =>
            JSON.parse(await findText(Wide.compiled, filter, asRemote({})))

          const { id } = await Wide.create(row)
          t.strictSame((await Wide.findById(id)).toObject(), { ...row, id }, 'what was created is read')
          await Wide.create({})
          const many = width === widths.at(-1) && strict ? Math.ceil(70_000 / width) : 40
          t.equal((await Wide.create(Array.from({ length: many }, () => ({ ...row, p0: 'many' })))).length, many,
            'many, with more values than a statement has parameters')
          const page = { order: 'id', limit: 30 }
          t.strictSame((await text({ ...page, where: { id } })), [{ ...row, id }], 'as text')
          for (const filter of [page, { ...page, skip: 3 }, { ...page, include: 'others', limit: 2 },
            { ...page, fields: { p0: false } }, { ...page, order: 'p1 DESC' }]) {
            const plain = (await Wide.find({ ...filter, include: undefined })) as Loose[]
            const written = await text(filter)
            t.strictSame(written.map(({ id }) => id), plain.map(({ id }) => id), JSON.stringify(filter))
          }
          const anyOf = Object.keys(row).slice(0, 490).map(name => ({ [name]: '1' }))
          t.equal(await Wide.count({ or: anyOf }), many + 1, 'a condition on many of them')
          t.equal((await text({ ...page, where: { or: anyOf } })).length, Math.min(30, many + 1))
          t.strictSame(await Wide.updateAll({ id }, { ...row, p0: 'new' }), { count: 1 })
          t.equal((await (await Wide.findById(id)).updateAttributes({ ...row, p0: 'newer' })).p0, 'newer')
          t.equal((await Wide.replaceById(id, { ...row, p0: 'newest' })).p0, 'newest')
          t.equal((await Wide.upsert({ ...row, id, p0: 'last' })).p0, 'last')
        })
      }
    }

    t.test('one property more than a table has columns', async t => {
      await t.rejects(open(t, url, { name: 'TooWide', strict: true, properties: propertiesOf(columns) }), {
        code: 'FBK_CORE_MIGRATION', message: /model "TooWide": the database refuses to make the table "TooWide" with \d+ columns: /
      })
    })

    t.test('names', async t => {
      const longest = name ?? 'x'.repeat(300)
      const index = { [`${longest} of ${longest}`]: { keys: { [longest]: 1 } } }
      const Named = await open(t, url, { name: 'Named', strict: true, properties: { [longest]: 'string' }, indexes: index })
      await Named.create({ [longest]: 'a' })
      t.equal(await Named.count({ [longest]: 'a' }), 1, 'the longest')
      const wrong = [...name === undefined ? [] : [`${longest}x`], ...engine === 'postgres' ? ['xmin', 'ctid'] : [], 'a\0b']
      for (const name of wrong) {
        await t.rejects(open(t, url, { name: 'Misnamed', strict: true, properties: { [name]: 'string' } }), {
          code: 'FBK_SQL_IDENTIFIER',
          message: `The name ${JSON.stringify(name)} (model "Misnamed", property "${name}") cannot be used`
        }, JSON.stringify(name))
      }
    })
  })
}
