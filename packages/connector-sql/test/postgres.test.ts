// FASTBACK_TEST_FULL: a database server.
/**
 * What is PostgreSQL's own: connections that end, sequences, NULs, transactions after an error, tables that LoopBack
 * made.
 */
import t from 'tap'
import type { Comparison, Condition, Row } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { context, openSql } from './support/connectors.js'
import { makeModel, path, query, withSecondId } from './support/models.js'
import { refuses } from './support/refuses.js'
import { scratchUrl } from './support/scratch.js'

const item = makeModel('Item', { name: 'string', size: 'number', tags: 'array', more: 'any' }, { open: true })
const equals = (name: string, value: string | number): Comparison => ({
  kind: 'compare',
  path: path(item, name),
  op: 'eq',
  value
})
const matches = (source: string): Comparison => ({
  kind: 'regexp',
  path: path(item, 'name'),
  source,
  ignoreCase: false,
  multiline: false
})

t.test('on a server', async t => {
  const url = await scratchUrl(t, 'postgres')
  if (url === undefined) return

  t.test('connections that the server ends are replaced; what waits in a transaction fails with a 503', async t => {
    const sql = await openSql({ url, poolSize: 3, applicationName: 'fastback ending' }, [item])
    const admin = await openSql({ url, poolSize: 1 })
    t.teardown(async () => { await sql.disconnect(); await admin.disconnect() })
    const endAll = async (): Promise<void> => {
      await admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fastback ending'"
      )
    }
    await Promise.all([1, 2, 3].map(async size => await sql.create(item, { name: 'a', size }, {})))
    await endAll()
    t.equal(await sql.count(item, undefined, {}), 3, 'reads go on')
    await endAll()
    await Promise.all([1, 2, 3, 4].map(async size => await sql.create(item, { name: 'b', size }, {})))
    t.equal(await sql.count(item, equals('name', 'b'), {}), 4, 'writes go on, and happen once')
    const transaction = await sql.transactions.begin({})
    await sql.create(item, { name: 'lost' }, { transaction })
    await endAll()
    await refuses(t, () => sql.create(item, { name: 'lost' }, { transaction }), {
      statusCode: 503,
      code: 'DATABASE_UNAVAILABLE',
      message: 'The database cannot be reached.'
    })
    await sql.transactions.rollback(transaction)
    t.equal(await sql.count(item, equals('name', 'lost'), {}), 0)
    await sql.transactions.commit(await sql.transactions.begin({}))
  })

  t.test('the text of rows that a page skips is not written', async t => {
    const sql = await openSql({ url, poolSize: 1 }, [item])
    t.teardown(async () => { await sql.disconnect() })
    await sql.deleteAll(item, undefined, {})
    for (const [at, name] of ['c', 'a', 'b', 'd'].entries()) await sql.create(item, { name, size: at }, {})
    const page = query(item, { skip: 1, limit: 2, order: [{ path: path(item, 'name'), descending: false }] })
    t.match(JSON.parse(await sql.text?.find(item, page, {}) as string), [{ name: 'b' }, { name: 'c' }])
    const [statement] = await sql.execute(
      "SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%concat_ws%' AND statement LIKE '%OFFSET%'"
    ) as Array<{ statement: string }>
    // A query within one with LIMIT runs to its end first: what stands outside sees the page.
    t.match(statement?.statement, /concat_ws.* FROM \(SELECT \* FROM .* ORDER BY .* LIMIT .* OFFSET [^)]*\) AS page/s)
    await sql.deleteAll(item, undefined, {})
  })

  t.test('a statement that takes too long is a 503, and the connection goes on', async t => {
    const sql = await openSql({ url, poolSize: 1, statementTimeout: 1000 }, [])
    t.teardown(() => sql.disconnect())
    await refuses(t, () => sql.execute('SELECT pg_sleep(20)'), { statusCode: 503, code: 'DATABASE_TIMEOUT' })
    t.match(await sql.execute('SELECT 1 AS one'), [{ one: 1 }])
  })

  t.test('more work than connections waits for its turn; without one in time it is a 503', async t => {
    const sql = await openSql({ url, poolSize: 2, connectionTimeout: 30_000 }, [item])
    t.teardown(() => sql.disconnect())
    await Promise.all(Array.from({ length: 30 }, async (_, size) => await sql.create(item, { size }, {})))
    t.equal(await sql.count(item, undefined, {}), 30)
    // Each of three attempts waits for as long as is set.
    const hasty = await openSql({ url, poolSize: 2, connectionTimeout: 1000 }, [])
    t.teardown(() => hasty.disconnect())
    hasty.attach(item)
    const held = [await hasty.transactions.begin({}), await hasty.transactions.begin({})]
    await refuses(t, () => hasty.count(item, undefined, {}), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' })
    for (const transaction of held) await hasty.transactions.rollback(transaction)
    t.equal(await hasty.count(item, undefined, {}), 30)
  })

  t.test('disconnect waits for what is under way', async t => {
    const sql = await openSql({ url }, [item])
    const watch = await openSql({ url, poolSize: 1 }, [])
    t.teardown(() => watch.disconnect())
    const mark = `seven_${process.pid}`
    const slow = sql.execute(`SELECT pg_sleep(0.3), 7 AS ${mark}`)
    const created = sql.create(item, { name: 'last' }, {})
    const begun = async (): Promise<boolean> => (await watch.execute(
      `SELECT 1 AS one FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%${mark}%'`
    )).length > 0
    for (let tries = 0; tries < 1000 && !await begun(); tries++);
    await sql.disconnect()
    t.match(await slow, [{ [mark]: 7 }])
    t.match(await created, { name: 'last' })
    await refuses(t, () => sql.count(item, undefined, {}), { code: 'FBK_SQL_NOT_CONNECTED' })
  })

  t.test('no more prepared statements than the setting says; none with 0', async t => {
    for (const statementCache of [4, 0]) {
      const sql = await openSql({ url, poolSize: 1, statementCache }, [item])
      await sql.create(item, { name: 'a', size: 1, x: 1 }, {})
      for (let round = 0; round < 3; round++) {
        for (const name of ['name', 'size', 'id', 'x', 'tags', 'more']) {
          t.ok(await sql.count(item, { kind: 'nor', conditions: [equals(name, 7)] }, {}), name)
          const [row] = await sql.execute('SELECT count(*)::int AS n FROM pg_prepared_statements') as [{ n: number }]
          t.ok(row.n <= statementCache, `${row.n}`)
        }
      }
      await sql.disconnect()
    }
  })

  t.test('an error leaves a transaction usable, whatever came before', async t => {
    const unique = makeModel(
      'Unique',
      { name: 'string' },
      { indexes: [{ name: 'name', unique: true, columns: [{ property: 'name', descending: false }] }] }
    )
    const sql = await openSql({ url }, [unique])
    t.teardown(() => sql.disconnect())
    await sql.create(unique, { name: 'a' }, {})
    const transaction = await sql.transactions.begin({ isolationLevel: 'Serializable' })
    await refuses(t, () => sql.create(unique, { name: 'a' }, { transaction }), { properties: ['name'] })
    t.match(await sql.execute("SELECT current_setting('transaction_isolation') AS level", [], { transaction }), [
      { level: 'serializable' }
    ])
    await sql.create(unique, { name: 'b' }, { transaction })
    await refuses(t, () => sql.create(unique, { name: 'b' }, { transaction }), { properties: ['name'] })
    await refuses(t, () => sql.createMany(unique, [{ name: 'c' }, { name: 'c' }], { transaction }), {
      properties: ['name']
    })
    await refuses(t, () => sql.execute('SELECT nonsense', [], { transaction }), { code: 'FBK_SQL_COLUMN_MISSING' })
    await Promise.all(
      ['d', 'e', 'a'].map(async name => {
        try {
          await sql.create(unique, { name }, { transaction })
        } catch {
          /* the last one */
        }
      })
    )
    t.equal(await sql.count(unique, undefined, {}), 1, 'others see nothing yet')
    await sql.transactions.commit(transaction)
    t.same((await sql.find(unique, query(unique), {})).map(({ name }) => name), ['a', 'b', 'd', 'e'])
    await refuses(t, () => sql.transactions.begin({ isolationLevel: 'none' }), { code: 'FBK_SQL_ISOLATION_LEVEL' })
    const doomed = await sql.transactions.begin({})
    await sql.create(unique, { name: 'undone' }, { transaction: doomed })
    await refuses(
      t,
      () =>
        sql.find(makeModel('Unique', { none: 'string' }), query(makeModel('Unique', { none: 'string' })), {
          transaction: doomed
        }),
      { code: 'FBK_SQL_COLUMN_MISSING' }
    )
    await refuses(t, () => sql.transactions.commit(doomed), { code: 'FBK_SQL_STORE' })
    t.equal(await sql.count(unique, undefined, {}), 4, 'a commit that could not be is no silent one')
    await refuses(t, () => sql.create(unique, { id: 1, name: 'z' }, {}), { statusCode: 409, code: 'DUPLICATE_ID' })
  })

  t.test('a conditional update is atomic, whoever decides the condition', async t => {
    const sql = await openSql({ url, poolSize: 8 }, [item])
    t.teardown(() => sql.disconnect())
    for (const condition of [
      equals('name', 'code'),
      matches('^c.de$'),
      { ...equals('name', 7), path: path(item, 'more.k') }
    ] as Condition[]) {
      const { id } = await sql.create(item, { name: 'code', more: { k: 7 } }, {})
      const where: Condition = {
        kind: 'and',
        conditions: [
          equals('id', id as number),
          condition,
          { kind: 'compare', path: path(item, 'size'), op: 'eq', value: null }
        ]
      }
      const changed = await Promise.all(
        Array.from({ length: 16 }, async (_, i) => await sql.updateAll(item, where, { size: i, more: { k: 8 } }, {}))
      )
      t.equal(
        changed.reduce((sum, n) => sum + n),
        1,
        JSON.stringify(condition)
      )
      await sql.updateById(item, id as number, { size: null, more: { k: 7 } }, {})
      const removed = await Promise.all(Array.from({ length: 8 }, async () => await sql.deleteAll(item, where, {})))
      t.equal(
        removed.reduce((sum, n) => sum + n),
        1
      )
    }
  })

  t.test('what JavaScript decides is read in batches and paged as the whole', async t => {
    const sql = await openSql({ url }, [item])
    t.teardown(() => sql.disconnect())
    await sql.execute(
      'INSERT INTO "Item" ("name", "size", "more") SELECT \'n\' || i, i, jsonb_build_object(\'lat\', (i % 90), \'lng\', 0, \'k\', i) FROM generate_series(1, 3500) i'
    )
    const odd = matches('[13579]$')
    t.equal(await sql.count(item, odd, {}), 1750)
    const ids = async (parts: object): Promise<unknown[]> =>
      (await sql.find(item, query(item, parts), {})).map(({ id }) => id)
    t.same(await ids({ where: odd, skip: 1000, limit: 2 }), [2001, 2003])
    t.same(
      await ids({ where: odd, order: [{ path: path(item, 'size'), descending: true }], skip: 1, limit: 2 }),
      [3497, 3495]
    )
    const near: Condition = { kind: 'near', path: path(item, 'more'), lat: 10.2, lng: 0 }
    t.same(await ids({ where: near, limit: 3, skip: 1 }), [100, 190, 280])
    t.same(
      JSON.parse(
        await sql.text.find(
          item,
          query(item, {
            where: { kind: 'and', conditions: [near, odd] },
            limit: 1,
            select: { names: ['id'], extra: 'none' }
          }),
          {}
        )
      ),
      [{ id: 11 }]
    )
    t.equal(await sql.count(item, { ...near, maxDistance: 50_000 }, {}), 39, 'ten degrees and nothing else')
    const transaction = await sql.transactions.begin({})
    t.equal(await sql.updateAll(item, odd, { size: -1 }, { transaction }), 1750)
    t.equal(await sql.count(item, { kind: 'and', conditions: [odd, equals('size', -1)] }, { transaction }), 1750)
    await sql.transactions.rollback(transaction)
    t.equal(await sql.count(item, equals('size', -1), {}), 0)
  })

  t.test('conditions, orders and texts use indexes', async t => {
    const indexed = makeModel(
      'Indexed',
      { name: 'string', size: 'number', at: 'date' },
      {
        idKind: 'string',
        indexes: ['name', 'size', 'at'].map(name => ({
          name,
          unique: false,
          columns: [{ property: name, descending: false }]
        }))
      }
    )
    const sql = await openSql({ url, poolSize: 1 }, [indexed])
    t.teardown(() => sql.disconnect())
    await sql.execute(
      'INSERT INTO "Indexed" ("id", "name", "size", "at") SELECT i, \'n\' || i, i, now() FROM generate_series(1, 20000) i'
    )
    await sql.execute('ANALYZE "Indexed"')
    const plan = async (condition: string, order = '"id" COLLATE "C"'): Promise<string> => {
      const rows = await sql.execute(`EXPLAIN SELECT "id" FROM "Indexed" WHERE ${condition} ORDER BY ${order} LIMIT 5`)
      return rows.map(row => row['QUERY PLAN']).join('\n')
    }
    t.match(await plan('"name" = \'n7\'::text'), /Index.*Indexed_name/)
    t.match(
      await plan('"name" COLLATE "C" >= \'n7\'::text AND "name" COLLATE "C" < \'n70\'::text'),
      /Index.*Indexed_name/
    )
    t.match(await plan('true', '"name" COLLATE "C" NULLS FIRST'), /Index Scan.*Indexed_name/)
    t.match(await plan('true', '"size" DESC NULLS LAST'), /Index Scan Backward.*Indexed_size/)
    t.match(await plan('true'), /Index.*Indexed_pkey/)
    t.match(await plan('"size" = ANY(\'{1,2,3}\'::double precision[])'), /Index.*Indexed_size/)
  })

  t.test('ids that rows bring push the sequence on; a sequence that lags behind does no harm for long', async t => {
    const sql = await openSql({ url }, [item])
    t.teardown(() => sql.disconnect())
    t.equal((await sql.create(item, { id: 1 }, {})).id, 1)
    t.equal((await sql.create(item, {}, {})).id, 2)
    t.equal((await sql.create(item, { id: -5 }, {})).id, -5)
    t.equal((await sql.create(item, { id: 2 ** 53 - 2 }, {})).id, 2 ** 53 - 2)
    t.equal((await sql.create(item, {}, {})).id, 2 ** 53 - 1)
    const large = await sql.create(item, {}, {})
    t.equal(large.id, 2n ** 53n, 'what a double cannot hold is a bigint')
    t.match(await sql.findById(item, 2n ** 53n, query(item).select, {}), { id: 2n ** 53n })
    t.match(
      await sql.text.find(item, query(item, { where: equals('id', 2 ** 53 - 1) }), {}),
      '[{"id":9007199254740991}]'
    )
    await refuses(t, () => sql.create(item, { id: 1.5 }, {}), { statusCode: 422 })
    await refuses(t, () => sql.create(item, { id: 1e30 }, {}), { statusCode: 422 })
    for (const id of [1.5, 1e30, NaN]) t.equal(await sql.findById(item, id, query(item).select, {}), undefined)
    const range = async (op: 'gt' | 'gte' | 'lt' | 'lte', value: number): Promise<number> =>
      await sql.count(item, { kind: 'compare', path: path(item, 'id'), op, value }, {})
    t.same(
      [
        await range('gt', 1.5),
        await range('gte', 1.5),
        await range('lt', 1.5),
        await range('lte', 1e30),
        await range('gt', 1e30),
        await range('gt', -Infinity)
      ],
      [4, 4, 2, 6, 0, 6]
    )
  })

  t.test('an id at the end of a small column is no end for those that follow', async t => {
    const small = makeModel('Small', { name: 'string' })
    const sql = await openSql({ url })
    t.teardown(() => sql.disconnect())
    await sql.execute('CREATE TABLE "Small" (id SERIAL PRIMARY KEY, name text)')
    const name = 'x'
    t.equal((await sql.create(small, { id: 5, name }, {})).id, 5)
    t.equal((await sql.create(small, { id: 2 ** 31 - 1, name }, {})).id, 2 ** 31 - 1)
    t.equal((await sql.create(small, { name }, {})).id, 6)
    await refuses(t, () => sql.create(small, { id: 2 ** 31, name }, {}), { statusCode: 422 })
  })

  t.test('values that PostgreSQL has no place for', async t => {
    const dated = makeModel('Dated', { at: 'date', note: 'string' })
    const sql = await openSql({ url }, [dated, item])
    t.teardown(() => sql.disconnect())
    await refuses(t, () => sql.create(dated, { at: new Date('-010000-01-01T00:00:00.000Z') }, {}), {
      statusCode: 422,
      details: { codes: { at: ['unstorable'] } }
    })
    t.equal(
      await sql.count(
        dated,
        { kind: 'compare', path: path(dated, 'at'), op: 'gt', value: new Date('-010000-01-01T00:00:00.000Z') },
        {}
      ),
      0
    )
    const odd = [
      '',
      '\0',
      'a\0',
      'a\0b',
      '\u0001',
      '\u0001\u0001',
      '\u0001\u0002',
      '\u0002',
      '\u0002\0\u0001',
      '\u0003',
      'a',
      '%\0',
      '\0_'
    ]
    for (const name of odd) {
      await sql.create(item, { name, tags: [name], more: { [name]: name }, [`x${name}`]: name }, {})
    }
    for (const name of odd) {
      const shown = encodeURIComponent(name)
      t.equal(await sql.count(item, equals('name', name), {}), 1, shown)
      t.equal(await sql.count(item, equals('tags', name), {}), 1, shown)
      t.equal(
        await sql.count(
          item,
          { ...equals('name', name), path: { property: 'more', path: [name], type: { kind: 'any' }, declared: true } },
          {}
        ),
        1,
        shown
      )
      t.equal(await sql.count(item, { ...equals('name', name), path: path(item, `x${name}`) }, {}), 1, shown)
    }
    const like = async (pattern: string): Promise<unknown[]> =>
      (
        await sql.find(
          item,
          query(item, {
            where: { kind: 'like', path: path(item, 'name'), negated: false, ignoreCase: false, pattern }
          }),
          {}
        )
      ).map(({ name }) => name)
    t.same(await like('_'), ['\0', '\u0001', '\u0002', '\u0003', 'a'])
    t.same(await like('a_b'), ['a\0b'])
    t.same(await like('%\0%'), odd.filter(name => name.includes('\0')))
    t.same(
      (await sql.find(item, query(item, { order: [{ path: path(item, 'name'), descending: false }] }), {})).map(
        ({ name }) => name
      ),
      [...odd].sort()
    )
    t.same(
      JSON.parse(await sql.text.find(item, query(item), {})),
      JSON.parse(JSON.stringify(await sql.find(item, query(item), {})))
    )
  })

  t.test('tables that LoopBack made: names in lower case, serial ids, texts with JSON', async t => {
    const sql = await openSql({ url })
    t.teardown(() => sql.disconnect())
    await sql.execute('CREATE TYPE mood AS ENUM (\'sad\', \'glad\')')
    await sql.execute(`CREATE TABLE legacy (id SERIAL PRIMARY KEY, firstname TEXT NOT NULL, age INTEGER, price NUMERIC(10, 2), single REAL, born TIMESTAMP, day DATE, address TEXT,
      tags JSON, uid UUID UNIQUE, mood mood, flag SMALLINT, short VARCHAR(3))`)
    const uid = '0f0e0d0c-0b0a-4908-8706-050403020100'
    await sql.execute(`INSERT INTO legacy (firstname, age, price, single, born, day, address, tags, uid, mood, flag) VALUES
      ('Ann', 30, 12.50, 0.1, '2020-01-02 03:04:05.678901', '2020-01-02', '{"city":"Oslo"}', '["a", "b"]', '${uid}', 'glad', 1), ('Bob', NULL, NULL, NULL, NULL, NULL, 'no JSON', NULL, NULL, NULL, NULL)`)
    const legacy = makeModel(
      'Legacy',
      {
        firstName: 'string',
        age: 'number',
        price: 'number',
        single: 'number',
        born: 'date',
        day: 'date',
        address: 'object',
        tags: { kind: 'array', items: { kind: 'string' } },
        uid: 'string',
        mood: 'string',
        flag: 'boolean',
        short: 'string'
      },
      { definitions: { firstName: { postgresql: { columnName: 'firstname' } } } }
    )
    await sql.autoupdate([legacy])
    t.equal(await sql.isActual([legacy]), true)
    t.same(
      await sql.execute(
        "SELECT count(*)::int AS n FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'legacy'"
      ),
      [{ n: 13 }],
      'nothing was added'
    )
    const ann = {
      id: 1,
      firstName: 'Ann',
      age: 30,
      price: 12.5,
      single: 0.1,
      born: new Date('2020-01-02T03:04:05.678Z'),
      day: new Date('2020-01-02T00:00:00.000Z'),
      address: { city: 'Oslo' },
      tags: ['a', 'b'],
      uid,
      mood: 'glad',
      flag: true,
      short: null
    }
    t.same(await sql.findById(legacy, 1, query(legacy).select, {}), ann)
    t.same(
      JSON.parse((await sql.text.findById(legacy, 1, query(legacy).select, {})) as string),
      JSON.parse(JSON.stringify(ann))
    )
    const count = async (condition: Partial<Comparison> & { on: string }): Promise<number> => {
      const { on, ...rest } = condition
      return await sql.count(legacy, { ...rest, path: path(legacy, on) } as Comparison, {})
    }
    t.equal(await count({ on: 'uid', kind: 'compare', op: 'eq', value: uid }), 1)
    t.equal(await count({ on: 'uid', kind: 'compare', op: 'eq', value: "' OR 1=1" }), 0)
    t.equal(await count({ on: 'uid', kind: 'compare', op: 'gt', value: '0' }), 1)
    t.equal(await count({ on: 'uid', kind: 'in', op: 'inq', values: ['x', uid] }), 1)
    t.equal(await count({ on: 'uid', kind: 'like', negated: false, ignoreCase: true, pattern: '0F0E%' }), 1)
    t.equal(await count({ on: 'mood', kind: 'compare', op: 'eq', value: 'glad' }), 1)
    t.equal(await count({ on: 'mood', kind: 'compare', op: 'neq', value: 'none such' }), 2)
    t.equal(await count({ on: 'mood', kind: 'in', op: 'nin', values: ['glad'] }), 1)
    t.equal(await count({ on: 'flag', kind: 'compare', op: 'eq', value: true }), 1)
    t.equal(await count({ on: 'address.city', kind: 'compare', op: 'eq', value: 'Oslo' }), 1)
    t.equal(await count({ on: 'tags', kind: 'compare', op: 'eq', value: 'b' }), 1)
    t.equal(await count({ on: 'single', kind: 'compare', op: 'eq', value: 0.1 }), 1)
    t.equal(await count({ on: 'price', kind: 'between', from: 12, to: 12.5 }), 1)
    t.equal(await count({ on: 'age', kind: 'compare', op: 'lte', value: 30.5 }), 1)
    t.equal(await count({ on: 'day', kind: 'compare', op: 'gte', value: new Date('2020-01-02T00:00:00.000Z') }), 1)
    const { id } = await sql.create(
      legacy,
      {
        firstName: 'Cid',
        address: { city: 'Rome' },
        tags: ['c'],
        mood: 'sad',
        flag: false,
        day: new Date('2021-05-06T00:00:00.000Z'),
        uid: uid.replace('0f', '1f')
      },
      {}
    )
    t.match(await sql.updateById(legacy, id as number, { age: 3, price: 1.005 }, {}), {
      id: 3,
      firstName: 'Cid',
      address: { city: 'Rome' },
      tags: ['c'],
      mood: 'sad',
      flag: false,
      age: 3
    })
    const refused: ReadonlyArray<readonly [Row, object]> = [
      [{ firstName: null }, { statusCode: 422, details: { codes: { firstName: ['presence'] } } }],
      [{ firstName: 'D', short: 'abcd' }, { statusCode: 422 }],
      [{ firstName: 'D', mood: 'none such' }, { statusCode: 422 }],
      [{ firstName: 'D', uid: 'x' }, { statusCode: 422 }],
      [{ firstName: 'D', age: 2 ** 40 }, { statusCode: 422 }],
      [{ firstName: 'D', price: 1e20 }, { statusCode: 422 }],
      [{ firstName: 'D', uid }, { properties: ['uid'] }]
    ]
    for (const [row, expected] of refused) {
      const error = await (async () => await sql.create(legacy, row, {}))().then(
        () => undefined,
        (error: Error) => error
      )
      t.match(error, expected, JSON.stringify(row))
      t.notMatch(
        JSON.stringify({ ...error, message: error?.message }),
        /insert|legacy_|violates|constraint|numeric field/i
      )
    }
  })

  t.test('tables without an id keep the order in which rows came; keys of several columns', async t => {
    const line = makeModel('Line', { text: 'string', n: 'number' }, { id: null })
    const sql = await openSql({ url }, [line])
    t.teardown(() => sql.disconnect())
    await sql.createMany(line, ['c', 'a', 'b'].map((text, n) => ({ text, n })), {})
    t.equal(
      await sql.updateAll(
        line,
        { kind: 'regexp', path: path(line, 'text'), source: 'c', ignoreCase: false, multiline: false },
        { n: 9 },
        {}
      ),
      1
    )
    t.same(await sql.find(line, query(line), {}), [{ text: 'c', n: 9 }, { text: 'a', n: 1 }, { text: 'b', n: 2 }])
    t.equal(await sql.isActual([line]), true)
    const seat = makeModel(
      'Seat',
      { row: 'number', place: 'number', note: 'string' },
      {
        id: 'row',
        definitions: {
          note: { postgresql: { dataType: 'VARCHAR(20)' } },
          place: { postgresql: { dataType: 'x); DROP TABLE a' } }
        }
      }
    )
    const both = withSecondId(seat, 'place')
    await sql.automigrate([both])
    await sql.createMany(both, [{ row: 1, place: 1 }, { row: 1, place: 2 }], {})
    await refuses(t, () => sql.create(both, { row: 1, place: 2 }, {}), { code: 'DUPLICATE_ID' })
    t.equal(await sql.isActual([both]), true)
  })

  t.test('operations that come right after a migration wait for it', async t => {
    const late = makeModel('Late', { name: 'string' })
    const sql = await openSql({ url })
    t.teardown(() => sql.disconnect())
    const migrated = sql.autoupdate([makeModel('Before', {}), late])
    t.same(await sql.create(late, { name: 'a' }, {}), { id: 1, name: 'a' })
    await migrated
    const again = sql.automigrate([late])
    t.equal(await sql.count(late, undefined, {}), 0)
    await again
  })

  t.test('a schema of its own; long names of indexes; names that cannot be', async t => {
    const schema = `${new URL(url).searchParams.get('schema') as string} "1"`
    const admin = await openSql({ url, poolSize: 1 }, [item])
    t.teardown(() => admin.disconnect())
    await admin.execute(`CREATE SCHEMA "${schema.replaceAll('"', '""')}"`)
    t.teardown(() => admin.execute(`DROP SCHEMA "${schema.replaceAll('"', '""')}" CASCADE`))
    const long = makeModel(
      'Item',
      { name: 'string' },
      { indexes: [{ name: `Item_${'ä'.repeat(60)}`, unique: true, columns: [{ property: 'name', descending: true }] }] }
    )
    const sql = await openSql({ url, schema }, [long])
    t.teardown(() => sql.disconnect())
    t.equal(await sql.isActual([long]), true)
    await sql.create(long, { name: 'a' }, {})
    await refuses(t, () => sql.create(long, { name: 'a' }, {}), { properties: ['name'] })
    t.equal(await admin.count(item, undefined, {}), 0, 'the table of the other schema is another')
    await refuses(t, () => sql.automigrate([makeModel('x'.repeat(64), {})]), { code: 'FBK_SQL_IDENTIFIER' })
    await refuses(t, () => sql.automigrate([makeModel('a\0b', {})]), { code: 'FBK_SQL_IDENTIFIER' })
  })

  t.test('a database that cannot be had is one clear error without secrets', async t => {
    const wrong: ReadonlyArray<readonly [object, RegExp]> = [
      [{ url: 'postgres://someone:s3cret@127.0.0.1:1/shop' }, /127\.0\.0\.1:1, database "shop"\): ECONNREFUSED, nothing listens there\. /],
      [{ url: new URL('/none_such', url).href }, /there is no such database/],
      [{ url, schema: 'none_such' }, /there is no such schema/],
      [{ url: 'postgres://someone:s3cret@no-such-host.invalid/shop' }, /no-such-host\.invalid:5432/]
    ]
    for (const [settings, message] of wrong) {
      const sql = sqlConnector({ connector: 'sql', connectionTimeout: 8000, ...settings }, context())
      const error = await Promise.resolve(sql.connect()).then(() => undefined, (error: Error) => error) as Error
      t.match(error, { code: 'FBK_CORE_DATA_SOURCE_SETTINGS', message })
      t.notMatch(error.message, /s3cret|someone/)
    }
  })
})

t.test('settings: a URL, or LoopBack\'s separate ones', async t => {
  const server = (settings: object): unknown =>
    (sqlConnector({ connector: 'sql', ...settings }, context()) as unknown as { settings: { server: unknown } })
      .settings.server
  t.match(server({ url: 'postgresql://me:p%40ss@[::1]:6000/shop?schema=s&poolSize=3&sslmode=require' }), {
    host: '::1',
    port: 6000,
    user: 'me',
    password: 'p@ss',
    database: 'shop',
    schema: 's',
    poolSize: 3,
    ssl: { rejectUnauthorized: false }
  })
  for (const connector of ['postgresql', 'loopback-connector-postgresql']) {
    t.match(
      server({
        connector,
        host: 'db',
        port: '6000',
        username: 'me',
        password: 'x',
        database: 'shop',
        max: 7,
        connectionTimeoutMillis: 100,
        ssl: true
      }),
      {
        host: 'db',
        port: 6000,
        user: 'me',
        password: 'x',
        database: 'shop',
        poolSize: 7,
        connectionTimeout: 100,
        idleTimeout: 30000,
        statementTimeout: 30000,
        ssl: {}
      }
    )
  }
  for (const url of ['', null]) {
    t.match(
      server({ connector: 'postgresql', url, host: 'db', database: 'shop' }),
      { host: 'db', database: 'shop' },
      'an empty url says nothing'
    )
  }
  t.match(server({ url: 'postgres://host/shop', password: 'from elsewhere' }), {
    host: 'host',
    port: undefined,
    password: 'from elsewhere',
    poolSize: 10,
    connectionTimeout: 5000
  })
  const refused: ReadonlyArray<readonly [object, RegExp]> = [
    [{ url: 'postgres://me:s3cret@host:port/x' }, /no URL of the form/],
    [{ url: 'postgres://host/x', poolSize: 0 }, /"poolSize" must be/],
    [{ url: 'postgres://host/x?poolSize=many' }, /"poolSize"/],
    [{ url: 'postgres://host/x', ssl: 'yes' }, /"ssl"/],
    [{ url: 'postgres://host/x', user: 5 }, /"user" must be a text/],
    [{ host: 'db' }, /says neither "url"/],
    [{ url: 'oracle://x' }, /"url" must begin with/]
  ]
  for (const [settings, message] of refused) {
    t.throws(() => server(settings), { code: 'FBK_CORE_DATA_SOURCE_SETTINGS', message })
    try { server(settings) } catch (error) { t.notMatch((error as Error).message, /s3cret/) }
  }
})
