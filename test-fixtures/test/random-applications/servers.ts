/** The two servers that answer for a random application: a real LoopBack 3 and ours. */
import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from '@fastback/boot'
import type { Sent } from './requests.js'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Asks one application after the other. */
export interface Asks {
  ask (folder: string, requests: readonly Sent[]): Promise<Answer[]>
  close (): void
}

/** Writes the files of an application into a folder of its own. */
export function writeFolder (files: Readonly<Record<string, string>>): { readonly folder: string, remove (): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-random-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  return { folder, remove: () => { rmSync(folder, { recursive: true, force: true }) } }
}

async function send (port: number, agent: Agent, { verb, path, body, headers }: Sent): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  return await new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      agent,
      method: verb,
      path: `/api${path}`,
      timeout: 5_000,
      headers: { accept: 'application/json', ...headers, ...(payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }) }
    }, incoming => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => { chunks.push(chunk) })
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: incoming.statusCode as number, body: parsed(text) })
      })
    })
    outgoing.on('timeout', () => { outgoing.destroy(); resolve({ status: 0, body: 'no response' }) })
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}

function parsed (text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return { text }
  }
}

async function sendAll (port: number, requests: readonly Sent[]): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true })
  const answers: Answer[] = []
  for (const each of requests) answers.push(await send(port, agent, each))
  agent.destroy()
  return answers
}

/** @param real a folder in which `loopback` and `loopback-boot` are installed */
export function realLoopBack (real: string): Asks {
  const script = fileURLToPath(new URL('real-server.cjs', import.meta.url).href.replace('/.tests/', '/'))
  const start = (): ChildProcess => fork(script, [real], { env: { ...process.env, NODE_ENV: 'production' }, silent: true })
  let child = start()
  return {
    async ask (folder, requests) {
      if (child.exitCode !== null) child = start()
      const told = await new Promise<{ readonly port?: number, readonly failed?: string }>(resolve => {
        child.once('message', message => { resolve(message as object) })
        child.once('exit', () => { resolve({ failed: 'it ended' }) })
        child.send(folder)
      })
      if (told.port === undefined) throw new Error(told.failed)
      return await sendAll(told.port, requests)
    },
    close () { child.kill() }
  }
}

export const ours: Asks = {
  async ask (folder, requests) {
    const server = await createServer(folder, { env: 'production', log: false, port: 0, host: '127.0.0.1' })
    try {
      return await sendAll(Number(new URL(await server.start()).port), requests)
    } finally {
      await server.stop()
    }
  },
  close () {}
}
