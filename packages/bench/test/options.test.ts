/** The command line of the bench. */
import t from 'tap'
import { source } from './sources.js'

const { readOptions, HELP } = await source<{ readOptions (args: string[]): Record<string, unknown>, HELP: string }>('options.js')
const { serversNode } = await source<{ serversNode (options: { node?: string, driver?: string }): Record<string, string> }>('node.js')

const read = (line: string): Record<string, unknown> => readOptions(line.split(' ').filter(Boolean))

t.test('what is not said', async t => {
  t.match(read(''), { rounds: 5, seconds: 1, warmup: 4, turns: 5, fresh: false, connections: [10], store: 'sqlite', pace: undefined, driver: undefined, workers: undefined })
  t.match(read('--against main'), { rounds: 7, servers: ['before', 'fastback'] })
  t.match(read('--workers 1,2'), { workers: [1, 2], loads: ['w4'] })
})

t.test('what is said', async t => {
  t.match(read('--connections 10,32 --pace 0.7 --requests 1000000 --loads w1,g1'), {
    connections: [10, 32], pace: 0.7, requests: 1_000_000, loads: ['w1', 'g1']
  })
  t.match(read('--store postgres --url postgres://db.example/x'), { store: 'postgres', url: 'postgres://db.example/x' })
  t.match(read('--driver better-sqlite3'), { driver: 'better-sqlite3' })
  t.match(read('--scale rows --store postgres'), { url: /^postgres:/ })
  t.match(read('--scale rows'), { url: undefined })
  t.match(read('--scale rows --url postgres://db.example/x --most 1000'), { scale: ['rows'], most: 1000 })
})

t.test('what there is not is refused, and what does not go together', async t => {
  for (const [line, message] of [
    ['--loads w1,x9', /--loads: no such thing as x9 \(there are: w1, /],
    ['--store oracle', /--store: no such thing as oracle \(there are: sqlite, memory, postgres, mariadb\)/],
    ['--driver pg', /--driver: no such thing as pg/],
    ['--connections 10,a', /--connections wants a positive number, not a/],
    ['--connections 1.5', /--connections wants whole numbers, not 1.5/],
    ['--fresh --store memory', /--fresh is for stores that keep their data/],
    ['--turns 0.5', /--turns wants whole numbers, not 0.5/],
    ['--pace 1', /--pace wants a share below 1, not 1/],
    ['--rounds 0', /--rounds wants a positive number, not 0/],
    ['--driver better-sqlite3 --store postgres', /--driver is about SQLite, not about PostgreSQL/],
    ['--url postgres://db.example/x', /--url goes with --store postgres, --store mariadb or --scale/],
    ['--scale rows --store mariadb', /--scale is for SQLite and PostgreSQL/],
    ['--unknown', /Unknown option '--unknown'/]
  ] as const) t.throws(() => read(line), message, line)
})

t.test('the help names every option that is read', async t => {
  for (const name of Object.keys(read(''))) t.match(HELP, new RegExp(`^ {2}--${name}\\b`, 'm'), name)
})

t.test('the Node of the servers, and the driver they have there', async t => {
  t.equal(serversNode({}).nodeVersion, process.versions.node)
  t.equal(serversNode({ node: process.execPath }).nodeVersion, process.versions.node)
  t.equal(serversNode({ driver: 'better-sqlite3' }).driverUsed, 'better-sqlite3')
  t.throws(() => serversNode({ node: '/nowhere/node' }), /--node: \/nowhere\/node does not run/)
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < 22) t.throws(() => serversNode({ driver: 'node:sqlite' }), /has it behind a flag at best/)
})
