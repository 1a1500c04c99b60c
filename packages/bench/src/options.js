import { parseArgs } from 'node:util'
import { LOADS } from './loads.js'
import { SCALE_AXES } from './scale/main.js'
import { SUITES } from './servers/index.js'

/** What `--against` compares with is there for it alone. */
const SERVER_NAMES = [...new Set(Object.values(SUITES).flatMap(({ servers }) => servers))].filter(name => name !== 'before')

export const HELP = `npm run bench -- [options]

  --servers a,b,c    which servers: ${SERVER_NAMES.join(', ')} (all)
  --loads w1,w2      which loads: ${LOADS.map(load => load.id).join(', ')} (all)
  --store sqlite     what the data of the w loads is kept in; memory where a server can (sqlite)
  --rounds N         how often every load is measured on every server (5)
  --seconds S        length of one measurement (1)
  --requests N       requests of one measurement instead of a length
  --warmup S         seconds each load is run before the first round (1)
  --starts N         how often each server is started to time its first answer (3)
  --connections N    kept-alive connections (10)
  --seed N           another set of requests (1)
  --streams N        instead of all this: what N open change streams cost (1000 are to cost less than 20 MB)
  --scale a,b        instead of all this: what a request costs as something grows: ${SCALE_AXES.join(', ')}
  --url URL          with --scale: a PostgreSQL database in place of SQLite; its table Row is made anew
  --most N           with --scale: rows at most (10000000)
  --svg FOLDER       with --scale: write plots there
  --against WHAT     instead of other servers: another Fastback, a built checkout or a commit, which is built; seven rounds;
                     the exit code is 1 where a load costs 3 % more than there
  --floors FILE      the exit code is 1 where a load's ratio to the hand-written server is below the one in this file
  --sync N           instead of all this: what tracked writes, and a pull of N rows, cost beside those without (10000)
  --json FILE        write everything that was measured
  --install          install the peers (npm ci in each folder of packages/bench/peers) and end
  --help             this text

Loads
${LOADS.map(load => `  ${load.id}  ${load.title}`).join('\n')}
`

const STORES = ['sqlite', 'memory']

function positive (name, text) {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} wants a positive number, not ${text}`)
  return value
}

function names (option, text, known) {
  if (text === undefined) return known
  const chosen = text.split(',').map(name => name.trim())
  const unknown = chosen.find(name => !known.includes(name))
  if (unknown !== undefined) {
    throw new Error(`--${option}: no such thing as ${unknown} (there are: ${known.join(', ')})`)
  }
  return known.filter(name => chosen.includes(name))
}

/** @param {string[]} args */
export function readOptions (args) {
  const string = /** @type {const} */ ({ type: 'string' })
  const boolean = /** @type {const} */ ({ type: 'boolean' })
  const { values } = parseArgs({
    args,
    options: {
      servers: string, loads: string, store: string, rounds: string, seconds: string, requests: string, warmup: string,
      starts: string, connections: string, seed: string, json: string, streams: string, sync: string, against: string,
      floors: string, scale: string, url: string, most: string, svg: string, install: boolean, help: boolean
    }
  })
  const store = values.store ?? 'sqlite'
  if (!STORES.includes(store)) throw new Error(`--store: no such store as ${store} (there are: ${STORES.join(', ')})`)
  return {
    servers: values.against === undefined ? names('servers', values.servers, SERVER_NAMES) : ['before', 'fastback'],
    loads: names('loads', values.loads, LOADS.map(load => load.id)),
    store,
    rounds: positive('rounds', values.rounds ?? (values.against === undefined ? 5 : 7)),
    seconds: positive('seconds', values.seconds ?? 1),
    requests: values.requests === undefined ? undefined : positive('requests', values.requests),
    warmup: positive('warmup', values.warmup ?? 1),
    starts: positive('starts', values.starts ?? 3),
    connections: positive('connections', values.connections ?? 10),
    seed: positive('seed', values.seed ?? 1),
    json: values.json,
    against: values.against,
    floors: values.floors,
    streams: values.streams === undefined ? undefined : positive('streams', values.streams),
    scale: values.scale === undefined ? undefined : names('scale', values.scale, SCALE_AXES),
    url: values.url,
    most: positive('most', values.most ?? 1e7),
    svg: values.svg,
    sync: values.sync === undefined ? undefined : positive('sync', values.sync),
    install: values.install ?? false,
    help: values.help ?? false
  }
}
