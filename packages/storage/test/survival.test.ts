// FASTBACK_TEST_FULL: processes that are killed.
/**
 * What stays of uploads that do not end: nothing (storage.md, SS-08). `FASTBACK_TEST_KILLS=4` is the number of kills,
 * and gives up 1,000 uploads and sends 512 MB, as continuous integration does; without it one, 100 and 64 MB.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

t.setTimeout(600_000)
const kills = Number(process.env.FASTBACK_TEST_KILLS ?? 1)
const isLong = process.env.FASTBACK_TEST_KILLS !== undefined

const program = fileURLToPath(new URL('upload-process.mjs', import.meta.url))
const mib = 1024 * 1024
const chunk = Buffer.alloc(64 * 1024, 'fastback')

interface Server { readonly child: ChildProcess, readonly port: number, ask (): Promise<{ rss: number, open: number }> }

async function start (t: Test, root: string): Promise<Server> {
  const child = fork(program, [root], { execArgv: ['--expose-gc'] })
  t.teardown(() => { child.kill('SIGKILL') })
  const [{ port }] = await once(child, 'message') as [{ port: number }]
  return {
    child,
    port,
    async ask () {
      child.send('?')
      const [held] = await once(child, 'message') as [{ rss: number, open: number }]
      return held
    }
  }
}

async function makeRoot (t: Test): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-survival-'))
  await mkdir(path.join(root, 'box'))
  t.teardown(async () => { await rm(root, { recursive: true, force: true }) })
  return root
}

const left = async (root: string) => ({ box: await readdir(path.join(root, 'box')), uploads: await readdir(path.join(root, '.uploads')) })

const opening = '--b\r\nContent-Disposition: form-data; name="file"; filename="NAME"\r\nContent-Type: application/octet-stream\r\n\r\n'
const closing = '\r\n--b--\r\n'

/** Begins to send a file of a form. */
function begin (port: number, name: string, bytes: number) {
  const head = opening.replace('NAME', name)
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(`POST /api/boxes/box/upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${head.length + bytes + closing.length}\r\n\r\n${head}`)
  return socket
}

async function send (port: number, name: string, bytes: number): Promise<string> {
  const socket = begin(port, name, bytes)
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    if (!socket.write(chunk.subarray(0, Math.min(chunk.length, bytes - sent)))) await once(socket, 'drain')
  }
  socket.write(closing)
  let answer = ''
  for await (const text of socket.setEncoding('utf8')) answer += text as string
  return answer
}

t.test('SIGKILL during uploads leaves no half file; what it leaves goes after a day, at start', async t => {
  const root = await makeRoot(t)
  for (let round = 0; round < kills; round++) {
    const { child, port } = await start(t, root)
    t.match(await send(port, `whole-${round}`, mib), /^HTTP\/1\.1 200 /)
    for (let at = 0; at < 8; at++) {
      const socket = begin(port, `half-${round}-${at}`, 100 * mib)
      socket.write(chunk)
      t.teardown(() => { socket.destroy() })
    }
    for (let tries = 0; (await left(root)).uploads.length < 8 * (round + 1) && tries < 400; tries++) await wait(5)
    child.kill('SIGKILL')
    await once(child, 'exit')
    t.equal((await left(root)).uploads.length, 8 * (round + 1), 'they were on their way')
  }
  const whole = Array.from({ length: kills }, (_, round) => `whole-${round}`)
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
  const [first, ...young] = (await left(root)).uploads as [string, ...string[]]
  await utimes(path.join(root, '.uploads', first), old, old)
  const { port } = await start(t, root)
  const listed = await (await fetch(`http://127.0.0.1:${port}/api/boxes/box/files`)).json() as Array<{ name: string, size: number }>
  t.strictSame(listed.map(({ name, size }) => [name, size]), whole.map(name => [name, mib]))
  const containers = await (await fetch(`http://127.0.0.1:${port}/api/boxes`)).json() as Array<{ name: string }>
  t.strictSame(containers.map(({ name }) => name), ['box'])
  t.strictSame((await left(root)).uploads, young, 'younger ones may be those of another process')
})

const root = await makeRoot(t)
const { port, ask } = await start(t, root)

t.test('uploads given up at any point leave no file, no left-over, no descriptor', async t => {
  const bytes = 512 * 1024
  const total = isLong ? 1_000 : 100
  const giveUp = async (name: string): Promise<void> => {
    const socket = begin(port, name, bytes)
    const end = Math.random() * bytes
    for (let sent = 0; sent < end; sent += chunk.length) {
      socket.write(chunk.subarray(0, Math.min(chunk.length, Math.ceil(end - sent))))
    }
    if (Math.random() < 0.5) await new Promise(resolve => socket.write('', resolve))
    await wait(Math.random() * 10)
    socket.resetAndDestroy()
  }
  await send(port, 'whole', bytes)
  for (let at = 0; at < 20; at++) await giveUp(`warm-${at}`)
  await wait(100)
  const before = await ask()
  for (let at = 0; at < total; at += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => giveUp(`given-up-${at + i}`)))
  // A busy server takes up a connection late: it has come to rest when nothing changes for half a second.
  let after = await ask()
  for (let tries = 0, calm = 0; calm < 20 && tries < 800; tries++) {
    await wait(25)
    after = await ask()
    calm = after.open <= before.open && (await left(root)).uploads.length === 0 ? calm + 1 : 0
  }
  t.strictSame(await left(root), { box: ['whole'], uploads: [] })
  t.ok(after.open <= before.open, `${after.open} files are open, ${before.open} were`)
  t.ok(after.rss - before.rss < 32 * mib, `${Math.round((after.rss - before.rss) / mib)} MB more`)
})

t.test('a large file does not stay in memory, in or out', async t => {
  const bytes = isLong ? 512 * mib : 64 * mib
  await writeFile(path.join(root, 'box', 'small'), chunk)
  for (let at = 0; at < 3; at++) await send(port, 'warm', 8 * mib)
  const before = (await ask()).rss
  let most = before
  const load = { on: true }
  const watched = (async () => {
    while (load.on) {
      most = Math.max(most, (await ask()).rss)
      await wait(50)
    }
  })()
  t.match(await send(port, 'large', bytes), /^HTTP\/1\.1 200 /)
  const answer = await fetch(`http://127.0.0.1:${port}/api/boxes/box/download/large`)
  let got = 0
  for await (const part of answer.body as AsyncIterable<Uint8Array>) got += part.length
  load.on = false
  await watched
  t.equal(got, bytes)
  t.ok(most - before < 32 * mib, `${Math.round((most - before) / mib)} MB more at most`)
})
