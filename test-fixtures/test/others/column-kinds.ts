/** What columns of others can be: their types on each engine, with values as SQL writes them, and their keys. */
export type Engine = 'sqlite' | 'postgres' | 'mysql'

/** A kind of column. */
export interface ColumnKind {
  /** As CREATE TABLE says it. */
  readonly type: string
  /** Values of rows, as SQL. */
  readonly values: readonly string[]
}

/** A kind of primary key. */
export interface KeyKind {
  readonly type: string
  /** Values of rows, as SQL; undefined: the database gives them. */
  readonly values?: readonly string[]
  /** A new id for a row that is made again, as JSON has it; undefined: the database gives it. */
  readonly another?: unknown
}

const kind = (type: string, ...values: string[]): ColumnKind => ({ type, values })

/** An example: a type that databases spell the same. */
const numbers = [
  kind('smallint', '0', '-32768', '32767'),
  kind('integer', '1', '-2147483648', '2147483647'),
  kind('bigint', '7', '9007199254740993', '-9223372036854775808'),
  kind('numeric(12,2)', '1.24', '-9999999999.99', '0.10'),
  kind('numeric(30,10)', '1.0000000001', '12345678901234567890.0123456789', '0.5')
]

const texts = [
  kind('text', "'plain'", "''", "'Straße 日本 🚲 \"quoted\" 100%'"),
  kind('varchar(20)', "'a'", "'two words'", "'Ünïcode_%'"),
  kind('char(8)', "'ab'", "'full8chr'", "'a b'")
]

const postgres: readonly ColumnKind[] = [
  ...numbers, ...texts,
  kind('real', '0.1', '1.5', '16777216'), kind('double precision', '0.1', '1e300', '-0.000001'), kind('numeric', '1', '0.000000001', '123456789012'),
  kind('boolean', 'true', 'false'), kind('uuid', "'6f1c2b9e-6f0a-4c58-9a9e-0c7a4a4f2b11'", "'00000000-0000-0000-0000-000000000000'"),
  kind('date', "'2021-07-01'", "'0099-01-01'"), kind('time', "'10:20:30'", "'23:59:59.123456'"), kind('timetz', "'10:20:30+02'"),
  kind('timestamp', "'2021-07-01 10:20:30.123456'", "'1969-12-31 23:59:59.999999'"), kind('timestamp(0)', "'2021-07-01 10:20:30'"),
  kind('timestamptz', "'2021-07-01 10:20:30.123456Z'", "'2021-07-01 10:20:30.000001Z'", "'2021-07-01 10:20:31Z'"),
  kind('timestamptz(3)', "'2021-07-01 10:20:30.123Z'"), kind('interval', "'1 day 02:03:04'", "'1 year 2 mons'", "'-00:00:01.5'"),
  kind('bytea', "'\\x000102ff'", "''"), kind('json', "'{\"a\":[1,null]}'", "'[]'"), kind('jsonb', "'{\"a\":[1,null]}'", "'\"text\"'", "'12'"),
  kind('inet', "'10.0.0.1'", "'10.1.0.0/16'"), kind('cidr', "'10.1.0.0/16'"), kind('macaddr', "'08:00:2b:01:02:03'"),
  kind('bit(4)', "B'1010'"), kind('varbit(8)', "B'101'"), kind('point', "'(-77.03,38.9)'"), kind('box', "'(1,1),(0,0)'"), kind('circle', "'<(1,2),3>'"),
  kind('int4range', "'[1,5)'", "'empty'"), kind('numrange', "'(0.5,]'"), kind('tstzrange', "'[2021-07-01 00:00:00+00,2021-07-02 00:00:00+00)'"), kind('daterange', "'[2021-07-01,2021-07-03)'"),
  kind('text[]', "'{a,NULL,\"b c\"}'", "'{}'", "'{\"NULL\",\"\"}'"), kind('integer[]', "'{1,NULL,3}'"), kind('bigint[]', "'{9007199254740993}'"),
  kind('numeric(8,2)[]', "'{1.50,NULL}'"), kind('numeric[]', "'{12345678901.5,-1}'"), kind('numeric', '-0.5', '123456789012.25'), kind('boolean[]', "'{t,NULL,f}'"), kind('uuid[]', "'{6f1c2b9e-6f0a-4c58-9a9e-0c7a4a4f2b11}'"),
  kind('timestamptz[]', "'{2021-07-01 10:20:30.5Z}'"), kind('jsonb[]', "array['{\"a\":1}'::jsonb]"), kind('integer[][]', "'{{1,2},{3,4}}'"),
  kind('xml', "'<a/>'"), kind('tsvector', "'a b'"), kind('money', "'12.34'"), kind('others_mood', "'sad'", "'ok'"),
  kind('others_bytes', "'\\x00ff'"), kind('others_price', "'1.25'", "'0'"), kind('others_day', "'2021-07-01'")
]

const mysql: readonly ColumnKind[] = [
  ...numbers, ...texts,
  kind('tinyint(1)', '0', '1'), kind('tinyint', '-128', '127'), kind('mediumint unsigned', '16777215'), kind('int unsigned', '4294967295', '0'),
  kind('bigint unsigned', '18446744073709551615', '9007199254740993', '3'), kind('float', '0.1', '1.5', '-3.25'), kind('double', '0.1', '1e300'),
  kind('varchar(20) character set latin1', "'Straße'", "'a'"), kind('varchar(20) character set utf8mb3', "'日本'", "'a'"),
  kind('varchar(20) collate utf8mb4_general_ci', "'Case'", "'case2'"), kind("enum('sad','ok')", "'sad'", "'ok'"), kind("set('a','b','c')", "'a,c'", "''"),
  kind('date', "'2021-07-01'", "'1000-01-01'"), kind('time', "'10:20:30'", "'-100:00:00'"), kind('datetime', "'2021-07-01 10:20:30'"),
  kind('datetime(6)', "'2021-07-01 10:20:30.123456'", "'2021-07-01 10:20:30.000001'"), kind('datetime(3)', "'2021-07-01 10:20:30.123'"),
  kind('timestamp(6) null', "'2021-07-01 10:20:30.123456'"), kind('year', '2021', '1901'),
  kind('binary(4)', "x'00010200'"), kind('varbinary(8)', "x'0001ff'", "''"), kind('blob', "x'00ff'"), kind('bit(1)', "b'1'", "b'0'"), kind('bit(8)', "b'10100000'"),
  kind('json', "'{\"a\":[1,null]}'", "'[]'"), kind('point', 'point(-77.03, 38.9)'), kind('longtext', "'long'")
]

const sqlite: readonly ColumnKind[] = [
  ...texts,
  kind('integer', '0', '-5', '9007199254740993', '9223372036854775807'), kind('real', '0.1', '1e300'), kind('numeric', '1', '1.5'),
  kind('decimal(12,2)', '1.24', '3'), kind('boolean', '0', '1'), kind('blob', "x'000102ff'", "x''"), kind('json', "'{\"a\":[1,null]}'"),
  kind('datetime', "'2021-07-01 10:20:30'", "'2021-07-01 23:00:00'"), kind('datetime', "'2021-07-01T10:20:30.123Z'"), kind('datetime', '1625134830123'),
  kind('timestamp', "'2021-07-01 10:20:30.123456'", "'2021-07-01 10:20:31'"), kind('date', "'2021-07-01'"), kind('', "'untyped'")
]

export const columnKinds: Readonly<Record<Engine, readonly ColumnKind[]>> = { postgres, mysql, sqlite }

const big = ['9007199254740993', '9007199254740995', '9223372036854775000']

export const keyKinds: Readonly<Record<Engine, readonly KeyKind[]>> = {
  postgres: [
    { type: 'serial primary key' }, { type: 'bigint generated by default as identity (start with 9007199254740993) primary key' },
    { type: 'uuid primary key default gen_random_uuid()' }, { type: "text primary key default 'T-' || gen_random_uuid()" },
    { type: 'varchar(12) primary key', values: ["'a'", "'b/c'", "'d %'"], another: 'new one' },
    { type: 'char(5) primary key', values: ["'a'", "'ab'", "'abcde'"], another: 'new' },
    { type: 'bigint primary key', values: big, another: 12 },
    { type: 'uuid primary key', values: [1, 2, 3].map(n => `'6f1c2b9e-6f0a-4c58-9a9e-0c7a4a4f2b1${n}'`), another: '6f1c2b9e-6f0a-4c58-9a9e-0c7a4a4f2bff' }
  ],
  mysql: [
    { type: 'int auto_increment primary key' }, { type: 'bigint unsigned auto_increment primary key' },
    { type: 'uuid primary key default uuid()' }, { type: 'varchar(36) primary key default (uuid())' },
    { type: 'varchar(12) primary key', values: ["'a'", "'b/c'", "'d %'"], another: 'new one' },
    { type: 'bigint unsigned primary key', values: ['9223372036854775900', '18446744073709551615', '9007199254740993'], another: 12 }
  ],
  sqlite: [
    { type: 'integer primary key' }, { type: 'integer primary key autoincrement' },
    { type: 'text primary key default (lower(hex(randomblob(16))))' },
    { type: 'text primary key', values: ["'a'", "'b/c'", "'d %'"], another: 'new one' },
    { type: 'integer primary key', values: big }
  ]
}

/** Columns that the database works out, as CREATE TABLE says them: of the first column `c0`, a text. */
export const computedColumns: Readonly<Record<Engine, readonly string[]>> = {
  postgres: ["gen text generated always as (coalesce(c0, '') || '!') stored", "dflt text default 'N-' || 7", 'made timestamptz default now()'],
  mysql: ["gen varchar(80) as (concat(coalesce(c0, ''), '!')) stored", "dflt varchar(20) default (concat('N-', 7))", 'made datetime(6) default now(6)'],
  sqlite: ["gen text generated always as (coalesce(c0, '') || '!') stored", "dflt text default 'N-7'", 'made datetime default current_timestamp']
}
