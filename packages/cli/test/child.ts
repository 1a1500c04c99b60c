import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const bin = fileURLToPath(new URL('../bin/fastback.js', import.meta.url))

/** A `fastback` process and what it has written so far. */
export interface Child {
  readonly process: ChildProcess
  out: string
  err: string
  readonly exited: Promise<number | null>
}

/** Starts the built command line, or another program of Node's; it is ended with the test. */
export function start (
  t: Test,
  args: string[],
  { cwd, env = {}, program = bin }: { cwd?: string, env?: NodeJS.ProcessEnv, program?: string } = {}
): Child {
  const { PORT, HOST, DATA_DIR, NODE_ENV, ...inherited } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const started: Child = { process: child, out: '', err: '', exited }
  child.stdout.on('data', chunk => {
    started.out += String(chunk)
  })
  child.stderr.on('data', chunk => {
    started.err += String(chunk)
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return started
}

/** The address of a server, once it has printed it. */
export async function address (child: Child): Promise<string> {
  return await printed(child, /http:\/\/[^/\s"]+/)
}

/** What the process has printed, once it has; rejects when it ends before. */
export async function printed (child: Child, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(child.out)?.[0]
    if (found !== undefined) return found
    const ended = await Promise.race([
      once(child.process.stdout as NodeJS.ReadableStream, 'data').then(() => undefined),
      child.exited.then(code => ({ code }))
    ])
    if (ended !== undefined) throw new Error(`the server ended with ${ended.code}: ${child.err}`)
  }
}
