/** `fastback add datasource` (generators.md, section 7). No password stands in what is written (GE-D3). */
import { UsageError } from '../errors.js'
import { withApplication } from '../load-application.js'
import { checkName, faultOfName } from '../model-files/index.js'
import type { Generator } from './generator.js'
import { openProject, setNew, valueAt, type Addition, type Project, type Replacing } from './project.js'
import { itemsOf, textOf, type QuestionValues, type QuestionContext, type Question } from './questions.js'

interface Connector {
  readonly name: string
  readonly hint: string
  /** Names of the settings that are asked for. */
  readonly settings: readonly string[]
  /** Packages that the application needs beside. */
  readonly packages?: Readonly<Record<string, string>>
}

const server = ['url', 'host', 'port', 'database', 'user', 'password']

const connectors: readonly Connector[] = [
  { name: 'memory', hint: 'in memory, or a file of JSON', settings: ['file'] },
  { name: 'sqlite3', hint: 'SQLite, one file', settings: ['file'] },
  { name: 'postgresql', hint: 'PostgreSQL', settings: server, packages: { pg: '^8.0.0' } },
  { name: 'mysql', hint: 'MySQL and MariaDB', settings: server, packages: { mysql2: '^3.0.0' } },
  { name: 'mongodb', hint: 'MongoDB', settings: server },
  { name: 'kv-redis', hint: 'Redis, values by keys', settings: ['url', 'host', 'port', 'password'] },
  { name: 'storage', hint: 'files in a folder', settings: ['root'] },
  { name: 'transient', hint: 'keeps nothing', settings: [] }
]

/** Those that LoopBack writes first. */
const order = ['host', 'port', 'url', 'database', 'password', 'name', 'user']

/** A data source as it is asked for. */
export interface NewDataSource extends Replacing {
  readonly name: string
  /** A connector of Fastback, or the module of another. Default: `memory`. */
  readonly connector?: string | undefined
  /** As the connector has them. An address with a password is written as the variable `NAME_URL`. */
  readonly settings?: Readonly<Record<string, string | number>> | undefined
  /** Settings that are secret: each is written as `${NAME_SETTING}`, a variable of the environment. Default: none. */
  readonly secrets?: readonly string[] | undefined
  /** Connects once, before it is settled. Default: false. */
  readonly test?: boolean | undefined
}

/**
 * Plans a data source. `.env.example` names the variables that the server needs.
 *
 * ```js
 * const { changes } = await addDataSource('my-app', {
 *   name: 'shop', connector: 'postgresql', settings: { host: 'localhost', database: 'shop' }, secrets: ['password']
 * })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_EXISTS; FBK_CLI_USAGE for a name that cannot be one, and a secret in the settings
 */
export async function addDataSource (dir: string, options: NewDataSource): Promise<Addition> {
  const project = openProject(dir)
  const { changes, layout } = project
  const { name, connector = 'memory', settings = {}, secrets = [], test, force } = options
  checkName('data source', name)
  const variables = new Map<string, string>()
  const written: Record<string, unknown> = { name }
  for (const [key, value] of Object.entries(settings)) {
    if (secrets.includes(key)) throw new UsageError(`"${key}" is secret: its value is not written. Leave it out of the settings.`)
    if (typeof value !== 'string' || !hasPassword(value)) written[key] = value
    else written[key] = variableFor(variables, name, key, value.replace(/\/\/[^@/]*@/, '//USER:PASSWORD@'))
  }
  for (const key of secrets) written[key] = variableFor(variables, name, key, '')
  const first = order.filter(key => written[key] !== undefined)
  const keys = [...first, ...Object.keys(written).filter(key => !order.includes(key))]
  const entry = { ...Object.fromEntries(keys.map(key => [key, written[key]])), connector }
  setNew(changes, layout.dataSources, [name], entry, `The data source "${name}"`, { force })
  const packages = packagesFor(project, connector)
  for (const [each, range] of Object.entries(packages)) addDependency(project, each, range)
  addVariables(project, variables)
  const known = connectors.some(each => each.name === connector)
  return {
    changes,
    warnings: known || project.dataSources[name] !== undefined
      ? []
      : [`"${connector}" is not one of Fastback's connectors: install its package, and add its settings to ${layout.dataSources}.`],
    next: [
      ...(Object.keys(packages).length === 0 ? [] : ['npm install']),
      ...[...variables.keys()].map(variable => `set ${variable} where the server runs (.env.example has it)`),
      `fastback add model --data-source ${name}`
    ],
    ...(test === true ? { check: async () => { await connectOnce(project, name) } } : {})
  }
}

const hasPassword = (text: string): boolean => /^[a-z][\w+.-]*:\/\/[^/@:]*:[^/@]*@/i.test(text)

/** Names a variable for a setting, and remembers what `.env.example` says of it. */
function variableFor (variables: Map<string, string>, dataSource: string, key: string, example: string): string {
  const variable = `${dataSource}_${key}`.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/\W/g, '_').toUpperCase().replace(/^\d/, '_$&')
  variables.set(variable, example)
  return `\${${variable}}`
}

function packagesFor ({ changes, layout }: Project, connector: string): Record<string, string> {
  const wanted = connectors.find(({ name }) => name === connector)?.packages ?? {}
  const there = (valueAt(changes.readJson(layout.manifest), ['dependencies']) ?? {}) as Record<string, unknown>
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => there[name] === undefined))
}

/** Sorted, as npm has them. */
function addDependency ({ changes, layout }: Project, name: string, range: string): void {
  const manifest = changes.readJson(layout.manifest) as { dependencies?: Record<string, string> } | undefined
  if (manifest === undefined) return
  const all = { ...manifest.dependencies, [name]: range }
  changes.setJson(layout.manifest, ['dependencies'], Object.fromEntries(Object.entries(all).sort(([a], [b]) => a < b ? -1 : 1)))
}

function addVariables ({ changes }: Project, variables: ReadonlyMap<string, string>): void {
  const text = changes.read('.env.example') ?? ''
  const missing = [...variables].filter(([name]) => !new RegExp(`^${name}=`, 'm').test(text))
  if (missing.length === 0) return
  const begin = text === '' || text.endsWith('\n') ? text : `${text}\n`
  changes.write('.env.example', begin + missing.map(([name, example]) => `${name}=${example}\n`).join(''))
}

async function connectOnce ({ folder }: Project, name: string): Promise<void> {
  await withApplication(folder, { stores: [name] }, async ({ stores }) => { await stores.get(name)?.ping() })
}

const connectorOf = ({ answers }: QuestionContext): Connector | undefined => connectors.find(({ name }) => name === (answers.connector ?? 'memory'))

const ask = (name: string, message: string): Question => ({
  kind: 'text',
  name,
  message: `${message} Empty: none.`,
  when: asked => asked.given[name] !== undefined || connectorOf(asked)?.settings.includes(name) === true,
  default: () => '',
  ...(name === 'port' ? { fault: (text: string) => /^\d{1,5}$/.test(text) && Number(text) < 65_536 ? undefined : 'a port is a number from 0 to 65535.' } : {})
})

const plain = ['url', 'host', 'port', 'database', 'user', 'file', 'root']

export const datasourceGenerator: Generator = {
  command: 'add datasource',
  description: 'Add a data source to datasources.json',
  questions: [
    { kind: 'text', name: 'name', message: 'Name of the data source?', positional: true, fault: faultOfName },
    {
      kind: 'choice',
      name: 'connector',
      message: 'Which connector?',
      choices: () => connectors.map(({ name: value, hint }) => ({ value, hint })),
      default: () => 'memory',
      other: 'Module of the connector?'
    },
    ask('url', 'Address? One with a password is kept in the environment.'),
    ask('host', 'Host?'),
    ask('port', 'Port?'),
    ask('database', 'Name of the database?'),
    ask('user', 'User?'),
    {
      kind: 'confirm',
      name: 'password',
      message: 'Has the user a password? It is kept in the environment.',
      when: asked => asked.given.password !== undefined || connectorOf(asked)?.settings.includes('password') === true,
      default: () => false
    },
    ask('file', 'File?'),
    ask('root', 'Folder of the files?'),
    {
      kind: 'list',
      name: 'setting',
      message: 'A further setting.',
      item: [
        { kind: 'text', name: 'name', message: 'Its name?', fault: faultOfName },
        { kind: 'text', name: 'value', message: 'Its value? A number stays one.', default: () => '' }
      ],
      read: text => {
        const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
        if (name === undefined || value === undefined) throw new UsageError(`"--setting ${text}" must be written as NAME=VALUE.`)
        return { name, value }
      }
    },
    { kind: 'confirm', name: 'test', message: 'Connect once, with the variables that are set.', flagOnly: true, default: () => false }
  ],
  plan: async (dir, answers, { force }) => await addDataSource(dir, {
    name: textOf(answers.name) ?? '',
    connector: textOf(answers.connector),
    settings: settingsFrom(answers),
    secrets: answers.password === true ? ['password'] : [],
    test: answers.test === true,
    force
  })
}

function settingsFrom (answers: QuestionValues): Record<string, string | number> {
  const named = plain.flatMap(name => {
    const value = textOf(answers[name])
    return value === undefined ? [] : [[name, name === 'port' ? Number(value) : value] as const]
  })
  const others = itemsOf(answers.setting).map(({ name, value }) => {
    const text = textOf(value) ?? ''
    return [String(name), text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text] as const
  })
  return Object.fromEntries([...named, ...others])
}
