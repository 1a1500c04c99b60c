import path from 'node:path'
import { defineCommand } from 'citty'
import { applicationOption, dataFolder, debug, dryRun, environment, json, setDataFolder } from '../common-options.js'
import { RekeyLeftError, RekeyNeededError } from '../errors.js'
import { wordsOf } from '../option-values.js'
import { rekey, type Rekeyed } from '../rekey.js'
import type { Terminal } from '../terminal.js'

export const rekeyCommand = defineCommand({
  meta: { name: 'rekey', description: 'Seal the values of sealed properties with the current key; run again, it goes on' },
  args: {
    models: { type: 'positional', description: 'Models, with commas. Default: all with sealed properties', required: false },
    ...applicationOption,
    plain: { type: 'boolean', description: 'Also values in plain text, of properties that were not sealed before' },
    ...dryRun,
    ...dataFolder,
    ...environment,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    setDataFolder(args.data, terminal)
    const isDry = args['dry-run'] === true
    const results = await rekey(path.resolve(terminal.cwd, args.dir), {
      env: args.env, models: wordsOf(args.models), dryRun: isDry, plain: args.plain === true ? true : undefined
    })
    terminal.print(args.json === true ? JSON.stringify(results, null, 2) : results.flatMap(each => lines(each, isDry)).join('\n'))
    const left = results.reduce((sum, { unreadable, busy }) => sum + unreadable.length + busy, 0)
    if (left > 0) throw new RekeyLeftError(`${left} values could not be sealed`)
    const open = results.reduce((sum, { resealed, plain }) => sum + resealed + plain, 0)
    if (isDry && open > 0) throw new RekeyNeededError(String(open))
  }
})

function lines ({ model, rows, resealed, plain, unreadable, busy }: Rekeyed, isDry: boolean): string[] {
  const verb = isDry ? 'to be sealed' : 'sealed'
  return [
    `${model}: ${rows} rows, ${resealed} values ${verb} with the current key, ${plain} in plain text ${verb}`,
    ...(busy > 0 ? [`  ${busy} rows were being written; run it again`] : []),
    ...unreadable.map(each => `  ${each}`)
  ]
}
