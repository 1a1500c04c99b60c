/** Types that tables have which others made, each with a value that is there and one that a model writes. */

export interface ColumnCase {
  /** Name of the column, and the type it is declared with. */
  readonly column: string
  readonly type: string
  /** The value in SQL, and what a model's row has for it, as JSON. */
  readonly stored: string
  readonly read: unknown
  /** What a model writes, and what the database then says, as text. Undefined: the column is only read. */
  readonly write?: unknown
  readonly told?: string
  /** How many of the two rows have the first one's value, as the database compares. Default: 1. */
  readonly finds?: number
}

const text = (column: string, type: string, stored: string, write: string, told = write): ColumnCase =>
  ({ column, type, stored: `'${stored}'`, read: stored, write, told })

export const postgres: readonly ColumnCase[] = [
  { column: 'small', type: 'smallint', stored: '-7', read: -7, write: 8, told: '8' },
  { column: 'big', type: 'bigint', stored: '9007199254740991', read: 9007199254740991, write: -5, told: '-5' },
  { column: 'dec', type: 'numeric(8,2)', stored: '12.50', read: 12.5, write: 0.25, told: '0.25' },
  { column: 'huge', type: 'numeric(30,10)', stored: '12345678901234567890.0123456789', read: '12345678901234567890.0123456789', write: '-1.5', told: '-1.5000000000' },
  { column: 'single', type: 'real', stored: '1.5', read: 1.5, write: 0.25, told: '0.25' },
  { column: 'double', type: 'double precision', stored: '1e300', read: 1e300, write: 0.1, told: '0.1' },
  text('cash', 'money', '$1.50', '$2.00'),
  text('ident', 'uuid', '6f1c1c1e-0000-4000-8000-000000000001', '6f1c1c1e-0000-4000-8000-000000000002'),
  { column: 'at', type: 'timestamptz', stored: "'2020-01-02 03:04:05.678+02'", read: '2020-01-02T01:04:05.678Z', write: '2021-01-01T00:00:00.000Z', told: '2021-01-01 00:00:00+00' },
  { column: 'local', type: 'timestamp', stored: "'2020-01-02 03:04:05'", read: '2020-01-02T03:04:05.000Z', write: '2021-01-01T00:00:00.000Z', told: '2021-01-01 00:00:00' },
  { column: 'day', type: 'date', stored: "'2020-01-02'", read: '2020-01-02T00:00:00.000Z', write: '2021-03-04T00:00:00.000Z', told: '2021-03-04' },
  text('clock', 'time', '03:04:05', '06:07:08.5'),
  text('zoned', 'timetz', '03:04:05+02', '06:07:08+00'),
  text('span', 'interval', '1 day 02:00:00', '3 mons'),
  { column: 'doc', type: 'jsonb', stored: '\'{"a": [1, null]}\'', read: { a: [1, null] }, write: { b: { c: 'x' } }, told: '{"b": {"c": "x"}}' },
  { column: 'plain', type: 'json', stored: '\'{"z":1,"a":2}\'', read: { z: 1, a: 2 }, write: { y: 1, b: 2 }, told: '{"y":1,"b":2}' },
  { column: 'nums', type: 'integer[]', stored: "'{1,2,3}'", read: [1, 2, 3], write: [4], told: '{4}' },
  { column: 'words', type: 'text[]', stored: '\'{a,"b c",","}\'', read: ['a', 'b c', ','], write: ['d"e', ''], told: '{"d\\"e",""}' },
  { column: 'mood', type: 'mood', stored: "'glad'", read: 'glad', write: 'sad', told: 'sad' },
  { column: 'bytes', type: 'bytea', stored: "'\\x00ff'", read: { type: 'Buffer', data: [0, 255] }, write: Buffer.from([1, 2]), told: '\\x0102' },
  text('host', 'inet', '10.1.2.3/8', '::1'),
  text('net', 'cidr', '10.0.0.0/8', '192.168.0.0/16'),
  text('mac', 'macaddr', '08:00:2b:01:02:03', '08:00:2b:01:02:04'),
  text('short', 'varchar(5)', 'abc', 'defgh'),
  text('fixed', 'char(3)', 'abc', 'xyz'),
  text('mail', 'mail', 'a@b', 'c@d'),
  { column: 'share', type: 'percentage', stored: '50', read: 50, write: 70, told: '70' },
  { column: 'spot', type: 'point', stored: "'(10.5,59)'", read: { lat: 59, lng: 10.5 }, write: { lat: 1, lng: 2 }, told: '(2,1)' },
  text('bits', 'bit varying(5)', '101', '0110'),
  text('span4', 'int4range', '[1,5)', '[2,3)'),
  { column: 'flag', type: 'boolean', stored: 'true', read: true, write: false, told: 'false' },
  { column: 'doubled', type: 'integer GENERATED ALWAYS AS (small * 2) STORED', stored: '', read: -14 },
  text('Mixed Case', 'text', 'a', 'b'),
  text('select', 'text', 'c', 'd'),
  text('it\'s "quoted"', 'text', 'e', 'f')
]

export const mysql: readonly ColumnCase[] = [
  { column: 'tiny', type: 'tinyint', stored: '-7', read: -7, write: 8, told: '8' },
  { column: 'flag', type: 'tinyint(1)', stored: '1', read: true, write: false, told: '0' },
  { column: 'count', type: 'int unsigned', stored: '4294967295', read: 4294967295, write: 1, told: '1' },
  { column: 'big', type: 'bigint', stored: '9007199254740991', read: 9007199254740991, write: -5, told: '-5' },
  { column: 'dec', type: 'decimal(8,2)', stored: '12.50', read: 12.5, write: 0.25, told: '0.25' },
  { column: 'huge', type: 'decimal(30,10)', stored: '12345678901234567890.0123456789', read: '12345678901234567890.0123456789', write: '-1.5', told: '-1.5000000000' },
  { column: 'single', type: 'float', stored: '1.5', read: 1.5, write: 0.25, told: '0.25' },
  { column: 'double', type: 'double', stored: '1e300', read: 1e300, write: 0.1, told: '0.1' },
  { column: 'one', type: 'bit(1)', stored: "b'1'", read: true, write: false, told: '0' },
  { column: 'many', type: 'bit(12)', stored: "b'101'", read: { type: 'Buffer', data: [0, 5] }, write: Buffer.from([1, 2]), told: '258' },
  text('mood', "enum('glad','sad')", 'glad', 'sad'),
  text('tags', "set('a','b','c')", 'a,c', 'b,c'),
  { column: 'grown', type: 'year', stored: '1999', read: 1999, write: 2020, told: '2020' },
  { column: 'at', type: 'datetime(3)', stored: "'2020-01-02 03:04:05.678'", read: '2020-01-02T03:04:05.678Z', write: '2021-01-01T00:00:00.000Z', told: '2021-01-01 00:00:00.000' },
  { column: 'stamp', type: 'timestamp NULL', stored: "'2020-01-02 03:04:05'", read: '2020-01-02T03:04:05.000Z', write: '2021-01-01T00:00:00.000Z', told: '2021-01-01 00:00:00' },
  { column: 'day', type: 'date', stored: "'2020-01-02'", read: '2020-01-02T00:00:00.000Z', write: '2021-03-04T00:00:00.000Z', told: '2021-03-04' },
  text('clock', 'time', '03:04:05', '106:07:08'),
  { column: 'doc', type: 'json', stored: '\'{"a":[1,null]}\'', read: { a: [1, null] }, write: { b: { c: 'x' } }, told: '{"b":{"c":"x"}}' },
  { column: 'bytes', type: 'varbinary(4)', stored: "x'00ff'", read: { type: 'Buffer', data: [0, 255] }, write: Buffer.from([1, 2]), told: '\u0001\u0002' },
  { column: 'blob', type: 'blob', stored: "x'00ff'", read: { type: 'Buffer', data: [0, 255] }, write: Buffer.from('ab'), told: 'ab' },
  text('short', 'varchar(5)', 'abc', 'defgh'),
  // What is equal, its collation says.
  { ...text('loose', 'varchar(5) COLLATE utf8mb4_general_ci', 'abc', 'ABC'), finds: 2 },
  { column: 'spot', type: 'point', stored: 'POINT(10.5, 59)', read: { lat: 59, lng: 10.5 }, write: { lat: 1, lng: 2 }, told: 'POINT(2 1)' },
  { column: 'doubled', type: 'int GENERATED ALWAYS AS (tiny * 2) STORED', stored: '', read: -14 },
  text('Mixed Case', 'text', 'a', 'b'),
  text('select', 'text', 'c', 'd'),
  text('it\'s "quoted"', 'text', 'e', 'f')
]

export const sqlite: readonly ColumnCase[] = [
  { column: 'whole', type: 'INTEGER', stored: '-7', read: -7, write: 8, told: '8' },
  { column: 'big', type: 'BIGINT', stored: '9007199254740991', read: 9007199254740991, write: -5, told: '-5' },
  { column: 'dec', type: 'DECIMAL(8,2)', stored: '12.5', read: 12.5, write: 0.25, told: '0.25' },
  { column: 'double', type: 'DOUBLE', stored: '1e300', read: 1e300, write: 0.1, told: '0.1' },
  { column: 'flag', type: 'BOOLEAN', stored: '1', read: true, write: false, told: '0' },
  text('short', 'VARCHAR(5)', 'abc', 'defgh'),
  text('body', 'TEXT', 'abc', 'x'),
  { column: 'bytes', type: 'BLOB', stored: "x'00ff'", read: { type: 'Buffer', data: [0, 255] }, write: Buffer.from('ab'), told: 'ab' },
  { column: 'ms', type: 'DATETIME', stored: '1577934245678', read: '2020-01-02T03:04:05.678Z', write: '2021-01-01T00:00:00.000Z', told: '1609459200000' },
  text('anything', '', 'abc', 'def'),
  { column: 'doubled', type: 'INTEGER GENERATED ALWAYS AS (whole * 2) STORED', stored: '', read: -14 },
  text('Mixed Case', 'TEXT', 'a', 'b'),
  text('select', 'TEXT', 'c', 'd'),
  text('it\'s "quoted"', 'TEXT', 'e', 'f')
]
