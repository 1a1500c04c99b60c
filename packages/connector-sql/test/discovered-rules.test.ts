/** What discovery says of tables of others beside types: what is refused, hidden, and left as it is. */
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t from 'tap'
import { scratchUrl } from './support/scratch.js'

type Loose = any

const statements = {
  postgres: [
    `CREATE TABLE customer (id serial PRIMARY KEY, email varchar(8) NOT NULL, age smallint, level integer, balance numeric(6,2), huge numeric(18,2),
      rank integer CHECK (rank IN (1, 2, 3)), code text CHECK (length(code) > 2), password_hash text, secret bytea, token_count integer, api_key varchar(20))`,
    'CREATE TABLE purchase (id serial PRIMARY KEY, customer_id integer NOT NULL REFERENCES customer (id), token_id integer REFERENCES purchase (id), placed date, amount real)',
    'CREATE INDEX ON purchase (placed DESC, amount)', 'CREATE INDEX ON purchase (amount DESC)'
  ],
  mysql: [
    `CREATE TABLE customer (id int AUTO_INCREMENT PRIMARY KEY, email varchar(8) NOT NULL, age smallint, level int unsigned, balance decimal(6,2), huge decimal(18,2),
      \`rank\` int CHECK (\`rank\` IN (1, 2, 3)), code varchar(10) CHECK (char_length(code) > 2), password_hash text, secret blob, token_count int, api_key varchar(20))`,
    'CREATE TABLE purchase (id int AUTO_INCREMENT PRIMARY KEY, customer_id int NOT NULL, token_id int, placed date, amount double, FOREIGN KEY (customer_id) REFERENCES customer (id), FOREIGN KEY (token_id) REFERENCES purchase (id))',
    'CREATE INDEX p1 ON purchase (placed DESC, amount)', 'CREATE INDEX p2 ON purchase (amount DESC)'
  ],
  sqlite: [
    `CREATE TABLE customer (id integer PRIMARY KEY, email varchar(8) NOT NULL, age smallint, level int, balance numeric(6,2), huge numeric(18,2),
      rank int CHECK (rank IN (1, 2, 3)), code text CHECK (length(code) > 2), password_hash text, secret blob, token_count int, api_key varchar(20))`,
    'CREATE TABLE purchase (id integer PRIMARY KEY, customer_id int NOT NULL REFERENCES customer (id), token_id int REFERENCES purchase (id), placed date, amount real)',
    'CREATE INDEX p1 ON purchase (placed DESC, amount)', 'CREATE INDEX p2 ON purchase (amount DESC)'
  ]
}

t.test('bounds of decimals that are texts are left to the database', async t => {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'none' })
  t.teardown(() => registry.stop())
  await db.connect()
  await (db.connector as Loose).execute('CREATE TABLE price (id integer PRIMARY KEY, amount numeric(6,2) CHECK (amount >= 0))')
  const bounds = async (options: Loose): Promise<Loose> => (await db.discover(options))[0]?.properties as Loose
  t.match(await bounds({}), { amount: { type: 'number', minimum: 0 } })
  const { amount } = await bounds({ decimals: 'text' })
  t.match(amount, { type: 'string' })
  t.notOk('minimum' in amount)
})

for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = engine === 'sqlite' ? `sqlite:${t.testdir({})}/rules.sqlite` : await scratchUrl(t, engine)
    if (url === undefined) return
    const registry = new ModelRegistry()
    const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
    t.teardown(() => registry.stop())
    await db.connect()
    const connector = db.connector as Loose
    for (const statement of statements[engine]) await connector.execute(statement)
    const found = await db.discover({ careful: true })
    for (const { notes, public: isPublic, ...definition } of found) {
      registry.attach(registry.defineModel(definition as Loose), db)
    }
    await registry.start()
    const { Customer } = registry.models as Loose
    t.same(await db.plan(), { dataSource: 'db', changes: [], differences: [] }, 'nothing is advised')

    const { properties } = found.find(({ name }) => name === 'Customer') as Loose
    t.match(properties, {
      email: { maxLength: 8 }, code: { minLength: 3 }, rank: { enum: [1, 2, 3] },
      ...(engine === 'sqlite' ? {} : { age: { minimum: -32768, maximum: 32767 }, balance: { minimum: -9999.99, maximum: 9999.99 } })
    })

    const good = { email: 'a@b', age: 30, level: 5, balance: 12.5, rank: 2, code: 'abc', passwordHash: 'x', tokenCount: 1 }
    const shown = JSON.parse(JSON.stringify(await Customer.create(good)))
    t.match(shown, { email: 'a@b', tokenCount: 1 })
    t.notOk('passwordHash' in shown || 'secret' in shown || 'apiKey' in shown, 'secrets are hidden')
    t.match(found.find(({ name }) => name === 'Customer')?.notes?.join(), /password_hash: hidden.*secret: hidden.*api_key: hidden/)

    const refused = [{ email: 'much-too-long' }, { rank: 4 }, { code: 'ab' }, { colour: 'red' }]
    const byRange = [{ age: 40_000 }, { level: engine === 'mysql' ? -1 : 2 ** 31 }, { balance: 10_000 }]
    for (const wrong of engine === 'sqlite' ? refused : [...refused, ...byRange]) {
      await t.rejects(Customer.create({ ...good, ...wrong }), { name: 'ValidationError' }, JSON.stringify(wrong))
    }
    t.equal(await Customer.count(), 1)
  })
}
