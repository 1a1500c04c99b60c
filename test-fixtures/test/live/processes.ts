/** Processes that serve the same rows of PostgreSQL, with a bus between them; one may be killed, and comes back. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { makeScratch } from '../../scratch.mjs'
import { definitions, type Random } from './agreement.js'

const script = fileURLToPath(new URL('process.mjs', import.meta.url))

class ServingProcess {
  port = 0
  deaths = 0
  #child: ChildProcess | undefined
  #isOver = false

  constructor (readonly settings: object) {}

  async start (): Promise<void> {
    const child = this.#child = fork(script, [JSON.stringify(this.settings)], {
      execArgv: ['--conditions=unbundled'], stdio: ['ignore', 'ignore', 'inherit', 'ipc']
    })
    child.once('exit', () => {
      if (this.#isOver) return
      this.deaths++
      this.start().catch(() => {})
    })
    const [{ port }] = await once(child, 'message') as [{ port: number }]
    this.port = port
  }

  kill (): void { this.#child?.kill('SIGKILL') }

  async end (): Promise<void> {
    this.#isOver = true
    if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}

export interface Processes {
  /** Address of one of them, by chance. */
  any (next: Random): string
  kill (next: Random): void
  /** Of all, so far. */
  readonly deaths: () => number
}

/** @param bus the setting; `undefined`: PostgreSQL */
export async function startProcesses (
  t: Test, count: number, bus: (url: string) => unknown = url => ({ postgres: url })
): Promise<Processes> {
  const scratch = await makeScratch('postgres')
  t.teardown(scratch.remove)
  const settings = { url: scratch.url, bus: bus(scratch.url), definitions }
  const all = Array.from({ length: count }, () => new ServingProcess(settings))
  t.teardown(async () => { await Promise.all(all.map(async each => { await each.end() })) })
  // One after the other: the first one makes the tables.
  for (const each of all) await each.start()
  const one = (next: Random): ServingProcess => all[next(all.length)] as ServingProcess
  return {
    any: next => `http://127.0.0.1:${one(next).port}/api`,
    kill: next => { one(next).kill() },
    deaths: () => all.reduce((sum, { deaths }) => sum + deaths, 0)
  }
}
