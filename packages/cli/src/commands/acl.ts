import path from 'node:path'
import { defineCommand } from 'citty'
import { accessMatrix, matrixFormats, matrixText, type MatrixFormat } from '../access-matrix.js'
import { application, debug, environment, json } from '../common-options.js'
import { UsageError } from '../errors.js'
import { explainAccess } from '../explain-access.js'
import { explanationReport } from '../explanation-report.js'
import type { Terminal } from '../terminal.js'
import { triedRules, triedText } from '../tried-rules.js'

export const aclCommand = defineCommand({
  meta: {
    name: 'acl',
    description: 'Who may call what: acl explain MODEL METHOD, acl matrix APP for all, acl shadow LOG for rules on trial'
  },
  args: {
    action: { type: 'positional', description: 'explain, matrix or shadow' },
    model: {
      type: 'positional',
      required: false,
      description: 'explain: name of the model. matrix: the application. shadow: a log, or the address of metrics'
    },
    method: { type: 'positional', required: false, description: 'Name of the method, with or without "prototype."' },
    ...application,
    user: { type: 'string', description: 'Id of the user who asks. Default: nobody is logged in', valueHint: 'id' },
    'user-model': { type: 'string', description: 'The user\'s model, where there are several', valueHint: 'name' },
    id: { type: 'string', description: 'Id of the row at hand', valueHint: 'row' },
    format: { type: 'string', description: `Of matrix: ${matrixFormats.join(', ')}. Default: table`, valueHint: 'name' },
    ...environment,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    switch (args.action) {
      case 'explain': await explainOne(terminal, args); break
      case 'matrix': await printMatrix(terminal, args); break
      case 'shadow': await printTried(terminal, args); break
      default: throw new UsageError(`"acl" can "explain", "matrix" and "shadow", not "${args.action}". See "fastback acl --help".`)
    }
  }
})

interface Given {
  readonly model?: string | undefined
  readonly method?: string | undefined
  readonly dir: string
  readonly user?: string | undefined
  readonly 'user-model'?: string | undefined
  readonly id?: string | undefined
  readonly format?: string | undefined
  readonly env?: string | undefined
  readonly json?: boolean | undefined
}

async function explainOne (terminal: Terminal, args: Given): Promise<void> {
  const { model, method, id, user: userId } = args
  if (model === undefined || method === undefined) {
    throw new UsageError('Say which method: "fastback acl explain MODEL METHOD".')
  }
  const explanation = await explainAccess(
    path.resolve(terminal.cwd, args.dir),
    { model, method, id, userId, principalType: args['user-model'] },
    { env: args.env }
  )
  if (!explanation.enforced) terminal.complain(isOff)
  if (explanation.withoutTables !== undefined) {
    terminal.complain(`Tables are missing, so this is what the definitions alone say, without stored rules, roles and rows: ${explanation.withoutTables}`)
  }
  terminal.print(args.json === true ? asJson(explanation) : explanationReport(explanation))
}

const isOff = 'Access control is off: no boot script calls enableAuth() (no code registers @fastback/acl), and nothing is refused.'

/** Ids may be larger than numbers are exact. */
const asJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => typeof each === 'bigint' ? String(each) : each, 2)

async function printMatrix (terminal: Terminal, args: Given): Promise<void> {
  const { format = args.json === true ? 'json' : 'table' } = args
  if (!isFormat(format)) {
    throw new UsageError(`There is no format "${format}". There are: ${matrixFormats.join(', ')}.`)
  }
  const matrix = await accessMatrix(path.resolve(terminal.cwd, args.model ?? '.'), { env: args.env })
  if (!matrix.enforced) terminal.complain(isOff)
  terminal.print(matrixText(matrix, format))
}

const isFormat = (format: string): format is MatrixFormat => (matrixFormats as readonly string[]).includes(format)

async function printTried (terminal: Terminal, args: Given): Promise<void> {
  if (args.model === undefined) {
    throw new UsageError('Say where from: "fastback acl shadow LOG", or the address of metrics, "http://127.0.0.1:3000/metrics".')
  }
  const isAddress = args.model.startsWith('http://') || args.model.startsWith('https://')
  const tried = await triedRules(isAddress ? args.model : path.resolve(terminal.cwd, args.model))
  terminal.print(args.json === true ? asJson(tried) : triedText(tried))
}
