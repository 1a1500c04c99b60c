/**
 * The process of one run of `serve --watch`. It loads what is Fastback's own and then waits for its turn, so that a
 * change costs only what the application itself takes to start.
 */
import { fileURLToPath } from 'node:url'
import { setVariables } from '../common-options.js'
import { processTerminal } from '../terminal.js'
import type { Report, Run } from './watch.js'

/** Milliseconds after which a process without a turn gets ready for it. */
const idle = 100

const report = (of: Report): void => { process.send?.(of) }
// Without the process that watches nobody would end this one.
process.once('disconnect', () => { process.exit() })
wait().catch((error: unknown) => { throw error })

async function wait (): Promise<void> {
  let run: Run | undefined
  const called = new Promise<void>(resolve => process.once('message', (message: Run) => {
    run = message
    resolve()
  }))
  await Promise.all([import('@fastback/boot'), import('../serve.js'), import('@fastback/loopback/launch')])
  report({ waiting: true })
  await Promise.race([called, new Promise(resolve => { setTimeout(resolve, idle) })])
  if (run === undefined) await getReady()
  await called
  if (run !== undefined) await serveOnce(run)
}

/** The first start of a process takes six times as long as the second: an application of no concern has it. */
async function getReady (): Promise<void> {
  const { withApplication } = await import('../load-application.js')
  const template = fileURLToPath(new URL('../../templates/hello-world', import.meta.url))
  await withApplication(template, {}, async ({ fastify }) => { await fastify.inject('/') })
}

async function serveOnce ({ dir, options, delay, stack, envFile }: Run): Promise<void> {
  const [{ stopOnSignals }, { serveProcess }] = await Promise.all([import('@fastback/boot'), import('../serve.js')])
  try {
    setVariables(envFile, processTerminal())
    // Nobody watches files where an application is not being developed: its studio may show more.
    process.env.NODE_ENV ??= 'development'
    const served = await serveProcess(dir, { ...options, watched: true })
    const { server, url, apiUrl, explorerUrl, adminUrl, studioUrl } = served
    stopOnSignals(server, { delay })
    report({ url, apiUrl, explorerUrl, adminUrl, studioUrl })
  } catch (error) {
    const { failureText } = await import('../failure.js')
    const { locationOf } = await import('./location.js')
    report({ failure: failureText(error, { stack, place: locationOf(error, dir) }) })
    process.disconnect()
    process.exit(1)
  }
}
