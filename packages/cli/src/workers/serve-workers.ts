/** `fastback serve --workers N`. */
import { logLine, startLine } from '../start-line.js'
import type { Terminal } from '../terminal.js'
import type { WorkerTask } from './messages.js'
import { Workers } from './workers.js'

export interface ServeWorkersOptions {
  readonly count: number
  /** Milliseconds that a worker may take until it serves. */
  readonly startTimeout: number
  readonly json: boolean
}

/**
 * Serves with several processes until a signal ends it: SIGTERM and SIGINT end all workers, SIGHUP replaces them one
 * after the other. A terminal that is closed sends SIGHUP, too: where one is there, it means the end.
 * @throws why the workers cannot serve
 */
export async function serveWorkers (
  task: WorkerTask, { count, startTimeout, json }: ServeWorkersOptions, terminal: Terminal
): Promise<void> {
  const workers = new Workers(task, {
    count,
    startTimeout,
    tell (level, message, fields = {}) {
      if (workers.logsInfo) terminal.print(logLine(level, message, fields))
      else if (level === 'warn') terminal.complain(`${(message[0] as string).toUpperCase()}${message.slice(1)}.`)
    }
  })
  const ended = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => { resolve() })
    process.on('SIGHUP', () => {
      if (process.stdout.isTTY) resolve()
      else workers.restart().catch((error: unknown) => { throw error })
    })
  })
  const started = await Promise.race([workers.start(), ended])
  if (started !== undefined) {
    terminal.print(startLine(started, { json, log: workers.logsInfo, workers: count }))
    await ended
  }
  await workers.close()
}
