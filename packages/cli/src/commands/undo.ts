import path from 'node:path'
import { defineCommand } from 'citty'
import { undoLast } from '../changes/index.js'
import { debug, directory, json } from '../common-options.js'
import type { Terminal } from '../terminal.js'

export const undoCommand = defineCommand({
  meta: { name: 'undo', description: 'Put back what the last command wrote, where git does not keep the folder' },
  args: { ...directory, ...json, ...debug },
  run ({ args, data }) {
    const terminal = data as Terminal
    const files = undoLast(path.resolve(terminal.cwd, args.dir))
    terminal.print(args.json === true ? JSON.stringify({ files }, null, 2) : files.map(file => `as before  ${file}`).join('\n'))
  }
})
