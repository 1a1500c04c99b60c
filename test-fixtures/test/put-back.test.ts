/**
 * A row that was read can be put back: a table with a column of every type, made by others, discovered and served. Sent
 * back with PUT, PATCH and, without its id, POST, the database has the same texts in it as before.
 */
import t, { type Test } from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import { core, ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'
import { isReachable, makeScratch } from '../scratch.mjs'

type Loose = any
type Engine = 'sqlite' | 'postgres' | 'mysql'

/** Types, each with a value in SQL. */
const values: Readonly<Record<Engine, ReadonlyArray<readonly [type: string, stored: string]>>> = {
  postgres: [
    ['text[]', "'{a,NULL,\"b c\",\",\"}'"], ['int[]', "'{1,NULL,3}'"], ['boolean[]', "'{t,NULL}'"], ['int[]', "'{}'"],
    ['uuid[]', "'{6f1c1c1e-0000-4000-8000-000000000001,NULL}'"], ['jsonb[]', "array['{\"a\": [1, null]}'::jsonb, null]"],
    ['timestamptz[]', "'{2020-01-02 03:04:05.678+02,NULL}'"], ['timestamp[]', "'{2020-01-02 03:04:05.678,NULL}'"],
    ['date[]', "'{2020-01-02,NULL}'"], ['bigint[]', "'{9223372036854775807,9007199254740993,NULL}'"], ['numeric[]', "'{1.5,NULL}'"],
    ['numeric', '1.5'], ['numeric', '-0.000000001'], ['numeric(30,2)[]', "'{1.50,NULL}'"],
    ['bytea[]', "array['\\x00ff'::bytea, null]"], ['point[]', "array['(10.5,59)'::point, null]"],
    ['interval[]', "'{1 day,NULL}'"], ['int4range[]', "array['[1,5)'::int4range, null]"], ['mood[]', "'{glad,NULL}'"],
    ['int[][]', "'{{1,2},{3,NULL}}'"], ['text[][]', "'{{a,\"b c\"},{NULL,d}}'"],
    ['int4range', "'[1,5)'"], ['tstzrange', "'[2020-01-01 00:00+00,2021-01-01 00:00+00)'"],
    ['daterange', "'[2020-01-01,2020-02-01)'"], ['numrange', "'(1.5,)'"], ['int8range', "'empty'"],
    ['interval', "'1 year 2 mons 3 days 04:05:06.789'"], ['time', "'03:04:05.678'"], ['timetz', "'03:04:05+02'"],
    ['point', "'(10.5,59)'"], ['line', "'{1,2,3}'"], ['lseg', "'[(0,0),(1,1)]'"], ['box', "'(1,1),(0,0)'"],
    ['path', "'((0,0),(1,1))'"], ['polygon', "'((0,0),(1,1),(1,0))'"], ['circle', "'<(0,0),2>'"],
    ['inet', "'10.1.2.3/8'"], ['cidr', "'10.0.0.0/8'"], ['macaddr', "'08:00:2b:01:02:03'"], ['money', "'$1,234.50'"],
    ['bit(5)', "B'10101'"], ['bit varying(7)', "B'101'"], ['tsvector', "'a:1 b:2'"], ['bytea', "'\\x00ff10'"],
    ['bigint', '9223372036854775807'], ['numeric(40,20)', '12345678901234567890.01234567890123456789'],
    ['numeric(12,2)', '1.20'], ['jsonb', '\'{"a": [1, null]}\''], ['jsonb', "'[1, null]'"], ['jsonb', '\'"text"\''],
    ['jsonb', "'5'"], ['json', '\'{"z":1,"a":2}\''], ['mood', "'glad'"], ['real', '1.1'], ['double precision', '1e300'],
    ['date', "'2020-01-02'"], ['timestamptz', "'2020-01-02 03:04:05.678+00'"], ['boolean', 'true'], ['oid', '5']
  ],
  mysql: [
    ["set('a','b','c')", "'a,c'"], ["set('a','b')", "''"], ["enum('glad','sad')", "'glad'"], ['year', '1999'],
    ['time(3)', "'-106:07:08.500'"], ['bit(1)', "b'1'"], ['bit(12)', "b'101'"], ['bit(64)', "b'1'"],
    ['binary(4)', "x'00ff'"], ['varbinary(4)', "x'00ff'"], ['blob', "x'00ff10'"], ['json', '\'{"z":1,"a":[1,null]}\''],
    ['json', "'[1,2]'"], ['json', '\'"x"\''], ['decimal(30,10)', '12345678901234567890.0123456789'],
    ['decimal(12,2)', '1.20'], ['int unsigned', '4294967295'], ['tinyint', '-7'], ['double', '1e300'],
    ['point', 'point(10.5,59)'], ['point not null', 'point(-77.03,38.9)'],
    ['linestring', "ST_GeomFromText('LINESTRING(0 0,1 1.1)')"], ['geometry', "ST_GeomFromText('POINT(1 2)')"],
    ['polygon', "ST_GeomFromText('POLYGON((0 0,1 1,1 0,0 0))')"], ['date', "'2020-01-02'"],
    ['datetime(3)', "'2020-01-02 03:04:05.678'"]
  ],
  sqlite: [
    ['BLOB', "x'00ff'"], ['NUMERIC', '12.5'], ['DECIMAL(8,2)', '12.5'], ['REAL', '0.1'], ['BOOLEAN', '1'],
    ['VARCHAR(5)', "'abc'"], ['DATETIME', '1577934245678'], ['BIGINT', '-5']
  ]
}

const keys = { sqlite: 'INTEGER PRIMARY KEY', postgres: 'serial PRIMARY KEY', mysql: 'int AUTO_INCREMENT PRIMARY KEY' }
const told: Readonly<Record<Engine, (column: string) => string>> = {
  sqlite: column => `typeof(${column}) || hex(${column})`, postgres: column => `${column}::text`, mysql: column => `hex(${column})`
}

async function served (t: Test, url: string, dataSource: string, options: Loose): Promise<FastifyInstance> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource(dataSource, { connector: sqlConnector, url, migrate: 'none' })
  await registry.start()
  const found = await db.discover(options)
  await registry.stop()
  const definitions = found.map(({ notes, public: isPublic, ...definition }) =>
    definition as unknown as ModelDefinitionInput)
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url, migrate: 'none' } },
    // As in folders of LoopBack: values for what is read only are left out.
    settings: { readOnlyProperties: 'ignore' },
    definitions,
    models: { Thing: { dataSource: 'db', public: true } }
  })
  await app.register(rest)
  return app
}

async function putsBack (
  t: Test, url: string, engine: Engine, options: object, before: readonly string[] = []
): Promise<void> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('made', { connector: sqlConnector, url, migrate: 'none' })
  await registry.start()
  t.teardown(() => registry.stop())
  const columns = values[engine].map(([type, stored], i) => ({ name: `c${i}`, type, stored }))
  for (const statement of before) await db.execute(statement)
  await db.execute(`CREATE TABLE thing (id ${keys[engine]}, base int, doubled int GENERATED ALWAYS AS (base * 2) STORED, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`)
  await db.execute(`INSERT INTO thing (base, ${columns.map(({ name }) => name).join(', ')}) VALUES (3, ${columns.map(({ stored }) => stored).join(', ')})`)
  const stored = async (id: unknown): Promise<Loose> => {
    const [row] = await db.execute(`SELECT doubled, ${columns.map(({ name }) => `${told[engine](name)} AS ${name}`).join(', ')} FROM thing WHERE id = ${Number(id)}`) as Loose[]
    return Object.fromEntries(columns.map(({ name, type }) => [`${name} ${type}`, row[name] as unknown]))
  }
  const app = await served(t, url, 'db', options)
  const ask = async (method: 'GET' | 'PUT' | 'PATCH' | 'POST', path: string, payload?: Loose): Promise<Loose> => {
    const answer = await app.inject({ method, url: `/Things${path}`, ...payload === undefined ? {} : { payload } })
    return { status: answer.statusCode, body: answer.json() }
  }
  const original = await stored(1)
  const [listed] = (await ask('GET', '')).body
  const { body: row } = await ask('GET', '/1')
  t.same(listed, row, 'a list has the row as it is by itself')
  for (const { name, type } of columns) {
    const { status, body } = await ask('PATCH', '/1', { [name]: row[name] })
    t.equal(status, 200, `${name} ${type}: ${JSON.stringify(row[name])} ${status === 200 ? '' : JSON.stringify(body)}`)
  }
  t.same(await stored(1), original, 'PATCH of each')
  t.match(await ask('PUT', '/1', row), { status: 200 })
  t.same(await stored(1), original, 'PUT')
  const { id, ...copy } = row
  const made = await ask('POST', '', copy)
  t.equal(made.status, 200, JSON.stringify(made.body.error))
  t.same(await stored(made.body.id), original, 'POST')
  t.match((await ask('GET', `/${String(made.body.id)}`)).body, copy, 'and reads the same')
  t.match(await ask('PATCH', '/1', { doubled: 7 }), {
    status: 422, body: { error: { details: [{ path: '.doubled', code: 'readOnly' }] } }
  }, 'what the database works out is refused where it differs')
  t.match(await ask('PATCH', '/1', { base: 4, doubled: 6 }), { status: 200 })
}

for (const options of [{}, { bigints: 'bigint', decimals: 'decimal' }, { bigints: 'text', decimals: 'text' }]) {
  const how = JSON.stringify(options)
  t.test(`sqlite ${how}`, async t => { await putsBack(t, `sqlite:${t.testdir({})}/rows.sqlite`, 'sqlite', options) })
  t.test(`postgres ${how}`, async t => {
    if (!await isReachable('postgres')) return
    const { url, remove } = await makeScratch('postgres')
    t.teardown(remove)
    await putsBack(t, url, 'postgres', options, ["CREATE TYPE mood AS ENUM ('glad', 'sad')"])
  })
  t.test(`mysql ${how}`, async t => {
    if (!await isReachable('mysql')) return
    const { url, remove } = await makeScratch('mysql')
    t.teardown(remove)
    await putsBack(t, url, 'mysql', options)
  })
}
