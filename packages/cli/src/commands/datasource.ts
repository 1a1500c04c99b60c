import path from 'node:path'
import { defineCommand } from 'citty'
import { debug, environment, json } from '../common-options.js'
import { testDataSource } from '../doctor.js'
import { NotWellError, UsageError } from '../errors.js'
import type { Terminal } from '../terminal.js'
import { checkText } from './doctor.js'

export const datasourceCommand = defineCommand({
  meta: { name: 'datasource', description: 'Test whether a data source answers: datasource test NAME' },
  args: {
    action: { type: 'positional', description: 'test', required: true },
    name: { type: 'positional', description: 'Name of the data source', required: true },
    dir: { type: 'positional', description: 'The application folder, or a module that exports an application', default: '.' },
    ...environment,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    if (args.action !== 'test') throw new UsageError(`There is no "datasource ${args.action}". Call "fastback datasource test NAME".`)
    const check = await testDataSource(path.resolve(terminal.cwd, args.dir), args.name, { env: args.env })
    terminal.print(args.json === true ? JSON.stringify(check, null, 2) : checkText(check))
    if (!check.ok) throw new NotWellError(check.name)
  }
})
