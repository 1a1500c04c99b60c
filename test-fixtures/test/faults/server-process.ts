/** `fastback serve` in a process of its own, on a small application. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const cli = fileURLToPath(new URL('../../../packages/cli/bin/fastback.js', import.meta.url))

/** A folder for the time of a test; `t.testdir` has one only. */
export function folderFor (t: Test): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'fastback-faults-'))
  t.teardown(() => { rmSync(dir, { recursive: true, force: true }) })
  return dir
}

/** One model `Note`, published without access control, and what a test adds. */
export function makeApplication (t: Test, dataSource: object, files: Readonly<Record<string, unknown>> = {}): string {
  const dir = folderFor(t)
  const all: Readonly<Record<string, unknown>> = {
    'package.json': { type: 'module' },
    'server/config.json': { restApiRoot: '/api', host: '127.0.0.1', port: 0 },
    'server/datasources.json': { db: dataSource },
    'server/model-config.json': { Note: { dataSource: 'db' } },
    'common/models/note.json': {
      name: 'Note',
      properties: { title: { type: 'string', required: true }, text: 'string' }
    },
    ...files
  }
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
    writeFileSync(path.join(dir, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return dir
}

export interface Answer { readonly status: number, readonly body: any }

export class ServerProcess {
  #out = ''
  #err = ''
  #url: string | undefined
  readonly #exit: Promise<number | string>

  /** @param entrance words before the command, of a box */
  constructor (t: Test, dir: string, entrance: readonly string[] = []) {
    const [command, ...args] = [
      ...entrance,
      process.execPath,
      cli,
      'serve',
      dir,
      '--port',
      '0',
      '--json',
      '--grace',
      '3'
    ]
    this.child = spawn(command as string, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '', LOG_LEVEL: 'warn' }
    })
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => { this.#out += text })
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => { this.#err += text })
    this.#exit = once(this.child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
    t.teardown(() => { this.child.kill('SIGKILL') })
  }

  readonly child: ChildProcess

  /** The lines of the log, and what else was written to the standard output. */
  get output (): string { return this.#out }
  get complaints (): string { return this.#err }

  /** Waits until it listens. @throws Error with what it wrote, when it ends before */
  async ready (): Promise<this> {
    const ended = this.#exit.then(code => { throw new Error(`ended with ${code}: ${this.#err}`) })
    ended.catch(() => {})
    while (this.#url === undefined) {
      this.#url = /^\{"url":"([^"]+)"/m.exec(this.#out)?.[1]
      await Promise.race([sleep(20), ended])
    }
    return this
  }

  get url (): string { return this.#url as string }

  async send (method: string, url: string, body?: object, timeout = 60_000): Promise<Answer> {
    const answer = await fetch(this.url + url, {
      method,
      signal: AbortSignal.timeout(timeout),
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    })
    return { status: answer.status, body: await answer.json() }
  }

  async titles (): Promise<string[]> {
    return (
      (await this.send('GET', '/api/Notes?filter={"fields":["title"],"order":"title"}')).body as Array<{
        title: string
      }>
    ).map(({ title }) => title)
  }

  /** The exit code, or the signal that ended it; `it runs on` after a minute. */
  async exit (signal?: NodeJS.Signals): Promise<number | string> {
    if (signal !== undefined) this.child.kill(signal)
    return await Promise.race([this.#exit, sleep(60_000, 'it runs on', { ref: false })])
  }
}
