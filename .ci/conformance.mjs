// Replays the recorded exchanges of the conformance kit and holds the floors of .ci/conformance-floors.json:
// for each data store and area, the number of exchanges that must agree. They only ever go up.
// Exchanges that a rule of the specification overrules stand in .ci/conformance-overruled.json, each with its rule; they are told apart from those that disagree.
//   node .ci/conformance.mjs [--store memory|sqlite] [--update] [--verbose] [area ...]
// FASTBACK_CONFORMANCE is the kit's folder (default: ../shared/conformance beside the checkout).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values: options, positionals: areas } = parseArgs({
  allowPositionals: true,
  options: { store: { type: 'string', multiple: true }, update: { type: 'boolean' }, verbose: { type: 'boolean' } }
})
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const kit = path.resolve(root, process.env.FASTBACK_CONFORMANCE ?? '../shared/conformance')
const floorsFile = path.join(root, '.ci/conformance-floors.json')
const floors = JSON.parse(readFileSync(floorsFile, 'utf8'))
const overruled = JSON.parse(readFileSync(path.join(root, '.ci/conformance-overruled.json'), 'utf8'))
const serve = `'${process.execPath}' '${path.join(root, 'packages/cli/bin/fastback.js')}' serve {app} --port {port}`

const stores = {
  memory: {},
  sqlite: { FASTBACK_DATASOURCES: JSON.stringify({ db: { connector: 'sql', url: 'sqlite::memory:' } }) }
}

/** Plays the cassettes against servers on one store; the result is the kit's own list, one entry per cassette. */
function replay (environment) {
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-conformance-'))
  const file = path.join(folder, 'results.json')
  try {
    const only = areas.flatMap(area => ['--only', `${area}/`])
    const { status, stderr } = spawnSync(process.execPath,
      [path.join(kit, 'replay.mjs'), '--serve', serve, ...only, '--json', file, '--min', '0', '--timeout', '60000'],
      { cwd: root, env: { ...process.env, ...environment }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 })
    if (status !== 0) throw new Error(`replay.mjs ended with ${status}\n${stderr}`)
    return JSON.parse(readFileSync(file, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function printFailures (cassettes, limit) {
  const failures = cassettes.flatMap(cassette => cassette.failures.map(failure => ({ name: cassette.name, ...failure })))
  for (const { name, step, request, differences } of failures.slice(0, limit)) {
    if (overruled[`${name}: ${step}`] !== undefined) {
      console.log(`      ${name}: ${step}\n        overruled by ${overruled[`${name}: ${step}`]}`)
      continue
    }
    console.log(`      ${name}: ${step}${request ? `  ${request.method} ${request.path}` : ''}`)
    for (const [where, want, got] of differences.slice(0, 3)) {
      console.log(`        ${where}: expected ${JSON.stringify(want)?.slice(0, 300)}, got ${(typeof got === 'string' ? got : JSON.stringify(got))?.slice(0, 300)}`)
    }
  }
  if (failures.length > limit) console.log(`      and ${failures.length - limit} more`)
}

let below = 0
for (const store of options.store ?? Object.keys(stores)) {
  if (!stores[store]) throw new Error(`unknown store ${store}: one of ${Object.keys(stores).join(', ')}`)
  const byArea = groupBy(replay(stores[store]), areaOf)
  const known = floors[store] ??= {}
  // an area with a floor that the kit no longer has would otherwise pass unseen
  for (const area of Object.keys(known)) if (areas.length === 0 && !byArea.has(area)) byArea.set(area, [])

  let agree = 0
  let all = 0
  console.log(`\n${store}`)
  for (const [area, cassettes] of [...byArea].sort(([a], [b]) => a < b ? -1 : 1)) {
    const passed = cassettes.reduce((sum, cassette) => sum + cassette.passed, 0)
    const total = cassettes.reduce((sum, cassette) => sum + cassette.steps, 0)
    const floor = known[area] ?? 0
    agree += passed
    all += total
    console.log(`${passed < floor ? 'FAIL' : 'ok  '}  ${area.padEnd(16)} ${String(passed).padStart(4)} of ${String(total).padStart(4)} agree, floor ${floor}`)
    if (passed < floor) below++
    if (passed < floor || options.verbose) printFailures(cassettes, options.verbose ? Infinity : 10)
    if (options.update) known[area] = Math.max(floor, passed)
  }
  const played = [...byArea.values()].flat()
  const decided = new Set(played.flatMap(({ name, failures }) => failures.map(({ step }) => `${name}: ${step}`)).filter(exchange => overruled[exchange] !== undefined))
  console.log(`${store}: ${agree} of ${all} exchanges agree (${(100 * agree / (all || 1)).toFixed(1)} %), ${decided.size} more are overruled, ${all - agree - decided.size} disagree`)
  const names = new Set(played.map(({ name }) => name))
  for (const exchange of Object.keys(overruled)) {
    if (names.has(exchange.slice(0, exchange.indexOf(': '))) && !decided.has(exchange)) console.log(`      ${exchange}: listed as overruled, but it agrees`)
  }
  if (all === 0) below++
}

function areaOf (cassette) { return cassette.name.split('/')[0] }

function groupBy (list, keyOf) {
  const groups = new Map()
  for (const item of list) groups.set(keyOf(item), [...groups.get(keyOf(item)) ?? [], item])
  return groups
}

if (options.update) {
  const sorted = object => Object.fromEntries(Object.entries(object).sort(([a], [b]) => a < b ? -1 : 1))
  writeFileSync(floorsFile, JSON.stringify(Object.fromEntries(Object.entries(floors).map(([store, known]) => [store, sorted(known)])), null, 2) + '\n')
}
if (below > 0) console.log(`\n${below} below the floor`)
process.exitCode = below === 0 ? 0 : 1
