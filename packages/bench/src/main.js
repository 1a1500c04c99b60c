import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { belowFloors, dearer, prepareAgainst } from './against.js'
import { compareServers } from './compare.js'
import { COUNTS } from './data.js'
import { installPeers } from './install.js'
import { LOADS } from './loads.js'
import { HELP, readOptions } from './options.js'
import { DATA_FOLDER } from './paths.js'
import { report, reportComparison } from './report.js'
import { bringUp, runRounds } from './runner.js'
import { benchScale } from './scale/main.js'
import { stopServer } from './server-process.js'
import { SUITES } from './servers/index.js'
import { driver } from './sqlite.js'
import { benchStreams } from './streams.js'
import { summarise } from './summary.js'
import { benchSync } from './sync.js'

const say = text => process.stdout.write(text + '\n')

/** Progress goes where people look and is not part of the report. */
function progress (text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

async function bringUpAll (options) {
  const servers = []
  for (const name of options.servers) {
    progress(`starting ${name}`)
    try {
      const running = await bringUp(name, options)
      servers.push(running)
      if (running.server.note) say(`${name}: ${running.server.note}`)
    } catch (error) {
      progress('')
      say(`${name} skipped: ${error.message}`)
    }
  }
  return servers
}

function writeResult (file, result) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(result, null, 2) + '\n')
}

/** What of the options is about one suite; undefined when nothing of it is chosen. */
function forSuite (suite, options) {
  const loads = LOADS.filter(load => load.suite === suite && options.loads.includes(load.id)).map(({ id }) => id)
  const servers = SUITES[suite].servers.filter(name => options.servers.includes(name))
  if (loads.length === 0 || servers.length === 0) return undefined
  return { ...options, suite, loads, servers, store: SUITES[suite].store ?? options.store }
}

const dataOf = ({ suite, store }) => {
  const place = store === 'sqlite' ? `SQLite (${driver}; WAL, synchronous NORMAL)` : store
  return suite === 'rest'
    ? `${place}, ${COUNTS.products} products, ${COUNTS.categories} categories, ${COUNTS.reviews} reviews`
    : place
}

/** @returns what was measured; undefined when no server could be had */
async function benchSuite (options) {
  say(`# ${SUITES[options.suite].title}: Node ${process.versions.node}, ${dataOf(options)}, ` +
    `${options.rounds} rounds of ${options.requests ? `${options.requests} requests` : `${options.seconds} s`}, ` +
    `${options.connections} connections\n`)
  const servers = await bringUpAll(options)
  try {
    if (servers.length === 0) return undefined
    const names = servers.map(({ name }) => name)
    const [reference] = names
    const findings = await compareServers(servers, options)
    progress('')
    say('\n' + reportComparison(findings, names, options.loads, reference))
    const samples = await runRounds(servers, options, progress)
    progress('')
    const summary = summarise(samples, names, options.loads)
    const processes = servers.map(({ name, startMs, memory }) => ({ name, startMs, memory }))
    say(report({ summary, servers: names, loads: options.loads, processes, reference }))
    return { options, findings, processes, summary, samples }
  } finally {
    await Promise.all(servers.map(stopServer))
    rmSync(DATA_FOLDER, { recursive: true, force: true })
  }
}

async function bench (options) {
  const chosen = Object.keys(SUITES)
    .map(suite => forSuite(suite, options))
    // Of suites without another Fastback there is nothing to compare.
    .filter(each => each !== undefined && (options.against === undefined || each.servers.includes('before')))
  const results = []
  for (const each of chosen) results.push(await benchSuite(each))
  const measured = results.filter(result => result !== undefined)
  if (options.json) writeResult(options.json, { node: process.versions.node, driver, suites: measured })
  const summary = measured.flatMap(result => result.summary)
  const faults = [
    ...(options.against === undefined ? [] : dearer(summary)),
    ...(options.floors === undefined ? [] : belowFloors(summary, JSON.parse(readFileSync(options.floors, 'utf8'))))
  ]
  for (const fault of faults) say(fault)
  const isGood =
    measured.length > 0 && faults.length === 0 && measured.every(({ findings }) => findings.every(({ result }) => result !== 'differs'))
  return isGood ? 0 : 1
}

async function main () {
  // An exit ends the servers, too (server-process.js).
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  const options = readOptions(process.argv.slice(2))
  if (options.help) {
    say(HELP)
    return 0
  }
  if (options.install) {
    const failed = installPeers()
    if (failed.length) say(`\nnot installed: ${failed.join(', ')}`)
    return failed.length ? 1 : 0
  }
  if (!existsSync('/proc/self/stat')) throw new Error('the benchmark reads processor time from /proc: it needs Linux')
  if (options.scale !== undefined) {
    const found = await benchScale({ ...options, store: options.url === undefined ? 'sqlite' : 'postgres' }, say)
    if (options.json) writeResult(options.json, { node: process.versions.node, driver, found })
    return 0
  }
  if (options.sync !== undefined) return await benchSync(options.sync, say) ? 0 : 1
  if (options.streams !== undefined) return await benchStreams(options, say)
  if (options.against === undefined) return await bench(options)
  const { cli, remove } = prepareAgainst(options.against, say)
  process.env.BENCH_AGAINST = cli
  try {
    return await bench(options)
  } finally {
    remove()
  }
}

process.exitCode = await main().catch(error => {
  process.stderr.write(`${error.message}\n`)
  return 2
})
