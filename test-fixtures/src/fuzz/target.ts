/**
 * The server under attack: `fastback serve` in a process of its own, with a module inside that answers questions about
 * it.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { checkout } from './checkout.js'
import { schemas } from './postgres-schemas.js'
import type { Facts, Question, Questions } from './inside/protocol.js'
import type { ApiDocument } from './routes.js'

export const storeNames = ['memory', 'sqlite', 'postgres'] as const
export type StoreName = typeof storeNames[number]

const command = path.join(checkout, 'packages/cli/bin/fastback.js')
const insideModule = new URL('inside/main.js', import.meta.url).href

export interface TargetOptions {
  readonly dir: string
  readonly store: StoreName
  /** Milliseconds that the start may take. Default: 300,000, for machines that have much else to do. */
  readonly patience?: number
  /** Milliseconds that the server may say nothing when it is asked; then it hangs, and is ended. Default: 30,000. */
  readonly silence?: number
}

const postgresUrl = (): string => process.env.FASTBACK_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test'

/** Data sources of the folder that are in memory. */
function inMemory (dir: string): string[] {
  const file = ['server/datasources.json', 'datasources.json'].map(name => path.join(dir, name)).find(existsSync)
  const named =
    file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Record<string, { connector?: unknown }>)
  return Object.keys(named).filter(name => named[name]?.connector === 'memory')
}

/** On PostgreSQL, data sources have a schema each, which is the run's own. */
const schemaOf = (dataSource: string): string =>
  `fuzz_${process.pid}_${dataSource.toLowerCase().replaceAll(/\W/g, '_')}`

/** Settings for FASTBACK_DATASOURCES: every data source of the folder that is in memory goes to the store. */
function settingsOf (name: string, store: StoreName): object {
  return store === 'sqlite'
    ? { connector: 'sql', url: 'sqlite::memory:' }
    : { connector: 'sql', url: postgresUrl(), schema: schemaOf(name), migrate: 'update' }
}

/** Options of this process that ask for profiles go to the server as well. */
const profiling = (): string[] => process.execArgv.filter(option => option.includes('-prof'))

export class Target {
  readonly #waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()
  #asked = 0
  #output = ''
  #ended: string | undefined

  private constructor (
    readonly child: ChildProcess,
    readonly dir: string,
    readonly schemas: readonly string[],
    readonly silence: number
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', chunk => {
        this.#output = (this.#output + String(chunk)).slice(-200_000)
      })
    }
    child.on('message', (message: { id: number; answer: never; error?: string }) => {
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.error === undefined) waiting?.resolve(message.answer)
      else waiting?.reject(new Error(`Inside the server: ${message.error}`))
    })
    child.on('exit', (code, signal) => {
      this.#end(`the server ended with ${signal ?? code}`)
    })
  }

  url = ''

  static async start (options: TargetOptions): Promise<Target> {
    const { dir, store, patience = 300_000, silence = 30_000 } = options
    const names = store === 'memory' ? [] : inMemory(dir)
    const ownSchemas = store === 'postgres' ? names.map(schemaOf) : []
    if (ownSchemas.length > 0) await schemas(postgresUrl(), ownSchemas, 'make')
    const child = spawn(
      process.execPath,
      [
        ...profiling(),
        '--import',
        insideModule,
        command,
        'serve',
        dir,
        '--port',
        '0',
        '--host',
        '127.0.0.1',
        '--json',
        '--log',
        'error'
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: {
          ...process.env,
          NODE_ENV: 'development',
          FASTBACK_DATASOURCES: JSON.stringify(Object.fromEntries(names.map(name => [name, settingsOf(name, store)])))
        }
      }
    )
    const kill = (): void => {
      child.kill('SIGKILL')
    }
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    const target = new Target(child, dir, ownSchemas, silence)
    await target.#listening(patience)
    return target
  }

  async #listening (patience: number): Promise<void> {
    const until = Date.now() + patience
    for (;;) {
      const line = /^\{"url":.*\}$/m.exec(this.#output)?.[0]
      if (line !== undefined) {
        this.url = (JSON.parse(line) as { url: string }).url
        return
      }
      if (this.#ended !== undefined || Date.now() > until) {
        this.child.kill('SIGKILL')
        throw new Error(`${this.#ended ?? 'the server did not start'}\n${this.#output.trim()}`)
      }
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  get port (): number {
    return Number(new URL(this.url).port)
  }

  /** Why the process is gone; undefined while it runs. */
  get ended (): string | undefined {
    return this.#ended
  }

  /** What it wrote since the last call. */
  takeOutput (): string {
    const output = this.#output
    this.#output = ''
    return output
  }

  ask<Q extends Question>(
    question: Q,
    ...[asked]: Questions[Q]['asked'] extends undefined ? [] : [Questions[Q]['asked']]
  ): Promise<Questions[Q]['answer']> {
    if (this.#ended !== undefined) return Promise.reject(new Error(this.#ended))
    const id = ++this.#asked
    return new Promise<Questions[Q]['answer']>((resolve, reject) => {
      const hung = setTimeout(() => {
        this.#end(`the server hung: it said nothing for ${this.silence / 1000} s`)
      }, this.silence)
      const settled =
        <T>(settle: (value: T) => void) =>
          (value: T): void => {
            clearTimeout(hung)
            settle(value)
          }
      this.#waiting.set(id, { resolve: settled(resolve), reject: settled(reject) })
      this.child.send({ id, ask: question, asked }, error => {
        if (error !== null) settled(reject)(error)
      })
    })
  }

  #end (why: string): void {
    this.#ended ??= why
    this.child.kill('SIGKILL')
    for (const { reject } of this.#waiting.values()) reject(new Error(this.#ended))
    this.#waiting.clear()
  }

  async facts (): Promise<Facts> {
    return await this.ask('facts')
  }

  async description (): Promise<ApiDocument> {
    const response = await fetch(`${this.url}/explorer/openapi.json`)
    if (!response.ok) {
      throw new Error(
        `${this.dir} has no description at /explorer/openapi.json (${response.status}): the explorer must be on`
      )
    }
    return (await response.json()) as ApiDocument
  }

  /** Waits for the end of a process that is about to end; it is helped after fifteen seconds. */
  async exited (): Promise<boolean> {
    if (this.#ended !== undefined) return true
    return await new Promise<boolean>(resolve => {
      const timer = setTimeout(() => {
        this.child.kill('SIGKILL')
        resolve(false)
      }, 15_000)
      this.child.once('exit', () => {
        clearTimeout(timer)
        resolve(true)
      })
    })
  }

  /** Asks it to stop. The response: whether it did within fifteen seconds. */
  async stop (): Promise<boolean> {
    const exited = this.exited()
    this.child.kill('SIGTERM')
    const inTime = await exited
    if (this.schemas.length > 0) await schemas(postgresUrl(), this.schemas, 'drop')
    return inTime
  }
}
