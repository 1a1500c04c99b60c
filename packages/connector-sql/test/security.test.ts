/**
 * Hostile names and values (security.md, S-01, S-03, S-20 to S-22, S-34, S-58), and the bound on prepared statements.
 */
import t from 'tap'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Condition, ConditionValue, Row } from '@fastback/core'
import { openSql } from './support/connectors.js'
import { makeModel, path, query, selectAll } from './support/models.js'
import { refuses } from './support/refuses.js'

const hostile = [
  "'",
  '"',
  '\'; DROP TABLE "Item"; --',
  '" OR 1=1 --',
  '\\',
  '%',
  '_',
  '\0',
  "a\0'; --",
  '?',
  '?1',
  ':a',
  '$.x',
  '") ; DELETE FROM "Item" --',
  '/* */',
  '\u2028',
  '$' + '{1}',
  '`',
  '{"a":1}',
  '[1]',
  'null'
]

t.test('values are data, in every form of condition and write', async t => {
  const item = makeModel(
    'Item',
    { name: 'string', tags: { kind: 'array', items: { kind: 'string' } }, free: 'any' },
    { open: true }
  )
  const sql = await openSql({ url: 'sqlite::memory:' }, [item])
  t.teardown(() => sql.disconnect())
  await sql.create(item, { name: 'bystander' }, {})
  for (const value of hostile) {
    const { id } = await sql.create(item, { name: value, tags: [value], free: { [value]: value }, more: value }, {})
    const where = (condition: Condition): number => sql.count(item, condition, {}) as number
    const place = path(item, 'name')
    t.equal(where({ kind: 'compare', path: place, op: 'eq', value }), 1, encodeURIComponent(value))
    t.equal(where({ kind: 'in', path: place, op: 'inq', values: [value, 'nobody'] }), 1)
    t.equal(
      where({
        kind: 'like',
        path: place,
        negated: false,
        ignoreCase: false,
        pattern: value.replace(/[\\%_]/g, '\\$&')
      }),
      1
    )
    t.equal(
      where({
        kind: 'like',
        path: place,
        negated: false,
        ignoreCase: true,
        pattern: `${value.replace(/[\\%_]/g, '\\$&')}%`
      }) >= 1,
      true
    )
    t.equal(where({ kind: 'compare', path: path(item, 'tags'), op: 'eq', value }), 1)
    t.equal(where({ kind: 'compare', path: { ...path(item, 'free'), path: [value] }, op: 'eq', value }), 1)
    t.equal(where({ kind: 'compare', path: path(item, 'more'), op: 'eq', value }), 1)
    t.same(await sql.updateById(item, id as number, { name: value + value, other: value }, {}), {
      id,
      name: value + value,
      tags: [value],
      free: { [value]: value },
      more: value,
      other: value
    })
    t.equal(JSON.parse(await sql.text.findById(item, id as number, selectAll(item), {}) as string).name, value + value)
    t.equal(await sql.deleteAll(item, { kind: 'compare', path: place, op: 'eq', value: value + value }, {}), 1)
  }
  t.equal(await sql.count(item, undefined, {}), 1)
})

t.test('names are quoted: of tables, columns, indexes and undeclared properties', async t => {
  const odd = hostile.filter(name => !name.includes('\0'))
  const item = makeModel('It"em\'; --', Object.fromEntries(odd.map(name => [name, 'string' as const])), {
    open: true,
    indexes: [{ name: 'i"x\'', unique: false, columns: [{ property: odd[0] as string, descending: true }] }]
  })
  const sql = await openSql({ url: 'sqlite::memory:' }, [item])
  t.teardown(() => sql.disconnect())
  const row = Object.fromEntries(
    [...odd, '\0', 'toString', 'then', 'hasOwnProperty'].map((name, i) => [name, String(i)])
  )
  await sql.create(item, row, {})
  t.same(await sql.find(item, query(item), {}), [{ id: 1, ...row }])
  t.same(JSON.parse(await sql.text.find(item, query(item), {})), [{ id: 1, ...row }])
  for (const name of Object.keys(row)) {
    const where = {
      kind: 'compare' as const,
      path: { property: name, path: [], type: { kind: 'string' as const }, declared: item.propertyByName.has(name) },
      op: 'eq' as const,
      value: row[name] as ConditionValue
    }
    t.equal(
      (await sql.find(item, query(item, { where, order: [{ path: where.path, descending: true }] }), {})).length,
      1,
      encodeURIComponent(name)
    )
  }
  await refuses(t, () => sql.automigrate([makeModel('a\0b', {})]), { code: 'FBK_SQL_IDENTIFIER' })
  await refuses(t, () => sql.automigrate([makeModel('sqlite_schema', {})]), { code: 'FBK_SQL_IDENTIFIER' })
})

t.test('`__proto__` in stored rows is a key like any other', async t => {
  const item = makeModel('Item', { name: 'string' }, { open: true })
  const sql = await openSql({ url: 'sqlite::memory:' }, [item])
  t.teardown(() => sql.disconnect())
  await sql.execute('INSERT INTO "Item" ("name", "_extra") VALUES (?, ?)', [
    'a',
    '{"__proto__":{"polluted":true},"b":1}'
  ])
  const [row] = await sql.find(item, query(item), {}) as [Row]
  t.equal(row.polluted, undefined)
  t.equal(Object.getPrototypeOf(row), Object.prototype)
  t.same(Object.keys(row).sort(), ['__proto__', 'b', 'id', 'name'])
  t.equal(({} as Row).polluted, undefined)
})

t.test('an id of another type finds and changes nothing', async t => {
  const item = makeModel('Item', { name: 'string' })
  const word = makeModel('Word', { name: 'string' }, { idKind: 'string' })
  const sql = await openSql({ url: 'sqlite::memory:' }, [item, word])
  t.teardown(() => sql.disconnect())
  await sql.create(item, { name: 'a' }, {})
  await sql.create(word, { id: '1', name: 'a' }, {})
  for (const [model, ids] of [
    [item, ['1', '%', '1 OR 1=1', NaN, {}, [1], null, 2n ** 70n, 1.5]],
    [word, [1, 1n, {}, ['1'], '%', '1\0', null]]
  ] as const) {
    for (const id of ids) {
      const given = id as unknown as number
      t.equal(await sql.findById(model, given, selectAll(model), {}), undefined, String(id))
      t.equal(await sql.updateById(model, given, { name: 'x' }, {}), undefined)
      t.equal(await sql.replaceById(model, given, { name: 'x' }, {}), undefined)
      t.equal(await sql.text.updateById(model, given, { name: 'x' }, selectAll(model), {}), undefined)
    }
    t.match(await sql.find(model, query(model), {}), [{ name: 'a' }])
  }
})

t.test('errors carry neither SQL nor the text of the driver', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [])
  t.teardown(() => sql.disconnect())
  await sql.execute(
    'CREATE TABLE "Item" (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size REAL CHECK (size < 10), mug REFERENCES "Mug" (id))'
  )
  await sql.execute('CREATE TABLE "Mug" (id INTEGER PRIMARY KEY)')
  await sql.execute('PRAGMA foreign_keys = ON')
  const item = makeModel('Item', { name: 'string', size: 'number', mug: 'number' })
  const attempts: Array<readonly [Row, object]> = [
    [{ size: 1 }, { statusCode: 422, details: { codes: { name: ['presence'] } } }],
    [{ name: 'a', size: 11 }, { statusCode: 422 }],
    [{ name: 'a', mug: 5 }, { statusCode: 409, code: 'FOREIGN_KEY' }]
  ]
  for (const [row, expected] of attempts) {
    const error = (await (async () => await sql.create(item, row, {}))().then(
      () => undefined,
      (error: Error) => error
    )) as Error
    t.match(error, expected)
    t.notMatch(JSON.stringify({ ...error, message: error.message }), /constraint|INSERT|SQLITE|Item\./i)
    t.match((error.cause as Error).message, /constraint/, 'the cause is for the log')
  }
  await refuses(t, () => sql.find(makeModel('Nothing', {}), query(item), {}), { code: 'FBK_SQL_TABLE_MISSING' })
  await refuses(
    t,
    () => sql.find(makeModel('Item', { other: 'string' }), query(makeModel('Item', { other: 'string' })), {}),
    { code: 'FBK_SQL_COLUMN_MISSING' }
  )
})

t.test('a long `or` is no deep expression, a long list no long statement', async t => {
  const item = makeModel('Item', { name: 'string', size: 'number' })
  const sql = await openSql({ url: 'sqlite::memory:' }, [item])
  t.teardown(() => sql.disconnect())
  await sql.createMany(item, [{ name: 'n700' }, { name: 'x', size: 4999 }, {}], {})
  const terms = Array.from({ length: 3000 }, (_, i): Condition => ({
    kind: 'compare',
    path: path(item, 'name'),
    op: 'eq',
    value: `n${i}`
  }))
  t.equal(await sql.count(item, { kind: 'or', conditions: terms }, {}), 1)
  t.equal(await sql.count(item, { kind: 'nor', conditions: terms }, {}), 2)
  const list = Array.from({ length: 5000 }, (_, i) => i)
  t.equal(await sql.count(item, { kind: 'in', path: path(item, 'size'), op: 'inq', values: list }, {}), 1)
  let deep: Condition = terms[700] as Condition
  for (let i = 0; i < 11; i++) deep = { kind: i % 2 === 0 ? 'nor' : 'and', conditions: [deep] }
  t.equal(await sql.count(item, deep, {}), 1)
})

t.test('one statement per shape of filter, and never more than the setting says', async t => {
  const real = new DatabaseSync(':memory:')
  t.teardown(() => real.close())
  let prepared = 0
  const database = {
    exec: (sql: string) => real.exec(sql),
    prepare: (sql: string) => {
      prepared++
      return real.prepare(sql)
    },
    close: () => real.close(),
    function: (name: string, options: object, callback: (...values: unknown[]) => unknown) =>
      real.function(name, options, callback)
  }
  const item = makeModel('Item', { name: 'string', size: 'number', tags: 'array' }, { open: true })
  const sql = await openSql({ database, statementCache: 10 }, [item])
  await sql.create(item, { name: 'a' }, {})
  const count = async (work: () => unknown): Promise<number> => {
    const before = prepared
    await work()
    return prepared - before
  }
  const find = (where: Condition, parts: object = {}) =>
    sql.find(item, query(item, { where, select: { names: ['id', 'name'], extra: 'none' }, ...parts }), {})
  const size = path(item, 'size')
  t.equal(
    await count(() => {
      for (let i = 0; i < 50; i++) find({ kind: 'compare', path: size, op: 'gt', value: i }, { limit: i + 1 })
    }),
    1
  )
  t.equal(
    await count(() => {
      for (let i = 0; i < 50; i++) {
        find({ kind: 'in', path: size, op: 'inq', values: Array.from({ length: i + 1 }, (_, k) => k) })
      }
    }),
    1
  )
  t.equal(
    await count(() => {
      for (let i = 0; i < 50; i++) find({ kind: 'compare', path: path(item, 'tags'), op: 'eq', value: i })
    }),
    1
  )
  t.equal(
    await count(() => {
      for (let i = 0; i < 50; i++) find({ kind: 'compare', path: path(item, `unknown${i}`), op: 'eq', value: i })
    }),
    1,
    'names that are not declared are values'
  )
  t.equal(
    await count(() => {
      find({ kind: 'compare', path: size, op: 'eq', value: null })
      find({ kind: 'compare', path: size, op: 'eq', value: 1 })
    }),
    2
  )
  t.equal(
    await count(() => {
      for (let i = 0; i < 20; i++) sql.updateById(item, 1, { size: i, [`extra${i}`]: i }, {})
    }),
    1
  )
  await sql.disconnect()
})
