// FASTBACK_TEST_FULL: a database server.
/**
 * What is MySQL's and MariaDB's own: connections that end, deadlocks, indexes on texts, collations, tables that
 * LoopBack made.
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
const index = (name: string, unique: boolean, ...properties: string[]) => ({
  name,
  unique,
  columns: properties.map(property => ({ property, descending: false }))
})

t.test('on a server', async t => {
  const url = await scratchUrl(t, 'mysql')
  if (url === undefined) return

  await t.test(
    'connections that the server ends are replaced; what waits in a transaction fails with a 503',
    async t => {
      const sql = await openSql({ url, poolSize: 3 }, [item])
      const admin = await openSql({ url, poolSize: 1 })
      t.teardown(async () => {
        await sql.disconnect()
        await admin.disconnect()
      })
      const endAll = async (): Promise<void> => {
        const rows = await admin.execute(
          'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()'
        )
        for (const { id } of rows) await admin.execute(`KILL ${Number(id)}`)
      }
      await Promise.all([1, 2, 3].map(async size => await sql.create(item, { name: 'a', size }, {})))
      await endAll()
      t.equal(await sql.count(item, undefined, {}), 3, 'reads go on')
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
      await sql.transactions.commit(await sql.transactions.begin({ isolationLevel: 'SERIALIZABLE' }))
      await refuses(t, () => sql.transactions.begin({ isolationLevel: 'none' }), { code: 'FBK_SQL_ISOLATION_LEVEL' })
    }
  )

  await t.test('a statement that takes too long is a 503; so is a connection that is not free in time', async t => {
    const sql = await openSql({ url, poolSize: 1, statementTimeout: 500, connectionTimeout: 3000 }, [])
    t.teardown(() => sql.disconnect())
    await refuses(
      t,
      () =>
        sql.execute(
          'SELECT COUNT(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c'
        ),
      { statusCode: 503, code: 'DATABASE_TIMEOUT' }
    )
    t.match(await sql.execute('SELECT 1 AS one'), [{ one: 1 }])
    const transaction = await sql.transactions.begin({})
    await refuses(t, () => sql.ping(), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' })
    await sql.transactions.rollback(transaction)
    await sql.ping()
  })

  await t.test('an error leaves a transaction usable; a deadlock ends it, and says so', async t => {
    const unique = makeModel('Unique', { name: 'string' }, { indexes: [index('name', true, 'name')] })
    const sql = await openSql({ url }, [unique])
    t.teardown(() => sql.disconnect())
    await sql.createMany(unique, [{ name: 'a' }, { name: 'b' }], {})
    const first = await sql.transactions.begin({})
    await refuses(t, () => sql.create(unique, { name: 'a' }, { transaction: first }), { properties: ['name'] })
    await refuses(t, () => sql.createMany(unique, [{ name: 'c' }, { name: 'c' }], { transaction: first }), {
      properties: ['name']
    })
    await sql.create(unique, { name: 'd' }, { transaction: first })
    await sql.transactions.commit(first)
    t.same((await sql.find(unique, query(unique), {})).map(({ name }) => name), ['a', 'b', 'd'])
    await sql.automigrate([item])
    await sql.createMany(item, [{}, {}], {})
    const [one, two] = [await sql.transactions.begin({}), await sql.transactions.begin({})]
    await sql.updateById(item, 1, { name: 'one' }, { transaction: one })
    await sql.updateById(item, 2, { name: 'two' }, { transaction: two })
    const results = await Promise.allSettled([
      sql.updateById(item, 2, { name: 'one' }, { transaction: one }),
      sql.updateById(item, 1, { name: 'two' }, { transaction: two })
    ])
    const [beaten, winner] = results[0].status === 'rejected' ? [one, two] : [two, one]
    t.match(results.find(({ status }) => status === 'rejected'), { reason: { statusCode: 503, code: 'DATABASE_BUSY' } })
    await refuses(t, () => sql.create(item, { name: 'outside' }, { transaction: beaten }), { code: 'DATABASE_BUSY' })
    await refuses(t, () => sql.transactions.commit(beaten), { code: 'FBK_SQL_STORE' })
    await sql.transactions.commit(winner)
    t.equal(await sql.count(item, undefined, {}), 2, 'nothing was written beside the transaction')
  })

  await t.test('a conditional update is atomic, whoever decides the condition', async t => {
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
    }
  })

  await t.test('what JavaScript decides is read in batches and paged as the whole', async t => {
    const sql = await openSql({ url }, [item])
    t.teardown(() => sql.disconnect())
    await sql.createMany(
      item,
      Array.from({ length: 2500 }, (_, i) => ({ name: `n${i + 1}`, size: i + 1, more: { lat: (i + 1) % 90, lng: 0 } })),
      {}
    )
    const odd = matches('[13579]$')
    t.equal(await sql.count(item, odd, {}), 1250)
    const ids = async (parts: object): Promise<unknown[]> =>
      (await sql.find(item, query(item, parts), {})).map(({ id }) => id)
    t.same(await ids({ where: odd, skip: 1000, limit: 2 }), [2001, 2003])
    t.same(
      await ids({ where: { kind: 'near', path: path(item, 'more'), lat: 10.2, lng: 0 }, limit: 3, skip: 1 }),
      [100, 190, 280]
    )
    t.equal(await sql.deleteAll(item, odd, {}), 1250)
    t.equal(await sql.count(item, undefined, {}), 1250)
  })

  await t.test(
    'texts are compared character by character, also in indexes; long ones are indexed by their beginning',
    async t => {
      const texts = makeModel(
        'Texts',
        { mail: 'string', nick: 'string', note: 'string' },
        {
          indexes: [
            index('mail', true, 'mail'),
            { ...index('nick', true, 'nick'), exceptBlank: true },
            index('note', false, 'note')
          ]
        }
      )
      const sql = await openSql({ url }, [texts])
      t.teardown(() => sql.disconnect())
      for (const mail of ['a', 'A', 'a ', 'ä', 'a\0']) {
        await sql.create(texts, { mail, nick: '', note: 'x'.repeat(5000) }, {})
      }
      await refuses(t, () => sql.create(texts, { mail: 'a ' }, {}), { properties: ['mail'] })
      await refuses(t, () => sql.create(texts, { mail: 'x'.repeat(256) }, {}), {
        statusCode: 422,
        details: { codes: { mail: ['length'] } }
      })
      await sql.create(texts, { nick: 'n' }, {})
      await refuses(t, () => sql.create(texts, { nick: 'n' }, {}), { properties: ['nick'] })
      t.equal(
        await sql.count(texts, { kind: 'compare', path: path(texts, 'note'), op: 'eq', value: 'x'.repeat(5000) }, {}),
        5
      )
      t.equal(await sql.isActual([texts]), true)
      const wider = makeModel(
        'Texts',
        { mail: 'string', nick: 'string', note: 'string' },
        { indexes: [index('mail', true, 'mail'), index('nick', false, 'nick'), index('note', false, 'note', 'mail')] }
      )
      await sql.autoupdate([wider])
      t.equal(await sql.isActual([wider]), true)
      const explain = async (condition: string): Promise<unknown> =>
        (await sql.execute(`EXPLAIN SELECT id FROM \`Texts\` WHERE ${condition}`))[0]?.key
      t.equal(await explain("`mail` = 'a'"), 'Texts_mail')
      t.equal(await explain("`id` = CAST('3' AS SIGNED)"), 'PRIMARY')
    }
  )

  await t.test('tables that LoopBack made, and values that the database has no place for', async t => {
    const sql = await openSql({ url })
    t.teardown(() => sql.disconnect())
    await sql.execute(
      'CREATE TABLE `legacy` (id INT AUTO_INCREMENT PRIMARY KEY, firstName VARCHAR(512) CHARACTER SET latin1 NOT NULL, age INT, price DECIMAL(10, 2), single FLOAT, born DATETIME, day DATE, ' +
        "address TEXT, mood ENUM('sad', 'glad'), flag TINYINT(1), short VARCHAR(3)) DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci"
    )
    await sql.execute(
      "INSERT INTO `legacy` (firstName, age, price, single, born, day, address, mood, flag) VALUES ('Ann', 30, 12.50, 0.1, '2020-01-02 03:04:05', '2020-01-02', '{\"city\":\"Oslo\"}', 'glad', 1), " +
        "('Bob', NULL, NULL, NULL, NULL, NULL, 'no JSON', NULL, NULL)"
    )
    const legacy = makeModel('Legacy', {
      firstName: 'string',
      age: 'number',
      price: 'number',
      single: 'number',
      born: 'date',
      day: 'date',
      address: 'object',
      mood: 'string',
      flag: 'boolean',
      short: 'string'
    })
    await sql.autoupdate([legacy])
    const ann = {
      id: 1,
      firstName: 'Ann',
      age: 30,
      price: 12.5,
      single: 0.1,
      born: new Date('2020-01-02T03:04:05.000Z'),
      day: new Date('2020-01-02T00:00:00.000Z'),
      address: { city: 'Oslo' },
      mood: 'glad',
      flag: true,
      short: null
    }
    t.match(await sql.findById(legacy, 1, query(legacy).select, {}), { ...ann, single: Number })
    const count = async (on: string, condition: object): Promise<number> =>
      await sql.count(
        legacy,
        { kind: 'compare', op: 'eq', ...condition, path: path(legacy, on) } as unknown as Comparison,
        {}
      )
    t.equal(await count('mood', { value: 'glad' }), 1)
    t.equal(await count('mood', { value: 'none such' }), 0)
    t.equal(await count('firstName', { op: 'gte', value: 'B' }), 1)
    t.equal(await count('firstName', { op: 'gte', value: 'a' }), 0, 'ranges are binary whatever the collation')
    t.equal(await count('address.city', { value: 'Oslo' }), 1)
    t.equal(await count('price', { kind: 'between', from: 12, to: 12.5 }), 1)
    t.equal(await count('age', { op: 'lte', value: 30.5 }), 1)
    t.equal(await count('born', { value: new Date('2020-01-02T03:04:05.000Z') }), 1)
    const old = new Date('-000005-01-01T00:00:00.000Z')
    t.same(
      [
        await count('born', { value: old }),
        await count('born', { op: 'gt', value: old }),
        await count('born', { op: 'lte', value: old }),
        await count('born', { op: 'lt', value: new Date('+012345-01-01T00:00:00.000Z') })
      ],
      [0, 1, 0, 1]
    )
    const refused: ReadonlyArray<readonly [Row, object]> = [
      [{ age: 1 }, { statusCode: 422, details: { codes: { firstName: ['presence'] } } }],
      [
        { firstName: 'D', short: 'abcd' },
        { statusCode: 422, details: { codes: { short: ['length'] } } }
      ],
      [{ firstName: 'D', mood: 'none such' }, { statusCode: 422 }],
      [{ firstName: 'D', age: 2 ** 40 }, { statusCode: 422 }],
      [{ firstName: 'D', price: 1e20 }, { statusCode: 422 }],
      [
        { firstName: 'D', born: old },
        { statusCode: 422, details: { codes: { born: ['unstorable'] } } }
      ],
      [{ firstName: 'D', id: 1.5 }, { statusCode: 422 }],
      [{ firstName: 'D', id: 1 }, { code: 'DUPLICATE_ID' }]
    ]
    for (const [row, expected] of refused) {
      const error = await (async () => await sql.create(legacy, row, {}))().then(
        () => undefined,
        (error: Error) => error
      )
      t.match(error, expected, JSON.stringify(row))
      t.notMatch(JSON.stringify({ ...error, message: error?.message }), /insert|legacy'|column '|for key/i)
    }
  })

  await t.test('tables without an id keep the order in which rows came; keys of several columns; names', async t => {
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
    const seat = makeModel('Seat', { row: 'number', place: 'string', 'odd `name` "\'': 'string' }, { id: 'row' })
    const both = withSecondId(seat, 'place')
    await sql.automigrate([both])
    await sql.createMany(both, [{ row: 1, place: 'a', 'odd `name` "\'': 'x' }, { row: 1, place: 'b' }], {})
    await refuses(t, () => sql.create(both, { row: 1, place: 'b' }, {}), { code: 'DUPLICATE_ID' })
    t.equal(
      await sql.deleteAll(
        both,
        { kind: 'regexp', path: path(both, 'place'), source: 'b', ignoreCase: false, multiline: false },
        {}
      ),
      1
    )
    t.equal(await sql.count(both, undefined, {}), 1)
    for (const name of ['x'.repeat(65), 'a\0b', 'a ']) {
      await refuses(t, () => sql.automigrate([makeModel(name, {})]), { code: 'FBK_SQL_IDENTIFIER' })
    }
  })

  await t.test('undeclared properties of any name are changed and removed', async t => {
    const sql = await openSql({ url }, [item])
    t.teardown(async () => { await sql.disconnect() })
    for (const name of [
      '-x',
      '--',
      '-',
      '-"\\',
      '-é',
      '-1',
      '\n',
      '-\n',
      '😀',
      '"',
      '\\',
      '$',
      '*',
      '[0]',
      '0',
      ' ',
      '-\0',
      '\u2028'
    ]) {
      await sql.deleteAll(item, undefined, {})
      await sql.create(item, { name: 'a', [name]: 1, other: 1 }, {})
      for (const [change, left] of [
        [{ [name]: 2 }, { [name]: 2, other: 1 }],
        [{ [name]: undefined }, { other: 1 }]
      ]) {
        await sql.updateAll(item, undefined, change as Row, {})
        const [row] = await sql.find(item, query(item), {})
        t.same(row, { id: row?.id, name: 'a', ...left }, encodeURI(JSON.stringify(name)))
      }
    }
  })

  await t.test('half a surrogate pair is no error: in texts, names, lists of values, and JSON', async t => {
    const sql = await openSql({ url }, [item])
    t.teardown(async () => { await sql.disconnect() })
    const half = '\ud800'
    await sql.create(item, { name: 'a', more: { [half]: half } }, {})
    for (const op of ['inq', 'nin'] as const) {
      const among: Condition = { kind: 'in', path: path(item, 'name'), op, values: [half, `x${half}`, 'b', '\\ud800'] }
      t.equal(await sql.count(item, among, {}), op === 'inq' ? 0 : 1)
    }
    await sql.updateAll(item, undefined, { [half]: half, other: [`\\${half}`] }, {})
    t.match(await sql.find(item, query(item), {}), [
      { name: 'a', '\ufffd': '\ufffd', other: ['\\\ufffd'], more: { '\ufffd': '\ufffd' } }
    ])
    t.equal(
      await sql.updateAll(
        item,
        { kind: 'in', path: path(item, 'name'), op: 'inq', values: ['a', half] },
        { other: undefined },
        {}
      ),
      1
    )
  })

  await t.test('a database that cannot be had is one clear error without secrets', async t => {
    const wrong: ReadonlyArray<readonly [object, RegExp]> = [
      [{ url: 'mysql://someone:s3cret@127.0.0.1:1/shop' }, /127\.0\.0\.1:1, database "shop"\): ECONNREFUSED, nothing listens there\. /],
      [{ url: new URL('/none_such', url).href }, /there is no such database/],
      [{ url: new URL('/', url).href }, /no "database" is named/],
      [
        {
          connector: 'loopback-connector-mysql',
          host: new URL(url).hostname,
          port: new URL(url).port || 3306,
          user: 'someone',
          password: 's3cret',
          database: 'shop'
        },
        /user or password is wrong/
      ]
    ]
    for (const [settings, message] of wrong) {
      const sql = sqlConnector({ connector: 'sql', connectionTimeout: 8000, ...settings }, context())
      const error = await Promise.resolve(sql.connect()).then(() => undefined, (error: Error) => error) as Error
      t.match(error, { code: 'FBK_CORE_DATA_SOURCE_SETTINGS', message })
      t.notMatch(error.message, /s3cret|someone/)
    }
  })
})
