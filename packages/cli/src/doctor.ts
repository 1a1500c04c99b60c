/** `fastback doctor`: what of an application, its settings and its databases needs a look. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { readConfiguration } from '@fastback/boot'
import { UnknownDataSourceError } from './errors.js'
import { withApplication } from './load-application.js'
import { failureLine } from './failure.js'

export interface Check {
  /** `Node.js`, `data source db`, `tables of db`, `rules` … */
  readonly name: string
  readonly ok: boolean
  /** What was seen, each on a line. */
  readonly seen: readonly string[]
  /** What to do; undefined of what is well. */
  readonly fix?: string | undefined
}

export interface DoctorReport {
  readonly env: string
  readonly checks: readonly Check[]
}

export interface DoctorOptions {
  /** Default: NODE_ENV, else `development`. */
  readonly env?: string | undefined
}

/** Oldest Node.js that everything runs on. */
const oldestNode = [20, 12] as const

/**
 * Looks at versions, settings, data sources, tables and rules, one after the other; what fails is a finding and ends
 * nothing. No row and no table is changed.
 *
 * ```js
 * const { checks } = await examine('my-app')
 * console.log(checks.filter(({ ok }) => !ok))
 * ```
 * @param given a folder, or a module that exports an application
 */
export async function examine (given: string, { env }: DoctorOptions = {}): Promise<DoctorReport> {
  const source = path.resolve(given)
  const isFolder = statSync(source, { throwIfNoEntry: false })?.isFile() !== true
  const named = env ?? (process.env.NODE_ENV === undefined || process.env.NODE_ENV === '' ? 'development' : process.env.NODE_ENV)
  const checks: Check[] = [nodeVersion(), versions(isFolder ? source : path.dirname(source))]
  if (isFolder) {
    checks.push(await attempt('settings', 'Mend the file that the line names.', async () => {
      const { warnings, dataSources, settings } = await readConfiguration(source, { env })
      const seen = [`environment ${named}, ${dataSources.length} data sources, port ${String(settings.port ?? 3000)}`]
      return warnings.length === 0 ? { seen } : { seen: warnings, fix: 'Set what is missing, in the environment, --env-file or config.json.' }
    }))
  }
  let names: readonly string[] = []
  checks.push(await attempt('start', 'Mend it; nothing else can be looked at before.', async () =>
    await withApplication(source, { env }, ({ registry }) => {
      names = Object.keys(registry.dataSources)
      return { seen: [`${Object.keys(registry.models).length} models`] }
    })))
  if (checks.at(-1)?.ok !== true) return { env: named, checks }
  for (const name of names) {
    const reached = await testDataSource(source, name, { env })
    checks.push(reached)
    if (!reached.ok) continue
    const queries = await handedDown(source, name, env)
    if (queries !== undefined) checks.push(queries)
    checks.push(await tables(source, name, env))
  }
  checks.push(await rules(source, env))
  return { env: named, checks }
}

/**
 * Whether a data source answers.
 *
 * ```js
 * const { ok, seen } = await testDataSource('my-app', 'db')
 * ```
 * @throws FBK_CLI_UNKNOWN_DATA_SOURCE; that it does not answer is a finding
 */
export async function testDataSource (source: string, name: string, options: DoctorOptions = {}): Promise<Check> {
  const fix = 'Is the store running? Are host, port, user, password and database in datasources.json right?'
  return await attempt(`data source ${name}`, fix, async () => await withApplication(source, { ...options, stores: [name] }, async ({ stores }) => {
    const began = performance.now()
    await stores.get(name)?.ping()
    return { seen: [`answers after ${Math.round(performance.now() - began)} ms`] }
  }))
}

/** What of queries a connector made for LoopBack does itself; undefined of our own, which do all of it. */
async function handedDown (source: string, name: string, env: string | undefined): Promise<Check | undefined> {
  const check = await attempt(`queries of ${name}`, 'Look at the line above.', async () =>
    await withApplication(source, { env, stores: [name] }, async ({ stores }) => {
      const store = stores.get(name)
      // What a connector can is known once it is there.
      await store?.ping()
      return { seen: (store?.connector as { handedDown?: () => string[] } | undefined)?.handedDown?.() ?? [] }
    }))
  return check.seen.length === 0 ? undefined : check
}

async function tables (source: string, name: string, env: string | undefined): Promise<Check> {
  return await attempt(`tables of ${name}`, 'Look at "fastback migrate --dry-run".', async () => {
    const { migrate, planLines } = await import('./migrate/index.js')
    const [result] = await migrate(source, { env, dataSources: [name], dryRun: true })
    const left = planLines({ changes: [], differences: result?.differences ?? [] }).map(line => line.trim())
    if (result?.upToDate === false && left.length === 0 && await isMadeAtStart(source, name, env)) {
      return { seen: ['What they lack is made at the start ("migrate": "update").'] }
    }
    if (result?.upToDate === false) return { seen: ['They are not what the models say.', ...left], fix: 'fastback migrate' }
    if (left.length > 0) return { seen: left, fix: 'Change the table or the model: "fastback migrate" leaves these as they are.' }
    return { seen: [`${result?.models.length ?? 0} models`] }
  })
}

const isMadeAtStart = async (source: string, name: string, env: string | undefined): Promise<boolean> =>
  await withApplication(source, { env, stores: [name] }, ({ makesTables }) => makesTables(name))

async function rules (source: string, env: string | undefined): Promise<Check> {
  return await attempt('rules', 'Look at "fastback audit".', async () => {
    const { audit } = await import('./audit.js')
    const { findings } = await audit(source, { severity: 'medium', ...(env === undefined ? {} : { env }) })
    const seen = findings.map(({ severity, code, file, what }) => `${severity} ${code} ${file}: ${what}`)
    return findings.length === 0 ? { seen: ['nothing found'] } : { seen, fix: 'fastback audit says why, and which line closes each.' }
  })
}

function nodeVersion (): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const ok = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return { name: 'Node.js', ok, seen: [process.version], fix: ok ? undefined : `Install Node.js ${oldestNode.join('.')} or later.` }
}

/** Two versions side by side have two registries: models of one are not those of the other. */
function versions (dir: string): Check {
  const require = createRequire(path.join(dir, 'package.json'))
  const own = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version
  const installed = dependenciesOf(dir).flatMap(name => {
    const file = (require.resolve.paths(name) ?? []).map(folder => path.join(folder, name, 'package.json')).find(existsSync)
    return file === undefined ? [] : [{ name, version: String((JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version) }]
  })
  const seen = [`@fastback/cli ${own} (this command)`, ...installed.map(({ name, version }) => `${name} ${version}`)]
  const ok = installed.every(({ version }) => version === own)
  return { name: 'versions', ok, seen, fix: ok ? undefined : `Install the same version of all: npm install ${installed.map(({ name }) => `${name}@${own}`).join(' ')}` }
}

function dependenciesOf (dir: string): string[] {
  try {
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8')) as { dependencies?: object }
    return Object.keys(dependencies).filter(name => name.startsWith('@fastback/'))
  } catch {
    // Folders need no package.json.
    return []
  }
}

type Seen = Pick<Check, 'seen' | 'fix'>

async function attempt (name: string, fix: string, look: () => Promise<Seen>): Promise<Check> {
  try {
    const result = await look()
    return { name, ok: result.fix === undefined, ...result }
  } catch (error) {
    if (error instanceof UnknownDataSourceError) throw error
    return { name, ok: false, seen: [failureLine(error, { stack: false }).replace(/^error /, '')], fix }
  }
}
