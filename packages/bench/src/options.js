import { parseArgs } from 'node:util'
import { LOADS } from './loads.js'
import { SCALE_AXES } from './scale/main.js'
import { SUITES } from './servers/index.js'
import { DRIVERS } from './sqlite.js'
import { DEFAULT_URLS, STORES } from './stores/index.js'

/** What `--against` compares with is there for it alone. */
const SERVER_NAMES = [...new Set(Object.values(SUITES).flatMap(({ servers }) => servers))].filter(name => name !== 'before')

export const HELP = `npm run bench -- [options]

  --servers a,b,c    which servers: ${SERVER_NAMES.join(', ')} (all)
  --loads w1,w2      which loads: ${LOADS.map(load => load.id).join(', ')} (all)
  --store sqlite     what the data of the w, g, q, r and t loads is kept in: ${Object.keys(STORES).join(', ')}, where a server can (sqlite)
  --url URL          the PostgreSQL or MariaDB server, as somebody who may make databases: each server of the bench has its own,
                     fastback_bench_…, which is taken away at the end (${Object.values(DEFAULT_URLS).join(', ')});
                     with --scale: rows are in PostgreSQL and not in SQLite
  --node PATH        the Node that runs the servers (the one that runs this)
  --driver NAME      the SQLite driver of the hand-written server and of Fastback: ${DRIVERS.join(', ')} (what Fastback takes by itself)
  --rounds N         how often every load is measured on every server (5)
  --seconds S        length of one measurement (1)
  --turns N          in how many parts a measurement is made, the servers taking turns: the machine is as slow for all (5)
  --fresh            other processes for each round, on the same data: what a process happens to get changes what it costs
  --requests N       requests of one measurement instead of a length; memory is read after each measurement
  --warmup S         seconds each load is run before the first round (4)
  --starts N         how often each server is started to time its first answer (3)
  --connections a,b  kept-alive connections; with several numbers all rounds are run with each of them (10)
  --pace SHARE       afterwards: p99 of each load when requests come at this share of the hand-written server's throughput,
                     counted from when each was due (none; 0.7 is a busy day)
  --seed N           another set of requests (1)
  --streams N        instead of all this: what N open change streams cost (1000 are to cost less than 20 MB)
  --scale a,b        instead of all this: what a request costs as something grows: ${SCALE_AXES.join(', ')}
  --most N           with --scale: rows at most (10000000)
  --svg FOLDER       with --scale: write plots there
  --workers a,b      instead of all this: throughput and cost of the loads (w4) with so many processes: fastback serve --workers
  --against WHAT     instead of other servers: another Fastback, a built checkout or a commit, which is built; seven rounds;
                     the exit code is 1 where a load's ratio, the median of the rounds, falls by more than 3 %
  --floors FILE      the exit code is 1 where a load's ratio to the hand-written server is below the one in this file
  --sync N           instead of all this: what tracked writes, and a pull of N rows, cost beside those without (10000)
  --json FILE        write everything that was measured
  --table FILE       write the short table of README.md between the marks <!-- bench --> of the file
  --install          install the peers (npm ci in each folder of packages/bench/peers) and end
  --help             this text

Loads
${LOADS.map(load => `  ${load.id}  ${load.title}`).join('\n')}
`

function positive (name, text) {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} wants a positive number, not ${text}`)
  return value
}

function whole (name, text) {
  const value = positive(name, text)
  if (!Number.isInteger(value)) throw new Error(`--${name} wants whole numbers, not ${text}`)
  return value
}

const wholes = (name, text) => text.split(',').map(part => whole(name, part))

function share (name, text) {
  const value = positive(name, text)
  if (value >= 1) throw new Error(`--${name} wants a share below 1, not ${text}`)
  return value
}

function one (option, text, known) {
  if (known.includes(text)) return text
  throw new Error(`--${option}: no such thing as ${text} (there are: ${known.join(', ')})`)
}

const given = (value, read) => value === undefined ? undefined : read(value)

function names (option, text, known) {
  if (text === undefined) return known
  const chosen = text.split(',').map(name => name.trim())
  const unknown = chosen.find(name => !known.includes(name))
  if (unknown !== undefined) {
    throw new Error(`--${option}: no such thing as ${unknown} (there are: ${known.join(', ')})`)
  }
  return known.filter(name => chosen.includes(name))
}

/** What the line may say with a value; `--fresh`, `--install` and `--help` have none. */
const KNOWN = [
  'servers', 'loads', 'store', 'url', 'node', 'driver', 'rounds', 'seconds', 'turns', 'requests', 'warmup', 'starts', 'connections', 'pace',
  'seed', 'streams', 'scale', 'most', 'svg', 'workers', 'against', 'floors', 'sync', 'json', 'table'
]

/**
 * Reads the command line.
 * @param {string[]} args
 * @throws when something is said that there is not, or that does not go with the rest
 */
export function readOptions (args) {
  const { values } = parseArgs({
    args,
    options: {
      ...Object.fromEntries(KNOWN.map(name => [name, /** @type {const} */ ({ type: 'string' })])),
      fresh: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false }
    }
  })
  const number = (name, fallback) => positive(name, values[name] ?? fallback)
  const maybe = name => given(values[name], text => positive(name, text))
  const store = one('store', values.store ?? 'sqlite', Object.keys(STORES))
  const driver = given(values.driver, text => one('driver', text, DRIVERS))
  if (driver !== undefined && store !== 'sqlite') throw new Error(`--driver is about SQLite, not about ${STORES[store]}`)
  if (values.url !== undefined && values.scale === undefined && !(store in DEFAULT_URLS)) {
    throw new Error('--url goes with --store postgres, --store mariadb or --scale')
  }
  if (values.scale !== undefined && !['sqlite', 'postgres'].includes(store)) {
    throw new Error('--scale is for SQLite and PostgreSQL')
  }
  if (values.table !== undefined && values.servers !== undefined && !values.servers.split(',').includes('hand-written')) {
    throw new Error('--table compares with the hand-written server: --servers must have it')
  }
  if (values.fresh && store === 'memory') throw new Error('--fresh is for stores that keep their data')
  const isAgainst = values.against !== undefined
  const workers = given(values.workers, text => wholes('workers', text))
  return {
    servers: isAgainst ? ['before', 'fastback'] : names('servers', values.servers, SERVER_NAMES),
    loads: names('loads', values.loads ?? (workers && 'w4'), LOADS.map(load => load.id)),
    store,
    url: values.url ?? (values.scale !== undefined ? DEFAULT_URLS[store] : undefined),
    node: values.node,
    driver,
    rounds: number('rounds', isAgainst ? 7 : 5),
    seconds: number('seconds', 1),
    turns: whole('turns', values.turns ?? '5'),
    fresh: values.fresh,
    requests: maybe('requests'),
    warmup: number('warmup', 4),
    starts: number('starts', 3),
    connections: wholes('connections', values.connections ?? '10'),
    pace: given(values.pace, text => share('pace', text)),
    seed: number('seed', 1),
    json: values.json,
    table: values.table,
    against: values.against,
    floors: values.floors,
    streams: maybe('streams'),
    scale: given(values.scale, text => names('scale', text, SCALE_AXES)),
    most: number('most', 1e7),
    svg: values.svg,
    workers,
    sync: maybe('sync'),
    install: values.install,
    help: values.help
  }
}
