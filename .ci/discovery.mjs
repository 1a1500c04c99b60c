/**
 * Compares what data sources tell of the kit's sample schema with what the kit expects (discovery.md, DW-0, DW-3), on
 * PostgreSQL and on MySQL or MariaDB; and what examples become with the kit's pairs of introspection (section 8).
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sqlConnector } from '../packages/connector-sql/bundle/index.js'
import { ModelRegistry } from '../packages/core/bundle/index.js'
import { randomBytes } from 'node:crypto'
import { execute, isReachable, servers } from '../test-fixtures/scratch.mjs'

const juggler = createRequire(import.meta.url)('../packages/loopback/cjs/juggler.cjs')
const kit = path.resolve(process.env.FASTBACK_CONFORMANCE ?? '../shared/conformance')
const folder = path.join(kit, 'discovery')
const json = file => JSON.parse(readFileSync(file, 'utf8'))
/** Where we differ, and why. */
const overruled = new Map([[
  'build options, idInjection true, data with an id',
  'a text stays in a property of numbers for the validation to tell; LoopBack makes NaN of it'
]])
let passed = 0
const faults = []

function check (what, got, wanted) {
  if (isDeepStrictEqual(got, wanted) !== overruled.has(what)) passed++
  else faults.push({ what, got, wanted })
}

const plain = value => JSON.parse(JSON.stringify(value) ?? 'null')
/** Members of an object in any order, columns of a table by their names (DO-4). */
const byColumn = rows => Array.isArray(rows) ? [...rows].sort((a, b) => a.columnName < b.columnName ? -1 : 1) : rows

async function outcome (run) {
  try {
    return plain(await run())
  } catch (error) {
    return { thrown: { name: 'Error', message: error.message } }
  }
}

async function compareEngine (engine, server) {
  if (!await isReachable(server)) {
    console.log(`discovery: no ${server} server`)
    return
  }
  // A database of its own: the sample has schemas of fixed names.
  const { url: outer } = servers[server]
  const database = `fastback_discovery_${randomBytes(4).toString('hex')}`
  await execute(outer, `CREATE DATABASE ${database}`)
  const remove = async () => { await execute(outer, `DROP DATABASE ${database}`) }
  const inside = new URL(outer)
  inside.pathname = `/${database}`
  const url = inside.href
  const registry = new ModelRegistry()
  try {
    registry.defineDataSource('db', { connector: sqlConnector, url })
    const db = registry.dataSources.db
    await db.connect()
    for (const statement of statementsOf(readFileSync(path.join(folder, `schema.${engine}.sql`), 'utf8'))) await db.connector.execute(statement)
    await compareAnswers(engine, db, value => JSON.parse(JSON.stringify(value).replaceAll(database, 'spec_discovery')), database)
  } finally {
    await registry.dataSources.db?.disconnect()
    await remove()
  }
}

const statementsOf = sql => sql.replace(/^--.*$/gm, '').split(/;\s*$/m).map(each => each.trim()).filter(each => each !== '')

async function compareAnswers (engine, db, neutral, database) {
  const decided = name => path.join(folder, 'expected', `decided-${engine}-${name}.json`)
  const expected = name => json(existsSync(decided(name)) ? decided(name) : path.join(folder, 'expected', `${engine}-${name}.json`))
  for (const [method, name] of [
    ['discoverPrimaryKeys', 'primary-keys'], ['discoverForeignKeys', 'foreign-keys'], ['discoverExportedForeignKeys', 'exported-foreign-keys'],
    ['discoverModelProperties', 'model-properties'], ['discoverSchema', 'schema']
  ]) {
    for (const [table, wanted] of Object.entries(expected(name))) {
      const got = neutral(await outcome(() => db[method](table, {})))
      check(`${engine} ${method} ${table}`, byColumn(got), byColumn(wanted))
    }
  }
  const lists = expected('model-definitions')
  for (const [options, wanted] of Object.entries(lists)) {
    const given = {}
    for (const part of options.replace(/ \(.*\)/, '').split(',')) {
      const [key, value = true] = part.split('=')
      if (key !== 'none') given[key] = value === 'spec_discovery' ? database : value
    }
    const got = neutral(await db.discoverModelDefinitions(given))
    // Other schemas of the server are none of the sample.
    const own = got.filter(({ owner }) => ['spec_discovery', 'public', 'archive'].includes(owner))
    check(`${engine} discoverModelDefinitions ${options}`, options.startsWith('all') ? own : got, wanted)
  }
  for (const [table, { keys, relations }] of Object.entries(expected('schemas-with-relations'))) {
    const got = neutral(await db.discoverSchemas(table, { relations: true }))
    check(`${engine} discoverSchemas ${table}`, Object.keys(got).sort(), keys)
    check(`${engine} discoverSchemas ${table}, relations`, Object.fromEntries(Object.entries(got).map(([key, { options }]) => [key, options.relations])), relations)
  }
  const models = path.join(folder, 'expected', `decided-${engine}.json`)
  if (existsSync(models)) {
    const found = await db.discover()
    for (const [name, { notes = [], ...wanted }] of Object.entries(json(models).models)) {
      const { public: isPublic, notes: own = [], ...got } = plain(found.find(each => each.name === name) ?? {})
      check(`${engine} discover ${name}`, got, wanted)
      for (const note of notes.filter(text => text.startsWith('DR-2'))) {
        check(`${engine} discover ${name}: ${note}`, [own.includes(note), isPublic], [true, false])
      }
    }
  }
}

for (const [engine, server] of [['postgres', 'postgres'], ['mysql', 'mysql']]) await compareEngine(engine, server)

function revived (value) {
  if (Array.isArray(value)) return value.map(revived)
  if (value === null || typeof value !== 'object') return value
  const { $new: kind, value: of } = value
  const made = {
    NaN: () => NaN,
    undefined: () => undefined,
    Date: () => new Date(of),
    Buffer: () => Buffer.from(of),
    GeoPoint: () => new juggler.GeoPoint(of),
    Function: () => () => {},
    RegExp: () => /x/
  }[kind ?? '']
  if (made !== undefined) return made()
  const copy = {}
  for (const key of Object.keys(value)) {
    const own = { value: revived(value[key]), enumerable: true, configurable: true, writable: true }
    Object.defineProperty(copy, key, own)
  }
  return copy
}

const nameless = text => text.replace(/AnonymousModel_\d+/g, 'AnonymousModel_N')
function typeName (type) {
  if (Array.isArray(type)) return type.map(typeName)
  if (typeof type !== 'function') return type
  return type.modelName === undefined ? type.name : nameless(`model ${type.modelName}`)
}
const shapeOf = Model => Object.fromEntries(
  Object.entries(Model.definition.properties).map(([name, { type, id, generated }]) =>
    [name, { ...id ? { id: Number(id) } : {}, ...generated ? { generated } : {}, type: typeName(type) }])
)

function compareIntrospection () {
  for (const file of ['scalars', 'arrays', 'objects', 'options']) {
    const { cases } = json(path.join(kit, 'introspection', `${file}.json`))
    for (const { name, input, introspected, options, model, decided } of cases) {
      const value = revived(input)
      if (introspected !== undefined) check(`introspect ${file}, ${name}`, plain(juggler.ModelBuilder.introspect(value)), introspected)
      const refused = decided?.thrown ?? model?.thrown
      if (model === undefined) continue
      let got
      try {
        const Model = new juggler.ModelBuilder().buildModelFromInstance('X', value, options)
        got = { properties: shapeOf(Model), instance: plain(new Model(value)) }
      } catch (error) {
        got = { thrown: error.code ?? error.message }
      }
      const { properties, instance } = decided ?? model
      // Codes are compared where the kit decides one; elsewhere the text is LoopBack's.
      if (refused === undefined) check(`build ${file}, ${name}`, got, { properties, instance })
      else if (refused.startsWith('FBK_')) check(`build ${file}, ${name}`, got, { thrown: refused })
      else check(`build ${file}, ${name}`, got.thrown !== undefined, true)
    }
  }
}

compareIntrospection()

for (const { what, got, wanted } of faults) {
  console.log(`DISAGREES ${what}`)
  if (process.argv.includes('--verbose')) console.log('  got   ', JSON.stringify(got), '\n  wanted', JSON.stringify(wanted))
}
console.log(`discovery: ${passed} agree, ${faults.length} disagree`)
process.exitCode = faults.length === 0 ? 0 : 1
