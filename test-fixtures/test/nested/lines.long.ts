/** 200,000 rows are created from lines of one body, and the server stays as large as it was with a tenth of them. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { isReachable, makeScratch } from '../../scratch.mjs'

const rows = 200_000
/** A body of 130 MB: more than what the server may grow by. */
const filling = 'x'.repeat(600)
const mostGrowth = 64

t.setTimeout(900_000)

const stores: ReadonlyArray<readonly [string, (t: Test) => Promise<string | undefined>]> = [
  ['sqlite', async t => `sqlite:${path.join(t.testdir(), 'notes.db')}`],
  ['postgres', async t => {
    if (!await isReachable('postgres')) return undefined
    const { url, remove } = await makeScratch('postgres')
    t.teardown(remove)
    return url
  }]
]

for (const [name, open] of stores) {
  t.test(name, async t => {
    const url = await open(t)
    if (url === undefined) return t.comment('there is no such server')
    // What is garbage, and was not looked for yet, does not count.
    const execArgv = ['--max-old-space-size=96']
    const server = fork(fileURLToPath(new URL('lines-server.mjs', import.meta.url)), [url], { execArgv })
    t.teardown(async () => {
      server.kill()
      await once(server, 'exit')
    })
    const [{ port }] = await once(server, 'message') as [{ port: number }]
    const most = async (): Promise<number> => {
      server.send('most')
      const [message] = await once(server, 'message') as [{ most: number }]
      return message.most
    }
    t.strictSame(await create(port, rows / 10), { count: rows / 10 })
    const before = await most()
    t.strictSame(await create(port, rows), { count: rows })
    const growth = await most() - before
    t.comment(`${Math.round(before)} MB, and ${Math.round(growth)} more`)
    t.ok(growth < mostGrowth, `the server grew by ${Math.round(growth)} MB`)
    const counted = await fetch(`http://127.0.0.1:${port}/api/Notes/count`)
    t.strictSame(await counted.json(), { count: rows + rows / 10 })
  })
}

function * lines (count: number): Generator<string> {
  for (let number = 0; number < count; number++) yield `${JSON.stringify({ number, text: `${number} ${filling}` })}\n`
}

async function create (port: number, count: number): Promise<unknown> {
  const outgoing = request({
    port, host: '127.0.0.1', method: 'POST', path: '/api/Notes', headers: { 'content-type': 'application/x-ndjson' }
  })
  const response = once(outgoing, 'response')
  await pipeline(Readable.from(lines(count)), outgoing)
  const [incoming] = await response
  return JSON.parse(await text(incoming))
}
