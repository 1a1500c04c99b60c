import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { defineCommand } from 'citty'
import { application, debug, environment, json } from '../common-options.js'
import { describeApi } from '../describe-api.js'
import type { Terminal } from '../terminal.js'

export const openapiCommand = defineCommand({
  meta: { name: 'openapi', description: 'Print the OpenAPI description of an application' },
  args: {
    ...application,
    ...environment,
    version: { type: 'enum', options: ['3.0', '3.1'], default: '3.1', description: 'Version of OpenAPI' },
    out: { type: 'string', description: 'File to write; default: the standard output', valueHint: 'file' },
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const document = await describeApi(path.resolve(terminal.cwd, args.dir), { env: args.env, version: args.version })
    const text = JSON.stringify(document, null, 2)
    if (args.out === undefined || args.out === '-') {
      terminal.print(text)
      return
    }
    const file = path.resolve(terminal.cwd, args.out)
    writeFileSync(file, text + '\n')
    terminal.print(args.json === true ? JSON.stringify({ file }) : `Wrote ${file}`)
  }
})
