import path from 'node:path'
import { defineCommand } from 'citty'
import { application, debug, environment, json } from '../common-options.js'
import type { Terminal } from '../terminal.js'
import { writeClient } from '../write-client.js'

export const clientCommand = defineCommand({
  meta: {
    name: 'client',
    description: 'Write a typed client of the REST API: one TypeScript file without dependencies'
  },
  args: {
    ...application,
    ...environment,
    out: { type: 'string', description: 'File to write; default: the standard output', valueHint: 'file' },
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const printed = args.out === undefined || args.out === '-'
    const { file, text } = await writeClient(path.resolve(terminal.cwd, args.dir), {
      env: args.env,
      out: printed ? undefined : path.resolve(terminal.cwd, args.out as string)
    })
    if (printed) terminal.print(text.trimEnd())
    else terminal.print(args.json === true ? JSON.stringify({ file }) : `Wrote ${file as string}`)
  }
})
