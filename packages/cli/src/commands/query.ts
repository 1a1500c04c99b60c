import path from 'node:path'
import { writeValue } from '@fastback/core/connector'
import { defineCommand } from 'citty'
import { applicationOption, dataFolder, debug, environment, json, setDataFolder } from '../common-options.js'
import { UsageError } from '../errors.js'
import { queryModel } from '../query/query-model.js'
import { reportText } from '../query/report-text.js'
import type { Terminal } from '../terminal.js'

export const queryCommand = defineCommand({
  meta: { name: 'query', description: 'Rows of a model by a filter, or how the database finds them: query MODEL FILTER --explain' },
  args: {
    model: { type: 'positional', required: true, description: 'Name of the model' },
    filter: { type: 'positional', required: false, description: 'The filter, as JSON: \'{"where":{"done":false}}\'. Default: all rows' },
    ...applicationOption,
    user: { type: 'string', description: 'Id of the user who asks, over REST. Default: the application itself', valueHint: 'id' },
    'user-model': { type: 'string', description: 'The user\'s model, where there are several', valueHint: 'name' },
    explain: { type: 'boolean', description: 'In place of the rows: statements, plans, rows read, what index is missing' },
    ...dataFolder,
    ...environment,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    setDataFolder(args.data, terminal)
    const { rows, report } = await queryModel(path.resolve(terminal.cwd, args.dir), args.model, filterOf(args.filter), {
      env: args.env,
      userId: args.user,
      userModel: args['user-model'],
      explain: args.explain
    })
    if (report !== undefined) terminal.print(args.json === true ? JSON.stringify(report, null, 2) : reportText(report))
    else if (args.json === true) terminal.print(JSON.stringify(JSON.parse(writeValue(rows) as string), null, 2))
    else for (const row of rows) terminal.print(writeValue(row) as string)
  }
})

/** @throws FBK_CLI_USAGE for what is no JSON */
function filterOf (text: string | undefined): unknown {
  try {
    return text === undefined ? {} : JSON.parse(text) as unknown
  } catch (error) {
    throw new UsageError(`The filter is no JSON: ${(error as Error).message}`)
  }
}
