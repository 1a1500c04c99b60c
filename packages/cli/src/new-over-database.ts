/** `fastback new --database URL`: an application over a database that is there already. */
import path from 'node:path'
import { ChangeSet, writeFiles } from './changes/index.js'
import { checkFolder, holdsSource } from './check-folder.js'
import { discover, type Discovery, type TableOptions } from './discover.js'
import { DatabaseUrlError } from './errors.js'
import { installDependencies } from './install.js'
import { inNewFolder } from './new-folder.js'
import { newApplication, targetFolder, type NewApplication, type NewApplicationOptions } from './new-application.js'

export interface NewOverDatabaseOptions extends NewApplicationOptions, TableOptions {
  /** `postgres://…`, `mysql://…`, `sqlite:FILE`. */
  readonly database: string
  /** Whether everybody may do everything. Default: false, a rule denies all until others allow. */
  readonly open?: boolean | undefined
}

export interface NewOverDatabase extends NewApplication, Pick<Discovery, 'dataSource' | 'models' | 'leftOut'> {}

/** The data source of the tables. The template's own `db` keeps the users: nothing is written into the database. */
const dataSource = 'database'
const variable = 'DATABASE_URL'

const nothingLeft = 'Without its driver the database cannot be asked for its tables, so nothing was made.'

/** What the application needs to reach a server. */
const drivers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  postgres: { pg: '^8.0.0' }, postgresql: { pg: '^8.0.0' }, mysql: { mysql2: '^3.0.0' }, mariadb: { mysql2: '^3.0.0' }, sqlite: {}
}

/**
 * Makes an application whose models are the tables of a database. The address stands in `.env`, which version control
 * leaves out, and nowhere else.
 *
 * ```js
 * const { folder, models } = await newOverDatabase({ name: 'shop', database: 'postgres://localhost/shop' })
 * ```
 * @throws as `newApplication` and `discover`; FBK_CLI_DATABASE_URL. Nothing of it is left then
 */
export async function newOverDatabase (options: NewOverDatabaseOptions): Promise<NewOverDatabase> {
  const {
    database, open, tables, views, schema, keepPlural, bigints, decimals, json, ids, compositeIds, ...rest
  } = options
  const url = addressOf(database, rest.cwd ?? process.cwd())
  const { folder } = targetFolder(rest)
  const make = async (): Promise<NewOverDatabase> => {
    const made = await newApplication({ ...rest, install: false })
    if (!made.written) return { ...made, dataSource, models: [], leftOut: [] }
    const setUp = new ChangeSet(folder)
    setUp.setJson('server/datasources.json', [dataSource], { connector: 'sql', url: `\${${variable}}`, migrate: 'none' })
    // Its keys would be a table in the database.
    setUp.setJson('server/config.json', ['remoting', 'rest', 'idempotency'], false)
    for (const [name, range] of Object.entries(drivers[schemeOf(url)] ?? {})) {
      setUp.setJson('package.json', ['dependencies', name], range)
    }
    setUp.setJson('package.json', ['scripts', 'start'], 'fastback serve --env-file .env')
    setUp.write('.env', `${variable}=${url}\n`)
    setUp.write('.env.example', `${variable}=${url.replace(/\/\/[^@/]*@/, '//USER:PASSWORD@')}\n`)
    for (const file of made.files.filter(name => name.startsWith('test/'))) {
      // Tests have all data in memory, and do not need the database.
      setUp.write(file, (setUp.read(file) ?? '').replace(testStores, `$1, ${dataSource}: { connector: 'memory' } }`))
    }
    writeFiles(folder, setUp.changes)
    if (options.install === true) await installDependencies(folder, nothingLeft)
    const { models, leftOut } = await withVariable(url, async () => {
      const found = await discover(folder, {
        dataSource, open, tables, views, schema, keepPlural, bigints, decimals, json, ids, compositeIds
      })
      writeFiles(folder, found.changes.changes)
      // Names of others in source are not run before somebody saw them (S-94).
      if (!holdsSource(found.changes)) await checkFolder(folder)
      return found
    })
    const files = [...made.files, ...setUp.changes.map(({ file }) => file), ...models.map(({ file }) => file)]
    const all = [...new Set(files)].sort()
    const installed = options.install === true
    const nextSteps = installed ? made.nextSteps.filter(step => step !== 'npm install') : made.nextSteps
    return { ...made, dataSource, installed, nextSteps, files: all, models, leftOut }
  }
  return rest.dryRun === true ? await make() : await inNewFolder(folder, make)
}

/** What the test of the template says of its data sources. */
const testStores = /(dataSources: \{ db: \{ connector: 'memory' \}) \}/

const schemeOf = (url: string): string => /^([a-z]+):/i.exec(url)?.[1]?.toLowerCase() ?? ''

/** @throws FBK_CLI_DATABASE_URL */
function addressOf (given: string, cwd: string): string {
  const scheme = schemeOf(given)
  if (!Object.hasOwn(drivers, scheme)) throw new DatabaseUrlError(Object.keys(drivers).join(':, '))
  // The file of SQLite is where one stands, and not where the application will.
  return scheme === 'sqlite' ? `sqlite:${path.resolve(cwd, given.slice('sqlite:'.length))}` : given
}

async function withVariable<T> (url: string, run: () => Promise<T>): Promise<T> {
  const before = process.env[variable]
  process.env[variable] = url
  try {
    return await run()
  } finally {
    if (before === undefined) delete process.env[variable]
    else process.env[variable] = before
  }
}
