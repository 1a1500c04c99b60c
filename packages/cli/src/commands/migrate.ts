import path from 'node:path'
import { defineCommand } from 'citty'
import {
  application,
  dataFolder,
  debug,
  dryRun,
  environment,
  json,
  setDataFolder
} from '../common-options.js'
import { ConfirmError, DifferencesLeftError, MigrationNeededError, UsageError } from '../errors.js'
import {
  migrate, migrateRowSecurity, planLines, summaryOf, unsaidText, type Migrated, type RowSecurity
} from '../migrate/index.js'
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
    check: {
      type: 'boolean',
      description: 'As --dry-run, without the statements: 0 up to date, 2 changes pending, 3 a decision is needed'
    },
    write: {
      type: 'string',
      description: 'Write the changes into a numbered file of this folder, and make none',
      valueHint: 'folder'
    },
    files: {
      type: 'string',
      description: 'Apply the files of this folder that were not applied before, and nothing else',
      valueHint: 'folder'
    },
    'allow-drop': {
      type: 'string',
      description: 'Columns without a property that are dropped with all they hold: Table.column, with commas',
      valueHint: 'names'
    },
    'row-security': {
      type: 'boolean',
      description: 'Make the policies of PostgreSQL say what access rules say of rows, and nothing else'
    },
    force: {
      type: 'boolean',
      description: 'With --row-security: leave tables without policies whose rules these cannot say'
    },
    rebuild: { type: 'boolean', description: 'Drop the tables and make them anew: all rows are lost' },
    yes: { type: 'boolean', alias: ['y'], description: 'Ask nothing' },
    ...dataFolder,
    ...environment,
    ...dryRun,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const dir = path.resolve(terminal.cwd, args.dir)
    const dataSources = listOf(args['data-source'])
    const looks = args['dry-run'] === true || args.check === true
    const folder = (name: string | undefined): string | undefined =>
      name === undefined ? undefined : path.resolve(terminal.cwd, name)
    const [write, files] = [folder(args.write), folder(args.files)]
    const isPolicies = args['row-security'] === true
    if ([args.rebuild === true, write !== undefined, files !== undefined, isPolicies].filter(Boolean).length > 1) {
      throw new UsageError('Only one of --rebuild, --write, --files and --row-security can be meant.')
    }
    if (isPolicies && args['allow-drop'] !== undefined) throw new UsageError('--row-security drops no columns.')
    setDataFolder(args.data, terminal)
    if (isPolicies) {
      const found = await migrateRowSecurity(dir, { env: args.env, dataSources, dryRun: looks, force: args.force })
      terminal.print(args.json === true
        ? JSON.stringify(found, null, 2)
        : found.flatMap(each => policyReport(each, args.check !== true)).join('\n'))
      const pending = found.filter(({ upToDate }) => !upToDate)
      if (looks && pending.length > 0) {
        throw new MigrationNeededError(pending.map(each => `${each.dataSource}: ${summaryOf({ ...each, differences: [] }) ?? ''}`).join('; '))
      }
      return
    }
    if (args.rebuild === true && !looks && args.yes !== true) {
      await confirmLoss(dataSources?.join(', ') ?? 'all data sources', terminal)
    }
    const results = await migrate(dir, {
      env: args.env,
      dataSources,
      rebuild: args.rebuild,
      dryRun: looks,
      allowDrop: listOf(args['allow-drop']),
      write,
      files
    })
    terminal.print(
      args.json === true ? JSON.stringify(results, null, 2) : results.flatMap(each => report(each, args.check !== true)).join('\n')
    )
    if (looks) refuseUnlessActual(results)
  }
})

const listOf = (names: string | undefined): string[] | undefined => names?.split(',').map(name => name.trim())

async function confirmLoss (what: string, terminal: Terminal): Promise<void> {
  const confirmed = terminal.interactive && await (await import('../prompts.js')).askForLoss(what)
  if (!confirmed) throw new ConfirmError(what)
}

/** @param isWhole whether changes and differences are listed */
function report (result: Migrated, isWhole: boolean): string[] {
  const { dataSource, models, upToDate, changed, written, applied, differences } = result
  const what = models.length === 0 ? 'no models' : models.join(', ')
  const state = changed ? 'brought up to date' : upToDate ? 'up to date' : 'out of date'
  const summary = summaryOf(changed ? { changes: [], differences } : result)
  return [
    `${dataSource}: ${state} (${what})${summary === undefined ? '' : `: ${summary}`}`,
    ...(applied ?? []).map(name => `  ${changed ? 'applied' : 'to be applied'}: ${name}`),
    ...(written === undefined ? [] : [`  written: ${written}`]),
    ...(isWhole ? planLines(changed || written !== undefined ? { changes: [], differences } : result) : [])
  ]
}

function policyReport (result: RowSecurity, isWhole: boolean): string[] {
  const { dataSource, models, upToDate, changed, changes, unsaid } = result
  const state = changed ? 'policies brought up to date' : upToDate ? 'policies up to date' : 'policies out of date'
  return [
    `${dataSource}: ${state} (${models.length === 0 ? 'no models' : models.join(', ')})`,
    ...unsaid.map(each => `  without policies: ${unsaidText([each])}`),
    ...(isWhole && !changed ? planLines({ changes, differences: [] }) : [])
  ]
}

/** The outcome of a look, for a pipeline: 0 up to date, 2 changes pending, 3 a decision is needed. */
function refuseUnlessActual (results: readonly Migrated[]): void {
  const told = results.filter(({ upToDate, differences }) => !upToDate || differences.length > 0)
    .map(result => `${result.dataSource}: ${summaryOf(result) ?? 'out of date'}`).join('; ')
  if (results.some(({ differences }) => differences.length > 0)) throw new DifferencesLeftError(told)
  if (told !== '') throw new MigrationNeededError(told)
}
