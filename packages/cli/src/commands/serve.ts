import { availableParallelism } from 'node:os'
import path from 'node:path'
import { stopOnSignals } from '@fastback/boot'
import { defineCommand } from 'citty'
import { dataFolder, debug, directory, environment, json, setDataFolder, setVariables } from '../common-options.js'
import { UsageError } from '../errors.js'
import { integerOption } from '../option-values.js'
import { serveProcess, type ServeOptions } from '../serve.js'
import { logsInfo, startLine } from '../start-line.js'
import type { Terminal } from '../terminal.js'
import type { Run } from '../watch/watch.js'

export const serveCommand = defineCommand({
  meta: { name: 'serve', description: 'Serve an application folder' },
  args: {
    ...directory,
    port: {
      type: 'string',
      alias: ['p'],
      description: 'Default: PORT in the environment, config.json, 3000. 0: any free port',
      valueHint: 'number'
    },
    host: { type: 'string', description: 'Default: HOST in the environment, config.json', valueHint: 'address' },
    ...dataFolder,
    ...environment,
    log: {
      type: 'string',
      description: 'trace, debug, info, warn (default), error, fatal or silent',
      valueHint: 'level'
    },
    grace: {
      type: 'string',
      description: 'How many seconds open requests may take after SIGTERM. Default: 10',
      valueHint: 'seconds'
    },
    workers: {
      type: 'string',
      description: 'Serve with so many processes; "auto": one for each processor. SIGHUP restarts them one by one',
      valueHint: 'number'
    },
    'start-timeout': {
      type: 'string',
      description: 'How many seconds a worker may take until it serves. Default: 60',
      valueHint: 'seconds'
    },
    watch: { type: 'boolean', description: 'Start again when a file of the folder changes: while developing' },
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const delay: { delay?: number } = args.grace === undefined ? {} : { delay: 1000 * integerOption('grace', args.grace, 3600) }
    const envFile = args['env-file'] === undefined ? undefined : path.resolve(terminal.cwd, args['env-file'])
    const workers = args.workers === undefined ? undefined : numberOfWorkers(args.workers)
    if (workers !== undefined && args.watch === true) {
      throw new UsageError('"--watch" serves with one process: give it without "--workers".')
    }
    if (args.watch !== true && workers === undefined) setVariables(envFile, terminal)
    setDataFolder(args.data, terminal)
    const dir = path.resolve(terminal.cwd, args.dir)
    const options: ServeOptions = {
      env: args.env,
      host: args.host,
      port: args.port === undefined ? undefined : integerOption('port', args.port, 65535),
      ...(args.log === undefined ? {} : { log: args.log === 'silent' ? false : args.log })
    }
    if (args.watch === true) {
      await watch({ dir, options, delay: delay.delay ?? 1000, stack: args.debug === true, envFile }, terminal)
      return
    }
    if (workers !== undefined) {
      const { serveWorkers } = await import('../workers/serve-workers.js')
      const startTimeout = 1000 * integerOption('start-timeout', args['start-timeout'] ?? '60', 3600)
      const task = { dir, options, processes: workers, delay: delay.delay ?? 10_000, envFile }
      await serveWorkers(task, { count: workers, startTimeout, json: args.json === true }, terminal)
      return
    }
    const { server, mapped, ...addresses } = await serveProcess(dir, options)
    stopOnSignals(server, delay)
    const log = logsInfo(server.fastify.log)
    terminal.print(startLine(addresses, { json: args.json === true, log }))
    if (mapped.length > 0 && args.json !== true && !log) {
      terminal.print(`In the code of this folder ${inWords(mapped)} for Fastback: see @fastback/loopback.`)
    }
  }
})

/** @throws FBK_CLI_USAGE */
const numberOfWorkers = (given: string): number =>
  given === 'auto' ? availableParallelism() : Math.max(1, integerOption('workers', given, 1024))

/** Until a signal ends it. */
async function watch (run: Run, terminal: Terminal): Promise<void> {
  const { serveWatching } = await import('../watch/watch.js')
  const { close } = serveWatching(run, {
    files: run.envFile === undefined ? [] : [run.envFile],
    print: line => { terminal.print(line) },
    complain: line => { terminal.complain(line) }
  })
  const signals = ['SIGINT', 'SIGTERM'] as const
  await new Promise<void>(resolve => { for (const signal of signals) process.once(signal, () => { resolve() }) })
  await close()
}

/** `"a", "b" and "c" stand` */
function inWords (names: readonly string[]): string {
  const quoted = names.map(name => `"${name}"`)
  const last = quoted.pop() as string
  return quoted.length === 0 ? `${last} stands` : `${quoted.join(', ')} and ${last} stand`
}
