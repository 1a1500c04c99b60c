import path from 'node:path'
import { defineCommand } from 'citty'
import { application, debug, environment, json } from '../common-options.js'
import { UsageError } from '../errors.js'
import { explainAccess, type AccessExplanation } from '../explain-access.js'
import type { Terminal } from '../terminal.js'

export const aclCommand = defineCommand({
  meta: { name: 'acl', description: 'Explain who may call what: acl explain MODEL METHOD' },
  args: {
    action: { type: 'positional', description: 'explain' },
    model: { type: 'positional', required: true, description: 'Name of the model' },
    method: { type: 'positional', required: true, description: 'Name of the method, with or without "prototype."' },
    ...application,
    user: { type: 'string', description: 'Id of the user who asks. Default: nobody is logged in', valueHint: 'id' },
    'user-model': { type: 'string', description: 'The user\'s model, where there are several', valueHint: 'name' },
    id: { type: 'string', description: 'Id of the row at hand', valueHint: 'row' },
    ...environment,
    ...json,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    if (args.action !== 'explain') {
      throw new UsageError(`"acl" can "explain", not "${args.action}". See "fastback acl --help".`)
    }
    const dir = path.resolve(terminal.cwd, args.dir)
    const { model, method, id, user: userId } = args
    const explanation = await explainAccess(
      dir,
      { model, method, id, userId, principalType: args['user-model'] },
      { env: args.env }
    )
    if (!explanation.enforced) {
      terminal.complain('Access control is off: no boot script calls enableAuth() (no code registers @fastback/acl), and nothing is refused.')
    }
    if (explanation.withoutTables !== undefined) {
      terminal.complain(`Tables are missing, so this is what the definitions alone say, without stored rules, roles and rows: ${explanation.withoutTables}`)
    }
    terminal.print(args.json === true ? JSON.stringify(explanation, null, 2) : report(explanation))
  }
})

function report ({ allowed, method, accessType, reason, considered }: AccessExplanation): string {
  const lines = considered.map(
    ({ rule, source, fits }) => `  ${fits ? 'decides ' : 'does not fit'}`.padEnd(16) + `${describe(rule)}  (${source})`
  )
  return [`${allowed ? 'allowed' : 'refused'}  ${method} (${accessType})`, `because: ${reason}`, ...lines].join('\n')
}

const describe = ({
  permission,
  principalType,
  principalId,
  accessType,
  property
}: Readonly<Record<string, unknown>>): string =>
  `${String(permission)} ${String(principalType ?? 'ROLE')} ${String(principalId)}, ${String(accessType ?? '*')} of ${[property ?? '*'].flat().join(', ')}`
