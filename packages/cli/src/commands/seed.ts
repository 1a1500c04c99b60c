import path from 'node:path'
import { defineCommand } from 'citty'
import { applicationOption, dataFolder, debug, environment, json, setDataFolder } from '../common-options.js'
import { wordsOf } from '../option-values.js'
import { seed, type Seeded } from '../seed.js'
import type { Terminal } from '../terminal.js'

export const seedCommand = defineCommand({
  meta: { name: 'seed', description: 'Put rows of files into the databases; run again, nothing changes' },
  args: {
    files: { type: 'positional', description: 'Files, with commas: seeds/User.json. Default: all of the folder seeds', required: false },
    ...applicationOption,
    key: { type: 'string', description: 'What tells a row from others, with commas: email, User.email. Default: the id', valueHint: 'names' },
    force: { type: 'boolean', description: 'Also in production' },
    ...dataFolder,
    ...environment,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    setDataFolder(args.data, terminal)
    const { files, forgotten } = await seed(path.resolve(terminal.cwd, args.dir), {
      env: args.env,
      force: args.force,
      keys: wordsOf(args.key),
      files: wordsOf(args.files)?.map(file => path.resolve(terminal.cwd, file))
    })
    terminal.print(args.json === true ? JSON.stringify(files, null, 2) : files.map(line).join('\n'))
    if (forgotten.length > 0) {
      terminal.complain(`In memory, and gone with this command: ${forgotten.join(', ')}. A boot script fills it at each start.`)
    }
  }
})

const line = ({ file, model, created, updated, unchanged }: Seeded): string => model === undefined
  ? `${file}: done`
  : `${file}: ${model}, ${created} created, ${updated} updated, ${unchanged} unchanged`
