import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { belowFloors, dearer, prepareAgainst } from './against.js'
import { compareServers } from './compare.js'
import { COUNTS } from './data.js'
import { frontTable, writeFrontTable } from './front.js'
import { installPeers } from './install.js'
import { LOADS } from './loads.js'
import { serversNode } from './node.js'
import { HELP, readOptions } from './options.js'
import { DATA_FOLDER, notInstalled } from './paths.js'
import { report, reportComparison, reportPaced, reportProcesses } from './report.js'
import { bringUp, runPacedRounds, runRounds, takeDown } from './runner.js'
import { benchScale } from './scale/main.js'
import { SUITES } from './servers/index.js'
import { STORES } from './stores/index.js'
import { benchStreams } from './streams.js'
import { ratesOf, summarise, summarisePaced } from './summary.js'
import { benchSync } from './sync.js'
import { benchWorkers } from './workers.js'

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
  const { servers: known, stores } = SUITES[suite]
  const servers = known.filter(name => options.servers.includes(name))
  if (loads.length === 0 || servers.length === 0) return undefined
  const store = stores === undefined || stores.includes(options.store) ? options.store : stores[0]
  return { ...options, suite, loads, servers, chosenServers: options.servers, store }
}

const dataOf = ({ suite, store, driverUsed }) => {
  const place = store === 'sqlite' ? `SQLite (${driverUsed}; WAL, synchronous NORMAL)` : STORES[store]
  return suite === 'rest' || suite === 'generated'
    ? `${place}, ${COUNTS.products} products, ${COUNTS.categories} categories, ${COUNTS.reviews} reviews`
    : place
}

/** The rounds with one number of connections, and what they say. */
async function benchConnections (servers, options) {
  const names = servers.map(({ name }) => name)
  const reference = names[0]
  const samples = await runRounds(servers, options, progress)
  progress('')
  const summary = summarise(samples, names, options.loads)
  say(`## ${options.connections} connections\n\n` + report({ summary, servers: names, loads: options.loads, reference }))
  if (options.pace === undefined) return { connections: options.connections, summary, samples }
  const paced = names.includes('hand-written') ? 'hand-written' : reference
  const rates = ratesOf(summary, options.pace, paced)
  const pacedSamples = await runPacedRounds(servers, options, rates, progress)
  progress('')
  const pacedSummary = summarisePaced(pacedSamples, names, rates)
  say(reportPaced(pacedSummary, names, { share: options.pace, reference: paced }))
  return { connections: options.connections, summary, samples, pacedSummary, pacedSamples }
}

/** @returns what was measured; undefined when no server could be had */
async function benchSuite (options) {
  say(`# ${SUITES[options.suite].title}: Node ${options.nodeVersion}, ${dataOf(options)}, ` +
    `${options.rounds} rounds of ${options.requests ? `${options.requests} requests` : `${options.seconds} s`}, ` +
    `${options.connections.join(' and ')} connections\n`)
  for (const [name, reason] of Object.entries(SUITES[options.suite].without ?? {})) {
    if (options.chosenServers.includes(name)) say(`${name} left out: ${reason}`)
  }
  const servers = await bringUpAll(options)
  try {
    if (servers.length === 0) return undefined
    const names = servers.map(({ name }) => name)
    const findings = await compareServers(servers, options)
    progress('')
    say('\n' + reportComparison(findings, names, options.loads, names[0]))
    const runs = []
    for (const connections of options.connections) {
      runs.push(await benchConnections(servers, { ...options, connections }))
    }
    const processes = servers.map(({ name, startMs, memory, answered, drivers }) => (
      { name, startMs, memory, answered, drivers }
    ))
    say(reportProcesses(processes))
    return { options, findings, processes, runs }
  } finally {
    await Promise.all(servers.map(takeDown))
    rmSync(DATA_FOLDER, { recursive: true, force: true })
  }
}

const about = ({ nodeVersion, driverUsed, store }) => ({ node: nodeVersion, driver: driverUsed, store })

async function bench (options) {
  const chosen = Object.keys(SUITES)
    .map(suite => forSuite(suite, options))
    // Of suites without another Fastback there is nothing to compare.
    .filter(each => each !== undefined && (options.against === undefined || each.servers.includes('before')))
  const results = []
  for (const each of chosen) results.push(await benchSuite(each))
  const measured = results.filter(result => result !== undefined)
  if (options.json) writeResult(options.json, { ...about(options), suites: measured })
  const summary = measured.flatMap(({ runs }) => runs.flatMap(run => run.summary))
  if (options.table) {
    const { node, store } = about(options)
    const date = new Date().toISOString().slice(0, 10)
    writeFrontTable(options.table, frontTable(summary, { date, node, store: STORES[store] }))
  }
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
  const read = readOptions(process.argv.slice(2))
  const options = { ...read, ...serversNode(read) }
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
  const uninstalled = options.driver === 'better-sqlite3' ? notInstalled('better-sqlite3') : undefined
  if (uninstalled) throw new Error(`better-sqlite3 is ${uninstalled}`)
  if (options.scale !== undefined) {
    const found = await benchScale(options, say)
    if (options.json) writeResult(options.json, { ...about(options), found })
    return 0
  }
  if (options.workers !== undefined) {
    const found = await benchWorkers(options, say, progress)
    if (options.json) writeResult(options.json, { ...about(options), found })
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
