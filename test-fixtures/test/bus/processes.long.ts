/**
 * Four processes on PostgreSQL, 1,000 streams: each change is seen by all within 100 ms (99 of 100), and 1,000 cuts of
 * the bus's connections lose none of which a stream is not told.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { execute, isReachable, makeScratch } from '../../scratch.mjs'
import { comesTrue } from './application.js'

const processes = 4
const streams = 1000
const calm = 100
const cuts = 1000

/** Numbers of the notes that a stream saw, and `gap`, in this order. */
type Seen = Array<number | 'gap'>

t.setTimeout(900_000)

t.test('streams of four processes', async t => {
  if (!await isReachable('postgres')) return t.comment('no PostgreSQL')
  const { url, remove } = await makeScratch('postgres')
  t.teardown(remove)
  const children: ChildProcess[] = []
  const ports: number[] = []
  for (let i = 0; i < processes; i++) {
    const child = fork(fileURLToPath(new URL('process.mjs', import.meta.url)), [url])
    children.push(child)
    const [{ port }] = await once(child, 'message') as [{ port: number }]
    ports.push(port)
  }
  t.teardown(() => { for (const child of children) child.kill() })
  const latencies: number[] = []
  const all: Seen[] = []
  const sockets: Socket[] = []
  t.teardown(() => { for (const socket of sockets) socket.destroy() })
  await Promise.all(Array.from({ length: streams }, async (_, i) => {
    all.push(await watch(ports[i % processes] as number, sockets, latencies))
  }))
  let number = 0
  const write = async (): Promise<void> => {
    const port = ports[number % processes] as number
    const body = JSON.stringify({ number: ++number, at: Date.now() })
    await fetch(`http://127.0.0.1:${port}/api/Notes`, {
      method: 'POST', body, headers: { 'content-type': 'application/json' }
    })
  }
  // Once for all of them to hear of each other.
  for (let i = 0; i < processes; i++) await write()
  await pause(3000)
  latencies.length = 0
  const from = number
  for (let i = 0; i < calm; i++) {
    await write()
    await pause(200)
  }
  const isHere = (seen: Seen, wanted: number): boolean => seen.includes(wanted)
  t.ok(await comesTrue(() => all.every(seen => isHere(seen, number))))
  latencies.sort((a, b) => a - b)
  const share = (part: number): number => latencies[Math.floor(latencies.length * part)] ?? NaN
  t.comment(`${latencies.length} changes seen: p50 ${share(0.5)} ms, p99 ${share(0.99)} ms, most ${share(0.9999)} ms`)
  t.equal(latencies.length, calm * streams)
  t.ok(all.every(seen => seen.filter(each => each !== 'gap' && each > from).length === calm), 'each once')
  t.ok(share(0.99) <= 100, 'p99 within 100 ms')

  let done = 0
  while (done < cuts) {
    const rows = await execute(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'long-bus'`)
    done += rows.length
    for (let i = 0; i < 3; i++) await write()
    await pause(60)
  }
  t.ok(await comesTrue(async () => {
    await write()
    await pause(200)
    return all.every(seen => isHere(seen, number))
  }), 'all streams are well again')
  t.comment(`${done} cuts, ${number} changes; gaps told: ${all[0]?.filter(each => each === 'gap').length} in a stream`)
  t.equal(all.filter(seen => !isToldOfGaps(seen, from)).length, 0, 'nothing is missing that a stream is not told of')
  for (const child of children) {
    child.send('end')
    await once(child, 'exit')
  }
})

/**
 * Whether a gap stands wherever numbers are missing after `from`. What another process could not send at once may come
 * later than what was written after it.
 */
function isToldOfGaps (seen: Seen, from: number): boolean {
  const missing = new Set<number>()
  let next: number | undefined = from + 1
  for (const each of seen) {
    if (each === 'gap') {
      missing.clear()
      next = undefined
    } else if (next === undefined || each >= next) {
      for (let one = next ?? each; one < each; one++) missing.add(one)
      next = each + 1
    } else missing.delete(each)
  }
  return missing.size === 0
}

/**
 * Reads a stream as its bytes come. A plain socket: with an HTTP client for each, the reader of 1,000 streams would be
 * what is measured.
 */
async function watch (port: number, sockets: Socket[], latencies: number[]): Promise<Seen> {
  const seen: Seen = []
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let rest = ''
  socket.setEncoding('latin1').on('error', () => {}).on('data', (text: unknown) => {
    const now = Date.now()
    const events = (rest + String(text)).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      if (event.includes('event: gap')) seen.push('gap')
      const at = event.indexOf('"number":')
      if (at === -1) continue
      seen.push(Number.parseInt(event.slice(at + 9), 10))
      latencies.push(now - Number.parseInt(event.slice(event.indexOf('"at":') + 5), 10))
    }
  })
  socket.write('GET /api/Notes/change-stream HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  await once(socket, 'data')
  return seen
}

const pause = (time: number): Promise<void> => new Promise(resolve => setTimeout(resolve, time))
