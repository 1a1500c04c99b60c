/** What the bench makes of its samples, on samples whose answers are known. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { source } from './sources.js'

interface Sample { readonly [key: string]: unknown }
interface Entry extends Sample { readonly load: string, readonly server: string, readonly ratio: number }

const { summarise, sumOf, ratesOf, summarisePaced } = await source<{
  sumOf (parts: Sample[]): Sample
  summarise (samples: Sample[], servers: string[], loads: string[]): Entry[]
  ratesOf (summary: object[], share: number, reference: string): Map<string, number>
  summarisePaced (samples: Sample[], servers: string[], rates: Map<string, number>): Entry[]
}>('summary.js')
const { dearer } = await source<{ dearer (summary: Entry[]): string[] }>('against.js')
const { belowFloors } = await source<{ belowFloors (summary: Entry[], floors: object): string[] }>('against.js')
const { report } = await source<{
  report (found: { summary: Entry[], servers: string[], loads: string[], reference: string }): string
}>('report.js')
const { frontTable, writeFrontTable } = await source<{
  frontTable (summary: Entry[], about: { date: string, node: string, store: string }): string
  writeFrontTable (file: string, table: string): void
}>('front.js')
const { summariseWorkers } = await source<{
  summariseWorkers (samples: Sample[], workers: number[], processors: number): Sample[]
}>('workers.js')
const { summariseSteps } = await source<{
  summariseSteps (samples: Sample[], steps: number[], loads: string[]): Sample[]
}>('scale/main.js')

const sample = (round: number, server: string, microseconds: number): Sample => ({
  round,
  load: 'w1',
  server,
  microseconds,
  requests: 10,
  failures: {},
  requestsPerSecond: 1000,
  memory: 80 + round,
  answered: 10 * round
})
/** What the other took, and what this one took, in each round: the machine is slower in some. */
const rounds = (...pairs: Array<[number, number]>): Sample[] =>
  pairs.flatMap(([before, after], round) => [sample(round, 'before', before), sample(round, 'fastback', after)])
const compared = (...pairs: Array<[number, number]>): Entry[] =>
  summarise(rounds(...pairs), ['before', 'fastback'], ['w1'])

t.test('the turns of a round count by what they answered', async t => {
  const part = {
    failures: {}, unanswered: 0, databaseMicroseconds: NaN, p50: 1, generator: 0.5, seconds: 0.2, memory: 80
  }
  t.match(sumOf([
    { ...part, microseconds: 40, requests: 300, p99: 2 },
    { ...part, microseconds: 80, requests: 100, p99: 9, failures: { 404: 1 }, seconds: 0.6, generator: 0.1 },
    { ...part, microseconds: 40, requests: 110, p99: 3, failures: { 404: 2 }, unanswered: 10, memory: 90 }
  ]), {
    microseconds: 48, requests: 510, unanswered: 10, failures: { 404: 3 }, p50: 1, p99: 3, seconds: 1,
    requestsPerSecond: 510, generator: 0.26, databaseMicroseconds: NaN, memory: 90
  })
})

t.test('a ratio is the median of the ratios within each round, not one of medians', async t => {
  const [, fastback] = compared([100, 100], [200, 210], [100, 105], [300, 240], [100, 80])
  t.equal(fastback?.ratio, 1)
  t.match(fastback, { lowestRatio: 100 / 105, highestRatio: 1.25, microseconds: 105, memory: 84, answered: 40 })
})

t.test('more is better: twice the time is half the requests', async t => {
  // Seen to fail: with the times of Fastback's processor time that others take, where less was better
  const summary = summarise([sample(0, 'hand-written', 50), sample(0, 'fastback', 100), sample(0, 'feathers', 400)],
    ['hand-written', 'fastback', 'feathers'], ['w1'])
  t.match(summary, [{ ratio: 1, ofFastback: 2 }, { ratio: 0.5, ofFastback: 1 }, { ratio: 0.125, ofFastback: 0.25 }])
  const text = report({ summary, servers: ['hand-written', 'fastback', 'feathers'], loads: ['w1'], reference: 'hand-written' })
  t.match(text, /in which hand-written answers one[^]*?1\.00 +0\.50 +0\.13\n/)
  t.match(text, /in which fastback answers one[^]*?2\.00 +1\.00 +0\.25\n/)
  t.strictSame(belowFloors(summary, { w1: 0.5 }), [])
  t.match(belowFloors(summary, { w1: 0.6 }), [/w1: 0\.50 of the hand-written server's requests, the floor is 0\.6/])

  const table = frontTable(summary, { date: '2026-11-29', node: '20.20.2', store: 'SQLite' })
  t.match(table, /\| \| Fastify by hand \| Fastback \| Feathers 5 \|/)
  t.match(table, /\| read by id \| 1\.00 \| 0\.50 \| 0\.13 \| – \| – \|/)
  const file = path.join(t.testdir({ 'README.md': 'before\n<!-- bench -->\n\nold\n\n<!-- /bench -->\nafter\n' }), 'README.md')
  writeFrontTable(file, table)
  t.equal(readFileSync(file, 'utf8'), `before\n<!-- bench -->\n\n${table}\n\n<!-- /bench -->\nafter\n`)
  const without = path.join(t.testdir({ 'README.md': 'nothing' }), 'README.md')
  t.throws(() => { writeFrontTable(without, table) }, /has no marks/)
})

t.test('the time of a database server counts in a ratio of its own', async t => {
  const both = (server: string, microseconds: number, databaseMicroseconds: number): Sample =>
    ({ ...sample(0, server, microseconds), databaseMicroseconds })
  const samples = [both('hand-written', 60, 40), both('fastback', 60, 140)]
  const summary = summarise(samples, ['hand-written', 'fastback'], ['w1'])
  t.match(summary, [{ ratio: 1, ratioWithDatabase: 1 }, { ratio: 1, ratioWithDatabase: 0.5 }])
  const text = report({ summary, servers: ['hand-written', 'fastback'], loads: ['w1'], reference: 'hand-written' })
  t.match(text, /Processor time of both per request[^]*?100 +200\n/)
  t.match(text, /The same with the processor time of the database server[^]*?1\.00 +0\.50\n/)
  // Seen to fail: the floor held the server's own time, 1.00 of the other's
  t.match(belowFloors(summary, { w1: 0.6 }), [/w1: 0\.50 of the hand-written server's requests, the floor is 0\.6/])
  t.match(dearer(summarise([both('before', 60, 40), both('fastback', 60, 50)], ['before', 'fastback'], ['w1'])), [/1\.10 × what it did/])
  const inProcess = summarise([both('hand-written', 60, NaN), both('fastback', 120, NaN)], ['hand-written', 'fastback'], ['w1'])
  t.match(inProcess[1], { ratioWithDatabase: 0.5 })
})

t.test('what falls by more than 3 % has become dearer, with its spread', async t => {
  t.same(dearer(compared([97, 100], [194, 200], [97, 100])), [])
  t.same(dearer(compared([96, 100], [192, 200], [300, 300])), [
    'w1 costs 1.04 × what it did: ratio 0.96, 0.96–1.00 over the rounds'
  ])
  t.same(dearer(compared([70, 100], [96, 100], [120, 100], [80, 100])), [
    'w1 costs 1.14 × what it did: ratio 0.88, 0.70–1.20 over the rounds; too noisy to be sure: more rounds, or a quieter machine'
  ])
})

t.test('the pace is a share of what the reference did; who does not answer 99 % of what was due has not kept up', async t => {
  const summary = [
    { load: 'w1', server: 'hand-written', requestsPerSecond: 1000 },
    { load: 'w1', server: 'fastback', requestsPerSecond: 500 },
    { load: 'w2', server: 'hand-written', requestsPerSecond: NaN }
  ]
  const rates = ratesOf(summary, 0.7, 'hand-written')
  t.same([...rates], [['w1', 700]])
  const paced = [
    { load: 'w1', server: 'hand-written', p50: 1, p99: 2, lateP99: 1, requests: 700, unanswered: 7 },
    { load: 'w1', server: 'fastback', p50: 1, p99: 900, lateP99: 1, requests: 700, unanswered: 8 }
  ]
  t.match(summarisePaced(paced, ['hand-written', 'fastback'], rates), [
    { server: 'hand-written', rate: 700, p99: 2, keptUp: true }, { server: 'fastback', p99: 900, keptUp: false }
  ])
})

t.test('what processors would carry alone comes from the time of a request, and no more of them are busy than there are', async t => {
  const of = (count: number, requestsPerSecond: number, microseconds: number): Sample => (
    { round: 0, load: 'w4', count, requestsPerSecond, microseconds, databaseMicroseconds: NaN, generator: 0.5 }
  )
  t.match(summariseWorkers([of(1, 1000, 1000), of(2, 1500, 1000), of(4, 1600, 1250)], [1, 2, 4], 2), [
    { workers: 1, throughput: 1, alone: 1, used: 1 },
    { workers: 2, throughput: 1.5, alone: 2, used: 1.5 },
    { workers: 4, throughput: 1.6, alone: 1.6, used: 2 }
  ])
})

t.test('a step of a scale is compared with the fewest of the same round', async t => {
  const of = (round: number, step: number, microseconds: number): Sample => (
    { round, step, load: 'by id', microseconds, database: 10, memory: 100 }
  )
  const samples = [of(0, 10, 100), of(0, 20, 120), of(1, 10, 200), of(1, 20, 200), of(2, 10, 100), of(2, 20, 110)]
  t.match(summariseSteps(samples, [10, 20], ['by id']), [
    { step: 10, times: 1 }, { step: 20, times: 1.1, microseconds: 120 }
  ])
})
