import path from 'node:path'
import { stopOnSignals } from '@fastback/boot'
import { defineCommand } from 'citty'
import { dataFolder, debug, directory, envFile, environment, json, setDataFolder, setVariables } from '../common-options.js'
import { wholeNumber } from '../option-values.js'
import { serveProcess, type ServeOptions } from '../serve.js'
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
    ...envFile,
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
    watch: { type: 'boolean', description: 'Start again when a file of the folder changes: while developing' },
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const delay: { delay?: number } = args.grace === undefined ? {} : { delay: 1000 * wholeNumber('grace', args.grace, 3600) }
    const envFile = args['env-file'] === undefined ? undefined : path.resolve(terminal.cwd, args['env-file'])
    if (args.watch !== true) setVariables(envFile, terminal)
    setDataFolder(args.data, terminal)
    const dir = path.resolve(terminal.cwd, args.dir)
    const options: ServeOptions = {
      env: args.env,
      host: args.host,
      port: args.port === undefined ? undefined : wholeNumber('port', args.port, 65535),
      ...(args.log === undefined ? {} : { log: args.log === 'silent' ? false : args.log })
    }
    if (args.watch === true) {
      await watch({ dir, options, delay: delay.delay ?? 1000, stack: args.debug === true, envFile }, terminal)
      return
    }
    const { server, url, apiUrl, explorerUrl, mapped } = await serveProcess(dir, options)
    stopOnSignals(server, delay)
    terminal.print(
      args.json === true
        ? JSON.stringify({ url, api: apiUrl, explorer: explorerUrl })
        : `Serving ${apiUrl}${explorerUrl === undefined ? '' : `, explorer at ${explorerUrl}`}`
    )
    if (mapped.length > 0 && args.json !== true) {
      terminal.print(`In the code of this folder ${inWords(mapped)} for Fastback: see @fastback/loopback.`)
    }
  }
})

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
