/** The process of one worker of `serve --workers`. */
import { drainDelayOf, stopOnSignals, type Server } from '@fastback/boot'
import { clusterBus, type BusChannel } from '@fastback/core/bus'
import { setVariables } from '../common-options.js'
import { processTerminal } from '../terminal.js'
import { logsInfo } from '../start-line.js'
import { serveProcess } from '../serve.js'
import type { Failure, PrivateStore, WorkerOrder, WorkerReport, WorkerTask } from './messages.js'

/** A terminal sends these to all processes at once: the first process decides what they mean. */
const ofTheFirstProcess = ['SIGINT', 'SIGHUP'] as const

/** What the workers tell each other, where the application names nothing better. */
const busDrivers = { cluster: clusterBus(process as BusChannel) }

for (const signal of ofTheFirstProcess) process.on(signal, () => {})
begin().catch((error: unknown) => { throw error })

async function begin (): Promise<void> {
  const called = firstOrder()
  process.send?.({ waiting: true } satisfies WorkerReport)
  const order = await called
  if (!('serve' in order)) process.exit(0)
  const { serve } = order
  // Anyone who asks for the end before there is a server gets it at once.
  const endAtOnce = (message: unknown): void => { if (orderIn(message) !== undefined) process.exit(0) }
  process.on('message', endAtOnce)
  try {
    setVariables(serve.envFile, processTerminal())
    const { dir, options, processes } = serve
    const { server, url, apiUrl, explorerUrl, adminUrl, studioUrl } = await serveProcess(dir, {
      ...options, busDrivers, processes
    })
    process.off('message', endAtOnce)
    obey(server, serve)
    const { fastify } = server
    process.send?.({
      serving: {
        url,
        apiUrl,
        explorerUrl,
        adminUrl,
        studioUrl,
        logsInfo: logsInfo(fastify.log),
        privateStores: privateStores(server),
        drainDelay: drainDelayOf(fastify)
      }
    } satisfies WorkerReport)
  } catch (error) {
    process.send?.({ failure: failureOf(error) } satisfies WorkerReport, () => process.exit(1))
  }
}

/** Others that serve already may send what is the bus's before. */
function firstOrder (): Promise<WorkerOrder> {
  return new Promise(resolve => {
    process.on('message', function hear (message: object) {
      if (!('serve' in message) && orderIn(message) === undefined) return
      process.off('message', hear)
      resolve(message as WorkerOrder)
    })
  })
}

function failureOf (error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, stack, code } = error as Error & { code?: unknown }
  return { message, ...(stack === undefined ? {} : { stack }), ...(typeof code === 'string' ? { code } : {}) }
}

/** Ends when it is told to, or by SIGTERM: each of them once. */
function obey (server: Server, { delay }: WorkerTask): void {
  let isEnding = false
  const uninstall = stopOnSignals(server, { delay, skip: ofTheFirstProcess })
  process.once('SIGTERM', () => { isEnding = true })
  process.on('message', message => {
    const order = orderIn(message)
    if (isEnding || order === undefined) return
    isEnding = true
    if (order === 'end') process.kill(process.pid, 'SIGTERM')
    else {
      uninstall()
      makeWay(server, delay)
    }
  })
}

/** Other messages are those of the bus. */
function orderIn (message: unknown): 'leave' | 'end' | undefined {
  const { order } = message as { order?: unknown }
  return order === 'leave' || order === 'end' ? order : undefined
}

/** The others go on: load balancers hear nothing of it. */
function makeWay (server: Server, delay: number): void {
  setTimeout(() => process.exit(1), delay).unref()
  process.once('SIGTERM', () => process.exit(0))
  server.leave().then(() => server.stop()).then(() => process.exit(0), (error: unknown) => {
    server.fastify.log.error({ err: error }, 'the worker could not end well')
    process.exit(1)
  })
}

/** Data sources in memory that models use. */
function privateStores ({ fastify: { registry } }: Server): PrivateStore[] {
  return Object.values(registry.dataSources)
    .filter(({ connector, attached }) => connector.name === 'memory' && attached.length > 0)
    .map(({ name, settings }) => ({ name, hasFile: typeof settings.file === 'string' }))
}
