/**
 * From the arguments of the process to a command, and from its outcome to an exit code: 0 done, 1 failed, 2 called
 * wrongly, 3 findings, 130 cancelled.
 */
import { readFileSync } from 'node:fs'
import {
  defineCommand,
  parseArgs,
  renderUsage,
  runCommand,
  type ArgsDef,
  type CommandDef,
  type SubCommandsDef
} from 'citty'
import { setVariables } from './common-options.js'
import { UsageError } from './errors.js'
import { exampleOf, whyAbsent } from './examples.js'
import { exitCodeOf, failureText } from './failure.js'
import { processTerminal, type Terminal } from './terminal.js'

/** Each command is loaded when it is called for: `serve` must not wait for what only `new` needs. */
const commands = {
  new: async () => (await import('./commands/new.js')).newCommand,
  serve: async () => (await import('./commands/serve.js')).serveCommand,
  build: async () => (await import('./commands/build.js')).buildCommand,
  routes: async () => (await import('./commands/routes.js')).routesCommand,
  openapi: async () => (await import('./commands/openapi.js')).openapiCommand,
  types: async () => (await import('./commands/types.js')).typesCommand,
  client: async () => (await import('./commands/client.js')).clientCommand,
  migrate: async () => (await import('./commands/migrate.js')).migrateCommand,
  acl: async () => (await import('./commands/acl.js')).aclCommand,
  audit: async () => (await import('./commands/audit.js')).auditCommand,
  discover: async () => (await import('./commands/discover.js')).discoverCommand,
  introspect: async () => (await import('./commands/introspect.js')).introspectCommand,
  upgrade: async () => (await import('./commands/upgrade.js')).upgradeCommand,
  modernize: async () => (await import('./commands/modernize.js')).modernizeCommand,
  'export-api': async () => (await import('./commands/openapi.js')).exportApiCommand,
  'import-api': async () => (await import('./commands/import-api.js')).importApiCommand,
  add: async () => (await import('./commands/add.js')).addCommand,
  undo: async () => (await import('./commands/undo.js')).undoCommand,
  record: async () => (await import('./commands/record.js')).recordCommand,
  compare: async () => (await import('./commands/compare.js')).compareCommand,
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  datasource: async () => (await import('./commands/datasource.js')).datasourceCommand,
  push: async () => (await import('./commands/push.js')).pushCommand,
  oauth2: async () => (await import('./commands/oauth2.js')).oauth2Command,
  query: async () => (await import('./commands/query.js')).queryCommand,
  mcp: async () => (await import('./commands/mcp.js')).mcpCommand,
  rekey: async () => (await import('./commands/rekey.js')).rekeyCommand,
  seed: async () => (await import('./commands/seed.js')).seedCommand,
  console: async () => (await import('./commands/console.js')).consoleCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand(optionsOfAll)
} satisfies SubCommandsDef

/** Commands that read the file of `--env-file` anew for each process that they start. */
const readItself: ReadonlySet<string> = new Set(['serve'])

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version

const root = defineCommand({
  meta: { name: 'fastback', description: 'Serves and makes Fastback applications', version: version() },
  subCommands: commands
})

/**
 * Runs one command.
 *
 * ```js
 * process.exitCode = await main(['routes', 'my-app', '--json'])
 * ```
 * @param argv the arguments after the name of the program
 * @returns the exit code; a server that was started goes on running
 */
export async function main (argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const [name, ...rest] = argv
  try {
    if (name === 'help' && rest.length > 0) return await main([...rest, '--help'], terminal)
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      const usage = await renderUsage(root)
      if (name === undefined) terminal.complain(usage)
      else terminal.print(usage)
      return name === undefined ? 2 : 0
    }
    if (name === '--version' || name === '-v') {
      terminal.print(version())
      return 0
    }
    const { command, called, words } = await innermost(await commandNamed(name), name, rest)
    if (asksForHelp(words)) {
      terminal.print(`${await renderUsage(command, root)}\nEXAMPLE\n\n  ${exampleOf(called) ?? ''}\n`)
      return 0
    }
    const { 'env-file': envFile } = await checkArguments(called, words, command.args as ArgsDef)
    if (!readItself.has(called)) setVariables(envFile as string | undefined, terminal)
    await runCommand(command, { rawArgs: [...words], data: terminal })
    return 0
  } catch (error) {
    terminal.complain(failureText(error, { stack: rest.includes('--debug') || (terminal.env.DEBUG ?? '') !== '' }))
    return exitCodeOf(error)
  }
}

async function optionsOfAll (): Promise<Record<string, ArgsDef>> {
  const names = Object.keys(commands)
  const entries = names.map(async name => [name, ((await commandNamed(name)).args ?? {}) as ArgsDef] as const)
  return Object.fromEntries(await Promise.all(entries))
}

async function commandNamed (name: string): Promise<CommandDef<ArgsDef>> {
  if (!Object.hasOwn(commands, name)) {
    const reason = whyAbsent(name)
    if (reason !== undefined) throw new UsageError(reason)
    throw new UsageError(`There is no command "${name}".${await didYouMean(name, Object.keys(commands))} There are: ${Object.keys(commands).join(', ')}.`)
  }
  return await commands[name as keyof typeof commands]() as CommandDef<ArgsDef>
}

/** The command that is meant: one within another is called by two words, `add model`. */
async function innermost (
  command: CommandDef<ArgsDef>, called: string, words: readonly string[]
): Promise<{ command: CommandDef<ArgsDef>, called: string, words: readonly string[] }> {
  const inner = command.subCommands as Readonly<Record<string, () => Promise<CommandDef<ArgsDef>>>> | undefined
  const [name, ...rest] = words
  if (inner === undefined || name === '--help' || name === '-h') return { command, called, words }
  if (name === undefined || !Object.hasOwn(inner, name)) {
    throw new UsageError(`"${called}" is followed by one of: ${Object.keys(inner).join(', ')}${name === undefined ? '' : `; not by "${name}"`}.`)
  }
  return { command: await (inner[name] as () => Promise<CommandDef<ArgsDef>>)(), called: `${called} ${name}`, words: rest }
}

const didYouMean = async (name: string, names: readonly string[]): Promise<string> =>
  (await import('@fastback/core/remote')).nearest(name, names)

const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).some(arg => arg === '--help' || arg === '-h')
}

/**
 * citty lets unknown options and further words pass: a misspelt option would do nothing, silently.
 * @returns the options by name
 */
async function checkArguments (
  command: string, args: readonly string[], definitions: ArgsDef
): Promise<Readonly<Record<string, unknown>>> {
  const see = ` See "fastback ${command} --help".`
  const optional = Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, { ...definition, required: false }])
  ) as ArgsDef
  const { _: words, ...options } = parseArgs([...args], optional) as unknown as {
    _: string[]
    [option: string]: unknown
  }
  const known = new Set(
    Object.entries(definitions).flatMap(([name, definition]) =>
      'alias' in definition ? [name, ...[definition.alias ?? []].flat()] : [name]
    )
  )
  const positional = Object.entries(definitions).filter(([, { type }]) => type === 'positional').map(([name]) => name)
  for (const [name, value] of Object.entries(options)) {
    if (positional.includes(name)) continue
    const definition = definitions[name]
    if (!known.has(camelToKebab(name))) {
      const meant = name.length === 1 ? '' : await didYouMean(`--${name}`, [...known].map(option => `--${option}`))
      throw new UsageError(`There is no option "${name.length === 1 ? '-' : '--'}${name}".${meant}${see}`)
    }
    if ((definition?.type === 'string' || definition?.type === 'enum') && value === '') {
      throw new UsageError(`The option "--${name}" needs a value.${see}`)
    }
  }
  if (words.length > positional.length) {
    throw new UsageError(`"${String(words[positional.length])}" is one word too many.${see}`)
  }
  return options
}

const camelToKebab = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
