import path from 'node:path'
import { stopOnSignals } from '@fastback/boot'
import { defineCommand } from 'citty'
import { dataFolder, debug, directory, environment, json, setDataFolder } from '../common-options.js'
import { wholeNumber } from '../option-values.js'
import { serveProcess } from '../serve.js'
import type { Terminal } from '../terminal.js'

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
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const delay = args.grace === undefined ? {} : { delay: 1000 * wholeNumber('grace', args.grace, 3600) }
    setDataFolder(args.data, terminal)
    const { server, url, apiUrl, explorerUrl, mapped } = await serveProcess(path.resolve(terminal.cwd, args.dir), {
      env: args.env,
      host: args.host,
      port: args.port === undefined ? undefined : wholeNumber('port', args.port, 65535),
      ...(args.log === undefined ? {} : { log: args.log === 'silent' ? false : args.log })
    })
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

/** `"a", "b" and "c" stand` */
function inWords (names: readonly string[]): string {
  const quoted = names.map(name => `"${name}"`)
  const last = quoted.pop() as string
  return quoted.length === 0 ? `${last} stands` : `${quoted.join(', ')} and ${last} stand`
}
