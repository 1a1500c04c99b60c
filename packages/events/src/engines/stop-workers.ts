import type { QueueWorker } from './queue-worker.js'

/** Takes no more jobs, waits for those that run, and gives back what takes longer than `timeout` milliseconds. */
export async function stopWorkers (workers: readonly QueueWorker[], timeout: number): Promise<void> {
  await Promise.all(workers.map(async worker => { await worker.close() }))
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => { timer = setTimeout(resolve, timeout) })
  const idle = Promise.all(workers.map(async worker => { await worker.idle() }))
  await Promise.race([idle, over]).finally(() => { clearTimeout(timer) })
  await Promise.all(workers.map(async worker => { await worker.abort() }))
}
