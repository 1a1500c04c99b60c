import path from 'node:path'
import { defineCommand } from 'citty'
import { carryOut, writing } from '../changes/index.js'
import { checkWritten } from '../check-folder.js'
import { directory, environment } from '../common-options.js'
import { modernize, type Modernization } from '../modernize/index.js'
import type { Terminal } from '../terminal.js'
import { listOf } from './discover.js'

export const modernizeCommand = defineCommand({
  meta: { name: 'modernize', description: 'Turn definitions into TypeBox, and scripts into ES modules' },
  args: {
    ...directory,
    models: { type: 'string', description: 'These models alone, with commas. Default: all, mixins and boot scripts', valueHint: 'names' },
    typescript: { type: 'boolean', description: 'Definitions in TypeScript. Default: JavaScript' },
    ...environment,
    ...writing
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const dir = path.resolve(terminal.cwd, args.dir)
    const { models, typescript, env } = { ...args, models: listOf(args.models) }
    const { changes, files, left } = await modernize(dir, { models, typescript, env })
    if (args.json !== true) for (const line of report({ changes, files, left })) terminal.print(line)
    await carryOut({
      command: 'modernize', changes, report: { files, left }, next: ['fastback types', 'fastback serve'], ...checkWritten(changes, [], { env })
    }, args, terminal)
  }
})

const report = ({ files, left }: Modernization): string[] => [
  ...files.map(({ before, after, note }) => `${before} → ${after}${note === undefined ? '' : `  (${note})`}`),
  ...left.map(({ file, line, why }) => `left: ${file}:${line}  ${why}`)
]
