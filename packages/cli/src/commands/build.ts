import path from 'node:path'
import { defineCommand } from 'citty'
import { buildApplication } from '../build/build-application.js'
import { debug, directory, json } from '../common-options.js'
import type { Terminal } from '../terminal.js'

export const buildCommand = defineCommand({
  meta: { name: 'build', description: 'Write a server of a folder that starts faster: for production' },
  args: {
    ...directory,
    out: { type: 'string', description: 'The folder to write, in the application\'s. Default: .fastback', valueHint: 'dir' },
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const dir = path.resolve(terminal.cwd, args.dir)
    const built = await buildApplication(dir, { out: args.out })
    const server = path.relative(terminal.cwd, built.server)
    terminal.print(args.json === true
      ? JSON.stringify(built)
      : `${built.files} files written. Start it with: node ${server} (and the options of "fastback serve")`)
  }
})
