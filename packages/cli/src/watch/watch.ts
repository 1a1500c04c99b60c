/** `fastback serve --watch`: a process for each run, and a new one after each change. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ServeOptions } from '../serve.js'
import { servingText, type Addresses } from '../start-line.js'
import { watchFiles } from './files.js'

/** What a process is told to do. */
export interface Run {
  readonly dir: string
  readonly options: ServeOptions
  /** Milliseconds that open requests may take in the end. */
  readonly delay: number
  readonly stack: boolean
  /** File with variables, absolute. */
  readonly envFile: string | undefined
}

/** What it says. */
export type Report =
  | { readonly waiting: true }
  | Addresses
  | { readonly failure: string }

export interface WatchOptions {
  /** Files beside those of the folder whose change counts. */
  readonly files: readonly string[]
  /** One line for the one who develops. */
  readonly print: (line: string) => void
  readonly complain: (line: string) => void
}

export interface Watch {
  /** Ends the server and the watching. */
  close (): Promise<void>
}

/** Serves, and serves again after each change of a file. */
export function serveWatching (run: Run, { files, print, complain }: WatchOptions): Watch {
  let current: ChildProcess | undefined
  let standby = start()
  let { options } = run
  let closed = false
  /** The one that was asked to end. */
  let leaving: ChildProcess | undefined
  /** Runs follow each other: each ends the one before. */
  let turn: Promise<void> = Promise.resolve()
  let pending: string[] | undefined

  const serveAgain = (changed: readonly string[]): void => {
    if (pending !== undefined) {
      pending.push(...changed)
      return
    }
    pending = [...changed]
    turn = turn.then(async () => {
      const files = [...new Set(pending)]
      pending = undefined
      if (!closed) await next(files)
    })
  }

  const next = async (files: readonly string[]): Promise<void> => {
    const began = performance.now()
    const child = await standby
    leaving = current
    await end(current, run.delay)
    if (closed) return
    current = child
    const told = reportOf(child)
    child.send({ ...run, options })
    const report = await told
    standby = start()
    const what = files.length === 0 ? undefined : `${files[0]}${files.length === 1 ? '' : ` and ${files.length - 1} more`} changed`
    if (report === undefined) complain(`${what ?? 'The application'}: its process has ended. It is started again after the next change.`)
    else if ('failure' in report) complain(`${report.failure}\n${what === undefined ? '' : `${what}: `}not serving until that is fixed.`)
    else if ('url' in report) {
      // The address stays, also where any free port was asked for.
      options = { ...options, port: new URL(report.url).port }
      print(what === undefined
        ? `${servingText(report)}; a change starts it again`
        : `${what}: serving again after ${Math.round(performance.now() - began)} ms`)
      child.once('exit', (code, signal) => {
        if (current === child && leaving !== child) {
          complain(`The server has ended with ${code ?? signal}. It is started again after the next change.`)
        }
      })
    }
  }

  const watched = watchFiles(run.dir, files, serveAgain)
  serveAgain([])
  return {
    async close () {
      closed = true
      leaving = current
      watched.close()
      const idle = await standby.catch(() => undefined)
      if (idle !== current) idle?.kill('SIGKILL')
      await end(current, run.delay)
    }
  }
}

/** A process that waits for its turn. */
async function start (): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./run.js', import.meta.url)), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await reportOf(child)
  return child
}

/** What a process says next; undefined when it ends before. */
async function reportOf (child: ChildProcess): Promise<Report | undefined> {
  return await Promise.race([
    once(child, 'message').then(([report]) => report as Report),
    once(child, 'exit').then(() => undefined)
  ])
}

async function end (child: ChildProcess | undefined, delay: number): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => { child.kill('SIGKILL') }, delay + 100)
  await exited
  clearTimeout(timer)
}
