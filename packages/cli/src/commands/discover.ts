import path from 'node:path'
import { defineCommand } from 'citty'
import { carryOut, writing } from '../changes/index.js'
import { audit } from '../audit.js'
import { checkOthersTexts, holdsSource } from '../check-folder.js'
import { environment, typescript } from '../common-options.js'
import { discover, type Discovery } from '../discover.js'
import { UsageError } from '../errors.js'
import type { Terminal } from '../terminal.js'

/** Which tables, and how: the same for `new --database`. */
export const tableArgs = {
  tables: { type: 'string', description: 'Names of tables and views, with commas. Default: all tables', valueHint: 'names' },
  views: { type: 'boolean', description: 'Views as well' },
  schema: { type: 'string', description: 'Schema, or database of MySQL. Default: that of the data source', valueHint: 'name' },
  'keep-plural': { type: 'boolean', description: 'The table "customers" becomes "Customers" and not "Customer"' },
  'composite-ids': { type: 'boolean', description: 'Publish tables with several key columns, without routes that have one id' },
  bigints: { type: 'string', description: 'number (default), or bigint or text, which lose nothing', valueHint: 'kind' },
  decimals: { type: 'string', description: 'number (default, where a number holds them), decimal, or text', valueHint: 'kind' },
  'json-columns': { type: 'string', description: 'object (default), or any', valueHint: 'kind' },
  id: { type: 'string', description: 'What tells rows apart in views and tables without a key: TABLE.COLUMN, with commas', valueHint: 'columns' },
  open: { type: 'boolean', description: 'Let everybody do everything. Default: a rule denies all until others allow' }
} as const

export const discoverCommand = defineCommand({
  meta: { name: 'discover', description: 'Write models of the tables that a database has' },
  args: {
    dataSource: { type: 'positional', description: 'Name of the data source. Default: the only one with a database', required: false },
    dir: { type: 'string', description: 'The application folder. Default: this one', default: '.', valueHint: 'dir' },
    ...tableArgs,
    ...typescript,
    ...environment,
    ...writing
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const dir = path.resolve(terminal.cwd, args.dir)
    const tables = args.tables === undefined && terminal.interactive && args.yes !== true && args.json !== true
      ? await (await import('../prompts.js')).askForTables(dir, args.dataSource)
      : listOf(args.tables)
    const { dataSource, env, open } = args
    const found = await discover(dir, {
      ...tableOptions(args), tables, dataSource, env, open, typescript: args.typescript
    })
    if (args.json !== true) for (const line of tableLines(found)) terminal.print(line)
    const { written } = await carryOut({
      command: 'discover',
      changes: found.changes,
      report: { dataSource: found.dataSource, models: found.models, leftOut: found.leftOut },
      next: ['fastback audit', 'fastback serve'],
      ...checkOthersTexts(found.changes, [], { env: args.env })
    }, args, terminal)
    // An audit loads the application.
    const mayLoad = !holdsSource(found.changes)
    if (written.length > 0 && args['dry-run'] !== true && !args.open && mayLoad) await tellWhatIsOpen(dir, terminal)
  }
})

/** Rules close nothing where nobody asks for them. */
async function tellWhatIsOpen (dir: string, terminal: Terminal): Promise<void> {
  const { findings } = await audit(dir, { severity: 'high' })
  for (const { code, what, fix } of findings) terminal.complain(`warning: ${code}: ${what}; ${fix}`)
}

export const listOf = (text: string | undefined): string[] | undefined =>
  text?.split(',').map(each => each.trim()).filter(each => each !== '')

type Given = Partial<Readonly<Record<'tables' | 'schema' | 'bigints' | 'decimals' | 'json-columns' | 'id', string>> & Readonly<Record<'views' | 'keep-plural' | 'composite-ids', boolean>>>

/** @throws FBK_CLI_USAGE */
export function tableOptions (args: Given) {
  return {
    views: args.views,
    schema: args.schema,
    keepPlural: args['keep-plural'],
    compositeIds: args['composite-ids'],
    bigints: oneOf('bigints', args.bigints, ['number', 'bigint', 'text'] as const),
    decimals: oneOf('decimals', args.decimals, ['number', 'decimal', 'text'] as const),
    json: oneOf('json-columns', args['json-columns'], ['object', 'any'] as const),
    ids: args.id === undefined ? undefined : Object.fromEntries((listOf(args.id) ?? []).map(pairOf))
  }
}

function oneOf<T extends string> (option: string, given: string | undefined, allowed: readonly T[]): T | undefined {
  if (given === undefined) return undefined
  const found = allowed.find(each => each === given)
  if (found === undefined) throw new UsageError(`The option "--${option}" is one of ${allowed.join(', ')}.`)
  return found
}

function pairOf (text: string): [string, string] {
  const [table, column] = text.split('.')
  if (table === undefined || column === undefined || table === '' || column === '') {
    throw new UsageError(`"--id ${text}" must name a table and a column, as in "open_orders.id".`)
  }
  return [table, column]
}

/** What became of each table, and why. */
export function tableLines ({ models, leftOut }: Pick<Discovery, 'models' | 'leftOut'>): string[] {
  const width = Math.max(0, ...models.map(({ model }) => model.length))
  const lines = models.flatMap(({ model, table, state, notes }) => [
    `${state.padEnd(7)}  ${model.padEnd(width)}  ${table}`,
    ...notes.map(note => `         ${note}`)
  ])
  return leftOut.length === 0 ? lines : [...lines, `left out: ${leftOut.join(', ')} (views; add --views)`]
}
