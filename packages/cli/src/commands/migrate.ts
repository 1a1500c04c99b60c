import path from 'node:path'
import { defineCommand } from 'citty'
import {
  application,
  dataFolder,
  debug,
  dryRun,
  envFile,
  environment,
  json,
  setDataFolder,
  setVariables
} from '../common-options.js'
import { ConfirmError } from '../errors.js'
import { migrate, type Migrated } from '../migrate.js'
import type { Terminal } from '../terminal.js'

export const migrateCommand = defineCommand({
  meta: { name: 'migrate', description: 'Bring the tables of the databases up to date with the models' },
  args: {
    ...application,
    'data-source': {
      type: 'string',
      description: 'Names of the data sources, with commas. Default: all',
      valueHint: 'names'
    },
    rebuild: { type: 'boolean', description: 'Drop the tables and make them anew: all rows are lost' },
    yes: { type: 'boolean', alias: ['y'], description: 'Ask nothing' },
    ...dataFolder,
    ...environment,
    ...envFile,
    ...dryRun,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const dir = path.resolve(terminal.cwd, args.dir)
    const dataSources = args['data-source']?.split(',').map(name => name.trim())
    setVariables(args['env-file'], terminal)
    setDataFolder(args.data, terminal)
    if (args.rebuild === true && args['dry-run'] !== true && args.yes !== true) {
      await confirmLoss(dataSources?.join(', ') ?? 'all data sources', terminal)
    }
    const results = await migrate(dir, { env: args.env, dataSources, rebuild: args.rebuild, dryRun: args['dry-run'] })
    terminal.print(args.json === true ? JSON.stringify(results, null, 2) : results.map(report).join('\n'))
  }
})

async function confirmLoss (what: string, terminal: Terminal): Promise<void> {
  const confirmed = terminal.interactive && await (await import('../prompts.js')).askForLoss(what)
  if (!confirmed) throw new ConfirmError(what)
}

function report ({ dataSource, models, upToDate, changed }: Migrated): string {
  const what = models.length === 0 ? 'no models' : models.join(', ')
  const state = changed ? 'brought up to date' : upToDate ? 'up to date' : 'out of date'
  return `${dataSource}: ${state} (${what})`
}
