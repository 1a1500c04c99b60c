import path from 'node:path'
import { defineCommand } from 'citty'
import { debug, json } from '../common-options.js'
import { integerOption, wordsOf } from '../option-values.js'
import type { Terminal } from '../terminal.js'
import { recordExchanges } from '../traffic/index.js'

export const recordCommand = defineCommand({
  meta: { name: 'record', description: 'Record the traffic of a running application, to compare another one with it' },
  args: {
    target: { type: 'string', description: 'Where the application listens', required: true, valueHint: 'url' },
    out: { type: 'string', description: 'Folder of the recording', required: true, valueHint: 'dir' },
    port: { type: 'string', alias: ['p'], description: 'Where clients send their requests. Default: any free port', valueHint: 'number' },
    host: { type: 'string', description: 'Default: 127.0.0.1', valueHint: 'address' },
    'max-body': { type: 'string', description: 'Bytes of a body that are kept. Default: 1048576', valueHint: 'bytes' },
    mask: { type: 'string', description: 'Further names of headers, parameters and keys that hold secrets', valueHint: 'names' },
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const recorder = await recordExchanges({
      target: args.target,
      out: path.resolve(terminal.cwd, args.out),
      host: args.host,
      port: args.port === undefined ? undefined : integerOption('port', args.port, 65535),
      maxBody: args['max-body'] === undefined ? undefined : integerOption('max-body', args['max-body'], 1024 ** 3),
      mask: wordsOf(args.mask)
    })
    const { url, file } = recorder
    terminal.print(args.json === true ? JSON.stringify({ url, file }) : `Recording ${args.target}: send requests to ${url}. Ctrl-C ends it.`)
    const signals = ['SIGINT', 'SIGTERM'] as const
    await new Promise<void>(resolve => { for (const signal of signals) process.once(signal, () => { resolve() }) })
    await recorder.close()
    const { recorded, failed } = recorder
    terminal.print(args.json === true
      ? JSON.stringify({ recorded, failed, file })
      : `Recorded ${recorded} exchanges in ${file}${failed === 0 ? '' : `; ${failed} were broken off or had no response, and are not in it`}.`)
  }
})
