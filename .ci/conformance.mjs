// Replays the recorded exchanges of the conformance kit and holds the floors of .ci/conformance-floors.json:
// for each data store and area, the number of exchanges that must agree. They only ever go up.
// Exchanges that a rule of the specification overrules stand in .ci/conformance-overruled.json, each with its rule;
// they are told apart from those that disagree, and count for the floor. Under the name of a store are those that it
// answers otherwise.
// node .ci/conformance.mjs [--store memory|sqlite|files|s3|rest-services|soap-services|sync|postgres|mysql] [--servers]
// [--answers STORE] [--update] [--verbose] [area ...]
// With --answers every response of that store's run is held against the server's own API description as it passes by,
// and none may violate it, but for
// what the applications' own code does otherwise than it declares: .ci/conformance-responses.json names each of those.
// FASTBACK_CONFORMANCE is the kit's folder (default: ../shared/conformance beside the checkout).
// Without --store it plays on memory and sqlite, what was recorded of file storage on folders (files) and on a
// server that speaks S3 (s3), of data sources that are REST and SOAP services (rest-services, soap-services), and of
// replication (sync);
// with --servers instead on the database servers of test-fixtures/scratch.mjs that answer (those that a variable or
// --store names must).
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isReachable, makeScratch } from '../test-fixtures/scratch.mjs'
import { play } from './conformance/play.mjs'

const { values: options, positionals: areas } = parseArgs({
  allowPositionals: true,
  options: {
    store: { type: 'string', multiple: true },
    answers: { type: 'string', multiple: true, default: [] },
    servers: { type: 'boolean' },
    update: { type: 'boolean' },
    verbose: { type: 'boolean' }
  }
})
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
// Folders are compared by the paths that processes see, also where the kit is reached by a link.
const kit = realpathSync(path.resolve(root, process.env.FASTBACK_CONFORMANCE ?? '../shared/conformance'))
const floorsFile = path.join(root, '.ci/conformance-floors.json')
const floors = JSON.parse(readFileSync(floorsFile, 'utf8'))
const allOverruled = JSON.parse(readFileSync(path.join(root, '.ci/conformance-overruled.json'), 'utf8'))
const overruledOn = store => ({ ...allOverruled['any store'], ...allOverruled[store] })
const undeclared = new Set(
  JSON.parse(readFileSync(path.join(root, '.ci/conformance-responses.json'), 'utf8')).map(
    ({ operation, status }) => `${operation} ${status}`
  )
)
const command = path.join(root, 'packages/cli/bin/fastback.js')

// What arguments, paths and middleware come to never reaches a store: it is played on memory alone, unless the areas
// are named.
const storeless = new Set(['params', 'middleware', 'open'])
const stored = areas.length > 0 ? areas : readdirSync(path.join(kit, 'cassettes')).filter(area => !storeless.has(area))

// How each store's recordings are played; undefined when it cannot be had.
const stores = {
  memory: checks => play(kit, 'cassettes', areas, { command, checks }),
  sqlite: checks => play(kit, 'cassettes', stored, {
    command, checks, environment: () => withDatabase({ connector: 'sql', url: 'sqlite::memory:' })
  }),
  files: checks => play(kit, 'components', ['storage'], { command, checks }),
  s3: checks => play(kit, 'components', ['storage'], {
    command: path.join(root, '.ci/serve-s3.mjs'), isolated: true, checks
  }),
  // Their folders start a server when they are loaded, which stays until their process ends.
  'rest-services': checks => play(kit, 'components', ['rest-connector'], { command, isolated: true, checks }),
  'soap-services': checks => play(kit, 'components', ['soap-connector'], { command, isolated: true, checks }),
  sync: checks => play(kit, 'components', ['sync'], { command, checks }),
  postgres: checks => playOn('postgres', checks),
  mysql: checks => playOn('mysql', checks)
}

const withDatabase = db => ({ variables: { FASTBACK_DATASOURCES: JSON.stringify({ db }) } })

/** Each recording has a schema (MySQL: a database) of its own, empty at first and removed in the end. */
async function playOn (server, checks) {
  if (!options.store?.includes(server) && !await isReachable(server)) return undefined
  const environment = async () => {
    const { url, remove } = await makeScratch(server)
    return { ...withDatabase({ connector: 'sql', url, migrate: 'reset', poolSize: 4 }), remove }
  }
  return await play(kit, 'cassettes', areas, { command, environment, checks })
}

function printFailures (cassettes, overruled, limit) {
  const failures = cassettes.flatMap(cassette =>
    cassette.failures.map(failure => ({ name: cassette.name, ...failure }))
  )
  for (const { name, step, request, differences } of failures.slice(0, limit)) {
    if (overruled[`${name}: ${step}`] !== undefined) {
      console.log(`      ${name}: ${step}\n        overruled by ${overruled[`${name}: ${step}`]}`)
      continue
    }
    console.log(`      ${name}: ${step}${request ? `  ${request.method} ${request.path}` : ''}`)
    for (const [where, want, got] of differences.slice(0, 3)) {
      console.log(
        `        ${where}: expected ${JSON.stringify(want)?.slice(0, 300)}, got ${(typeof got === 'string' ? got : JSON.stringify(got))?.slice(0, 300)}`
      )
    }
  }
  if (failures.length > limit) console.log(`      and ${failures.length - limit} more`)
}

// Of all stores whose answers are checked.
const excused = new Set()
const asked = new Set()

/** Prints how many answers the description covers; the number of those that violate it. */
function judge (store, answers) {
  const counts = { described: 0, default: 0, unrouted: 0, elsewhere: 0 }
  const kinds = new Map()
  let violating = 0
  for (const { label, method, url, status, operation, by, faults } of answers) {
    if (by !== undefined) counts[by]++
    asked.add(operation)
    if (faults.length > 0 && undeclared.has(`${operation} ${status}`)) {
      excused.add(`${operation} ${status}`)
      continue
    }
    if (faults.length > 0) violating++
    const noted = by === 'default' && options.verbose ? ['only "default" covers it', ...faults] : faults
    for (const fault of new Set(
      noted.map(each => `${operation ?? 'no operation'} ${status}: ${each.replaceAll(/\d{2,}/g, '0')}`)
    )) {
      const kind = kinds.get(fault) ?? { fault, count: 0, example: `${path.basename(label ?? '')} ${method} ${url}` }
      kind.count++
      kinds.set(fault, kind)
    }
  }
  const shown = options.verbose ? Infinity : 20
  for (const { fault, count, example } of [...kinds.values()].sort((a, b) => b.count - a.count).slice(0, shown)) {
    console.log(`      ${count} x ${fault}\n        ${example}`)
  }
  if (kinds.size > shown) console.log(`      and ${kinds.size - shown} more kinds`)
  const checkedAnswers = counts.described + counts.default + counts.unrouted
  console.log(
    `${violating > 0 ? 'FAIL' : 'ok  '}  ${store}: ${checkedAnswers} answers checked against the description, ${violating} violating ` +
      `(${counts.described} of a described status, ${counts.default} by "default", ${counts.unrouted} of no operation; ${counts.elsewhere} more were not the API's)`
  )
  return violating
}

let below = 0
/** Databases do not wait for each other. */
const underWay = new Map(options.servers ? ['postgres', 'mysql'].map(store => [store, stores[store](options.answers.includes(store))]) : [])
const usual = options.servers ? ['postgres', 'mysql'] : ['memory', 'sqlite', 'files', 's3', 'rest-services', 'soap-services', 'sync']
for (const store of options.store ?? usual) {
  if (!stores[store]) throw new Error(`unknown store ${store}: one of ${Object.keys(stores).join(', ')}`)
  const start = Date.now()
  const replayed = await (underWay.get(store) ?? stores[store](options.answers.includes(store)))
  if (replayed === undefined) {
    console.log(`\n${store}: no server answers, not run`)
    continue
  }
  const { cassettes: results, answers } = replayed
  const overruled = overruledOn(store)
  const byArea = groupBy(results, areaOf)
  const known = floors[store] ??= {}
  // an area with a floor that the kit no longer has would otherwise pass unseen
  for (const area of Object.keys(known)) {
    const isPlayed = areas.length === 0 && (store === 'memory' || !storeless.has(area))
    if (isPlayed && !byArea.has(area)) byArea.set(area, [])
  }

  let agree = 0
  let all = 0
  console.log(`\n${store}`)
  for (const [area, cassettes] of [...byArea].sort(([a], [b]) => a < b ? -1 : 1)) {
    const passed = cassettes.reduce((sum, cassette) => sum + cassette.passed, 0)
    const total = cassettes.reduce((sum, cassette) => sum + cassette.steps, 0)
    const floor = known[area] ?? 0
    // What a rule overrules by name is settled: a rule that comes later is no step back.
    const settled = passed + decidedOf(cassettes, overruled).length
    agree += passed
    all += total
    const counts = `${String(passed).padStart(4)} of ${String(total).padStart(4)} agree, floor ${floor}`
    console.log(`${settled < floor ? 'FAIL' : 'ok  '}  ${area.padEnd(16)} ${counts}`)
    if (settled < floor) below++
    if (settled < floor || options.verbose) printFailures(cassettes, overruled, options.verbose ? Infinity : 10)
    if (options.update) known[area] = Math.max(floor, passed)
  }
  const played = [...byArea.values()].flat()
  const decided = decidedOf(played, overruled)
  console.log(
    `${store}: ${agree} of ${all} exchanges agree (${((100 * agree) / (all || 1)).toFixed(1)} %), ${decided.length} more are overruled, ${all - agree - decided.length} disagree, in ${Math.round((Date.now() - start) / 1000)} s`
  )
  const names = new Set(played.map(({ name }) => name))
  for (const exchange of Object.keys(overruled)) {
    if (names.has(exchange.slice(0, exchange.indexOf(': '))) && !decided.includes(exchange)) {
      console.log(`      ${exchange}: listed as overruled, but it agrees`)
    }
  }
  if (all === 0) below++
  if (answers !== undefined && (judge(store, answers) > 0 || answers.length === 0)) below++
}

/** Exchanges that disagree, and that a rule overrules. */
function decidedOf (cassettes, overruled) {
  return cassettes
    .flatMap(({ name, failures }) => failures.map(({ step }) => `${name}: ${step}`))
    .filter(exchange => overruled[exchange] !== undefined)
}

function areaOf (cassette) { return cassette.name.split('/')[0] }

function groupBy (list, keyOf) {
  const groups = new Map()
  for (const item of list) groups.set(keyOf(item), [...groups.get(keyOf(item)) ?? [], item])
  return groups
}

const needless = areas.length > 0
  ? []
  : [...undeclared].filter(each => !excused.has(each) && asked.has(each.slice(0, each.lastIndexOf(' '))))
if (needless.length > 0) console.log(`\nneedless exceptions of answers: ${needless.join(', ')}`)

if (options.update) {
  const sorted = object => Object.fromEntries(Object.entries(object).sort(([a], [b]) => a < b ? -1 : 1))
  writeFileSync(
    floorsFile,
    JSON.stringify(
      Object.fromEntries(Object.entries(floors).map(([store, known]) => [store, sorted(known)])),
      null,
      2
    ) + '\n'
  )
}
if (below > 0) console.log(`\n${below} below the floor`)
process.exitCode = below === 0 ? 0 : 1
