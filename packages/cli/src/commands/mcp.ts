import path from 'node:path'
import { defineCommand } from 'citty'
import { dataFolder, debug, directory, environment, setDataFolder } from '../common-options.js'
import { UsageError } from '../errors.js'
import { wordsOf } from '../option-values.js'
import { serveMcp } from '../serve-mcp.js'
import type { Terminal } from '../terminal.js'

export const mcpCommand = defineCommand({
  meta: { name: 'mcp', description: 'Serve an application folder to one agent, by the Model Context Protocol over stdio' },
  args: {
    ...directory,
    tools: {
      type: 'string',
      description: 'Methods that are tools. Default: those of component-config.json, else all published reads',
      valueHint: 'Model.method,…'
    },
    user: { type: 'string', description: 'Id of the user whose rights the agent has. Default: a caller who is not logged in', valueHint: 'id' },
    'user-model': { type: 'string', description: 'The user\'s model, where there are several', valueHint: 'name' },
    token: {
      type: 'string',
      description: 'An access token, in place of the user. Default: FASTBACK_TOKEN in the environment',
      valueHint: 'token'
    },
    log: {
      type: 'string',
      description: 'trace, debug, info, warn (default), error, fatal or silent; on the standard error',
      valueHint: 'level'
    },
    ...dataFolder,
    ...environment,
    ...debug
  },
  async run ({ args, data }) {
    const terminal = data as Terminal
    setDataFolder(args.data, terminal)
    if (args.user !== undefined && args.token !== undefined) throw new UsageError('Give "--user" or "--token", not both.')
    if (args['user-model'] !== undefined && args.user === undefined) throw new UsageError('"--user-model" needs "--user".')
    const given = args.token ?? terminal.env.FASTBACK_TOKEN
    await serveMcp(path.resolve(terminal.cwd, args.dir), {
      env: args.env,
      tools: toolsOf(args.tools),
      caller: args.user !== undefined
        ? { userId: args.user, model: args['user-model'] }
        : given === undefined || given === '' ? undefined : { token: given },
      log: args.log ?? 'warn',
      report: line => { terminal.complain(line) }
    })
  }
})

/** @throws FBK_CLI_USAGE */
function toolsOf (text: string | undefined): Record<string, string[]> | undefined {
  const words = wordsOf(text)
  if (words === undefined) return undefined
  const tools = new Map<string, string[]>()
  for (const word of words) {
    const [, model, method] = /^([^.]+)\.(.+)$/.exec(word) ?? []
    if (model === undefined || method === undefined) {
      throw new UsageError(`"--tools" has methods with their models, as in "Note.find,Note.create"; not "${word}".`)
    }
    tools.set(model, [...tools.get(model) ?? [], method])
  }
  return Object.fromEntries(tools)
}
