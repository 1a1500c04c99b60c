import path from 'node:path'
import { defineCommand } from 'citty'
import { carryOut, writing } from '../changes/index.js'
import { typescript } from '../common-options.js'
import { checkOthersTexts } from '../check-folder.js'
import { UsageError } from '../errors.js'
import { introspect, type Introspection } from '../introspect.js'
import { checkName } from '../model-files/index.js'
import type { SampleFormat } from '../samples.js'
import type { Terminal } from '../terminal.js'

const formats: readonly SampleFormat[] = ['json', 'ndjson', 'csv']

export const introspectCommand = defineCommand({
  meta: { name: 'introspect', description: 'Write models of free-form data: JSON, lines of JSON, or a table with commas' },
  args: {
    source: { type: 'positional', description: 'A file, an address, or - for the standard input', required: true },
    model: { type: 'string', description: 'Name of the model', valueHint: 'name' },
    dir: { type: 'string', description: 'The application folder. Default: this one', default: '.', valueHint: 'dir' },
    'data-source': { type: 'string', description: 'Where its rows are kept. Default: db', valueHint: 'name' },
    format: { type: 'string', description: `${formats.join(', ')}. Default: by the name, or as the data look`, valueHint: 'format' },
    limit: { type: 'string', description: 'Samples that are looked at. Default: 10000', valueHint: 'number' },
    ...typescript,
    open: { type: 'boolean', description: 'Let everybody do everything. Default: a rule denies all until others allow' },
    ...writing
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    const dir = path.resolve(terminal.cwd, args.dir)
    const format = formats.find(each => each === args.format)
    if (args.format !== undefined && format === undefined) throw new UsageError(`The option "--format" is one of ${formats.join(', ')}.`)
    const limit = args.limit === undefined ? undefined : Number(args.limit)
    if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) throw new UsageError('The option "--limit" is a whole number from 1.')
    const found = await introspect(dir, {
      source: args.source === '-' ? process.stdin : sourceOf(args.source, terminal),
      model: checkName('model', args.model ?? modelOf(args.source)),
      format,
      limit,
      dataSource: args['data-source'],
      open: args.open,
      typescript: args.typescript
    })
    if (args.json !== true) for (const line of report(found)) terminal.print(line)
    await carryOut({
      command: 'introspect',
      changes: found.changes,
      report: { samples: found.samples, models: found.models },
      next: ['fastback serve'],
      ...checkOthersTexts(found.changes)
    }, args, terminal)
  }
})

const sourceOf = (source: string, { cwd }: Terminal): string =>
  /^https?:\/\//i.test(source) ? source : path.resolve(cwd, source)

/** `coffee-shops.json` holds what a `CoffeeShops` is. */
function modelOf (source: string): string {
  const words = path.parse(source).name.split(/[^a-zA-Z0-9]+/).filter(word => word !== '')
  if (source === '-' || words.length === 0) throw new UsageError('Which name has the model? Add --model NAME.')
  return words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

const report = ({ samples, models }: Introspection): string[] => [
  `${samples} ${samples === 1 ? 'sample' : 'samples'}`,
  ...models.flatMap(({ name, file, notes = [] }) => [`${name}  ${file}`, ...notes.map(note => `  ${note}`)])
]
