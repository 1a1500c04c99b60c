/**
 * `fastback add user-model`: own models of users and tokens, wired to each other (service.md, "Access control setup",
 * 1 to 4).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { UnknownDataSourceError, UsageError } from '../errors.js'
import {
  checkName, definitionFile, definitionModuleOf, definitionText, faultOfName, formFor, type DefinitionForm
} from '../model-files/index.js'
import { denied, userModels } from './access.js'
import type { Generator } from './generator.js'
import { planNewModel, typescriptQuestion } from './model.js'
import { basesOf, openProject, schemaFor, setNew, valueAt, type Addition, type Project, type Replacing } from './project.js'
import { textOf } from './questions.js'
import { planScript } from './scripts.js'

/** A model of users as it is asked for. */
export interface NewUserModel extends Replacing {
  readonly name: string
  /** Default: that of the built-in `User` or of other user models, else `db`. */
  readonly dataSource?: string | undefined
  /** An own model of tokens. Default: the folder's, else the built-in `AccessToken`; with several users `UserToken`. */
  readonly tokenModel?: string | undefined
  /**
   * Beside the user models that are there. Default: whether the folder has own ones; without any, the new model takes
   * the place of the built-in `User`.
   */
  readonly several?: boolean | undefined
  /** Modules with TypeBox in place of JSON. Default: whether the folder has a `tsconfig.json`. */
  readonly typescript?: boolean | undefined
}

/**
 * Plans a user model with its tokens: relations both ways, the entries in `model-config.json`, with several user models
 * relations by `principalType` and the token middleware, and the boot script that switches access control on.
 *
 * ```js
 * const { changes } = await addUserModel('my-app', { name: 'Customer' })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_UNKNOWN_DATA_SOURCE, FBK_CLI_EXISTS; FBK_CLI_USAGE for names that cannot be one
 */
export async function addUserModel (dir: string, options: NewUserModel): Promise<Addition> {
  const project = openProject(dir)
  const { name, force } = options
  checkName('model', name)
  const others = userModels(project).filter(each => each !== name)
  const several = options.several ?? others.some(each => each !== 'User')
  const dataSource = options.dataSource ?? usualSource(project, others)
  if (project.dataSources[dataSource] === undefined) {
    throw new UnknownDataSourceError(dataSource, Object.keys(project.dataSources).join(', ') || 'none')
  }
  const tokens = options.tokenModel ?? ownTokens(project) ?? (several ? 'UserToken' : 'AccessToken')
  checkName('model', tokens)
  if (several && tokens === 'AccessToken') throw new UsageError('Several user models need a token model of their own: name it with "--token-model".')
  const users = { name, dataSource, tokens, others, form: formFor(project.changes, project.layout, options.typescript) }
  const warnings = several ? planSeveral(project, users, { force }) : planOnly(project, users, { force })
  planAccessControl(project)
  return { changes: project.changes, warnings, next: ['fastback audit', 'fastback serve'] }
}

interface Users {
  readonly name: string
  readonly dataSource: string
  readonly tokens: string
  readonly others: readonly string[]
  readonly form: DefinitionForm
}

const polymorphic = { foreignKey: 'userId', discriminator: 'principalType' }

const usualSource = ({ config, dataSources }: Project, others: readonly string[]): string =>
  others.map(each => config[each]?.dataSource).find(each => typeof each === 'string') ??
    (dataSources.db === undefined ? Object.keys(dataSources)[0] ?? 'db' : 'db')

/** The folder's own model of tokens. */
const ownTokens = (project: Project): string | undefined =>
  [...basesOf(project)].find(([, base]) => base === 'AccessToken')?.[0]

/** One user model: it takes the place of the built-in `User`. */
function planOnly (project: Project, users: Users, replacing: Replacing): string[] {
  const { name, dataSource, tokens, others } = users
  const own = others.filter(each => each !== 'User')
  if (own.length > 0) throw new UsageError(`The folder has the user model ${own.join(', ')}. Keep it beside with "--several".`)
  const { changes, layout, config } = project
  const isOwn = tokens !== 'AccessToken'
  planUser(project, users, isOwn
    ? { accessTokens: { type: 'hasMany', model: tokens, foreignKey: 'userId', options: { disableInclude: true } } }
    : {}, replacing)
  const user = { type: 'belongsTo', model: name, foreignKey: 'userId' }
  if (isOwn) planTokens(project, users, user, replacing)
  else if (config.AccessToken === undefined) changes.setJson(layout.modelConfig, ['AccessToken'], { ...tokenEntry(dataSource), relations: { user } })
  else changes.setJson(layout.modelConfig, ['AccessToken', 'relations', 'user'], user)
  changes.setJson(layout.modelConfig, ['User'], undefined)
  return relatedTo(project, 'User').map(each => `${each} leads to "User": let it lead to "${name}".`)
}

/** Several: tokens and users find each other by the model's name and the id. */
function planSeveral (project: Project, users: Users, replacing: Replacing): string[] {
  const { name, dataSource, tokens, others } = users
  const { changes, layout, models, config } = project
  const accessTokens = { type: 'hasMany', model: tokens, polymorphic, options: { disableInclude: true } }
  planUser(project, users, { accessTokens }, replacing)
  for (const other of others) {
    const file = models.get(other)
    if (file === undefined) changes.setJson(layout.modelConfig, [other, 'relations', 'accessTokens'], accessTokens)
    else changes.setJson(file, ['relations', 'accessTokens'], accessTokens)
  }
  planTokens(project, users, {
    type: 'belongsTo', idName: 'id', polymorphic: { idType: idTypeOf(project, dataSource), ...polymorphic }
  }, replacing)
  if (config.AccessToken !== undefined) changes.setJson(layout.modelConfig, ['AccessToken'], undefined)
  planTokenMiddleware(project, tokens)
  return others.length === 0
    ? [`"${name}" is the only user model so far.`]
    : [`Tokens that were made before name no user model: "untypedTokens" says whose they are. Roles name "${name}" as principalType in place of USER.`]
}

function planUser (
  project: Project, { name, dataSource, form }: Users, relations: object, replacing: Replacing
): void {
  const { changes, layout, config } = project
  const file = definitionFile(layout, { definition: { name } })
  const options = valueAt(changes.readJson(layout.modelConfig), ['User', 'options'])
  const isThere = project.models.has(name) && config[name] !== undefined
  planNewModel(project, {
    definition: {
      $schema: schemaFor(project, file, 'model'),
      name,
      base: 'User',
      idInjection: true,
      options: { validateUpsert: true, ...(isThere ? valueAt(changes.readJson(file), ['options']) as object : options as object | undefined) },
      properties: {},
      relations,
      acls: []
    },
    dataSource,
    isPublic: true,
    form
  }, replacing)
}

const tokenEntry = (dataSource: string): object => ({ dataSource, public: false, acls: [denied] })

function planTokens (
  project: Project, { tokens: name, dataSource, form }: Users, user: object, replacing: Replacing
): void {
  const { changes, models, layout } = project
  const there = models.get(name)
  if (there !== undefined) {
    changes.setJson(there, ['relations', 'user'], user)
    return
  }
  const file = definitionFile(layout, { definition: { name } })
  const model = {
    definition: {
      $schema: schemaFor(project, file, 'model'),
      name,
      base: 'AccessToken',
      idInjection: false,
      options: { validateUpsert: true },
      properties: {},
      relations: { user },
      acls: [denied]
    },
    dataSource,
    isPublic: false,
    form
  }
  const inCode = definitionModuleOf(changes, layout, name)
  if (inCode === undefined || changes.read(inCode) === definitionText(model)) planNewModel(project, model, replacing)
  // What somebody wrote in code stays: the entry of the model says whose its rows are.
  else changes.setJson(layout.modelConfig, [name, 'relations', 'user'], user)
}

/** As the store has ids. */
const idTypeOf = ({ dataSources }: Project, name: string): string =>
  /mongo|cloudant|couch/i.test(dataSources[name]?.connector ?? '') ? 'string' : 'number'

function planTokenMiddleware ({ changes, layout: { middleware: file } }: Project, model: string): void {
  const there = (changes.readJson(file) ?? {}) as Readonly<Record<string, object>>
  if (there.auth === undefined) {
    const next = ['auth:after', 'parse:before', 'parse', 'routes:before', 'routes', 'files', 'final'].find(each => there[each] !== undefined)
    changes.insertJson(file, 'auth', {}, next)
  }
  changes.setJson(file, ['auth', 'loopback#token'], { params: { model } })
}

/** A boot script that switches access control on, where there is none. */
function planAccessControl (project: Project): void {
  const folder = path.join(project.folder, project.layout.bootScripts)
  const scripts = existsSync(folder) ? readdirSync(folder).filter(each => /\.[mc]?[jt]s$/.test(each)) : []
  const isOn = scripts.some(each => readFileSync(path.join(folder, each), 'utf8').includes('enableAuth')) ||
    ['server.js', 'server.ts'].some(each => project.changes.read(path.posix.join(project.layout.server, each))?.includes('enableAuth') === true)
  if (isOn) return
  planScript(project, `${project.layout.bootScripts}/authentication`, {
    about: 'Access control: from here on the "acls" of the models decide who may call what.',
    name: 'authentication',
    parameters: 'app',
    body: ['app.enableAuth()']
  }, {})
  for (const model of ['ACL', 'Role', 'RoleMapping']) {
    if (project.config[model] !== undefined) continue
    const [dataSource = 'db'] = Object.keys(project.dataSources)
    setNew(project.changes, project.layout.modelConfig, [model], tokenEntry(dataSource), `The entry "${model}"`, {})
  }
}

/** Relations that lead to a model, as `Order.owner`. */
const relatedTo = ({ changes, models }: Project, target: string): string[] => [...models].flatMap(([name, file]) => {
  const relations = (valueAt(changes.readJson(file), ['relations']) ?? {}) as Record<string, { model?: unknown }>
  return Object.entries(relations).filter(([, { model }]) => model === target).map(([relation]) => `${name}.${relation}`)
})

export const userModelGenerator: Generator = {
  command: 'add user-model',
  description: 'Write a model of users, wired to its tokens; also several of them',
  questions: [
    { kind: 'text', name: 'name', message: 'Name of the user model?', positional: true, fault: faultOfName },
    {
      kind: 'confirm',
      name: 'several',
      message: 'Keep the other user models beside it?',
      when: ({ project, answers, given }) =>
        given.several !== undefined || userModels(project).some(each => each !== answers.name),
      default: ({ project, answers }) => userModels(project).some(each => each !== 'User' && each !== answers.name)
    },
    {
      kind: 'choice',
      name: 'data-source',
      message: 'Which data source keeps its rows?',
      choices: ({ project }) =>
        Object.entries(project.dataSources).map(([value, { connector: hint }]) => ({ value, hint })),
      default: ({ project }) => usualSource(project, userModels(project))
    },
    {
      kind: 'text',
      name: 'token-model',
      message: 'Name of the model of tokens?',
      default: ({ project, answers: { several } }) =>
        ownTokens(project) ?? (several === true ? 'UserToken' : 'AccessToken'),
      fault: faultOfName
    },
    typescriptQuestion
  ],
  plan: async (dir, answers, { force }) => await addUserModel(dir, {
    name: textOf(answers.name) ?? '',
    dataSource: textOf(answers['data-source']),
    tokenModel: textOf(answers['token-model']),
    several: typeof answers.several === 'boolean' ? answers.several : undefined,
    typescript: answers.typescript === true,
    force
  })
}
