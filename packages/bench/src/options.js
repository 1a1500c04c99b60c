import { parseArgs } from 'node:util'
import { LOADS } from './loads.js'
import { SUITES } from './servers/index.js'

const SERVER_NAMES = [...new Set(Object.values(SUITES).flatMap(({ servers }) => servers))]

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
      starts: string, connections: string, seed: string, json: string, streams: string, install: boolean, help: boolean
    }
  })
  const store = values.store ?? 'sqlite'
  if (!STORES.includes(store)) throw new Error(`--store: no such store as ${store} (there are: ${STORES.join(', ')})`)
  return {
    servers: names('servers', values.servers, SERVER_NAMES),
    loads: names('loads', values.loads, LOADS.map(load => load.id)),
    store,
    rounds: positive('rounds', values.rounds ?? 5),
    seconds: positive('seconds', values.seconds ?? 1),
    requests: values.requests === undefined ? undefined : positive('requests', values.requests),
    warmup: positive('warmup', values.warmup ?? 1),
    starts: positive('starts', values.starts ?? 3),
    connections: positive('connections', values.connections ?? 10),
    seed: positive('seed', values.seed ?? 1),
    json: values.json,
    streams: values.streams === undefined ? undefined : positive('streams', values.streams),
    install: values.install ?? false,
    help: values.help ?? false
  }
}
