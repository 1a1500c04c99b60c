/**
 * Runs a server behind a proxy that holds every response against the server's own description, which it fetches when
 * the server is up.
 *
 *   node dist/checked-responses/command.js --port 3000 --report answers.ndjson -- fastback serve my-app --port {inner}
 *
 * The report gets one line of JSON per answer: `{ label, method, url, status, operation, by, faults }`. `{inner}` is a
 * free port, also in PORT: the one after `--port` where it is free, so that anyone who gives out ports gives both.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { checkingProxy } from './checking-proxy.js'
import { Description, type Document } from './description.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    report: { type: 'string' },
    label: { type: 'string' },
    description: { type: 'string', default: '/explorer/openapi.json' }
  }
})
const { port, report, label } = values
if (port === undefined || report === undefined || positionals.length === 0) {
  throw new Error(
    'Usage: command.js --port N --report FILE [--label TEXT] [--description PATH] -- COMMAND with {inner}'
  )
}

const inner = await freePort(Number(port) + 1)
const [file = '', ...args] = positionals.map(each => each.replaceAll('{inner}', String(inner)))
const child = spawn(file, args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, PORT: String(inner) }
})
child.on('exit', (code, signal) => {
  // Anyone who kills the whole group has no response to wait for.
  if (signal === null) write({ faults: [`the server ended by itself, with ${code}`] })
  process.exit(code ?? 1)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => { child.kill(signal) })

while (!await isUp(inner)) await wait(25)
const answer = await fetch(`http://127.0.0.1:${inner}${values.description}`)
if (!answer.ok) {
  child.kill()
  throw new Error(`${values.description} answered ${answer.status}`)
}
checkingProxy({
  target: inner,
  description: new Description(await answer.json() as Document),
  report: ({ method, url, status, headers }, verdict) => {
    write({
      method,
      url: url.slice(0, 500),
      status,
      type: headers['content-type'],
      ...verdict,
      faults: verdict.faults.slice(0, 20)
    })
  }
}).listen(Number(port), '127.0.0.1')

function write (entry: object): void {
  appendFileSync(report as string, `${JSON.stringify({ label, ...entry })}\n`)
}

function isUp (target: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(target, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => { resolve(false) })
  })
}

/**
 * `candidate`, or one below those that systems give out by themselves: another server that starts now must not get it
 * in between. And above 10080, the highest of those that `fetch` refuses to ask.
 */
async function freePort (candidate = randomInt(10_081, 30_000)): Promise<number> {
  const server = createServer()
  const isFree = await new Promise<boolean>(resolve => {
    server
      .once('error', () => {
        resolve(false)
      })
      .listen(candidate, '127.0.0.1', () => {
        resolve(true)
      })
  })
  if (!isFree) return await freePort()
  await new Promise(resolve => server.close(resolve))
  return candidate
}
