/** `fastback add model` (generators.md, section 3). */
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'jsonc-parser'
import { ExistsError, UnknownDataSourceError, UsageError } from '../errors.js'
import {
  checkName, definitionFile, definitionText, faultOfName, formFor, planModel, type NewModel
} from '../model-files/index.js'
import { accessForms, accessOf, type AccessForm } from './access.js'
import type { Generator } from './generator.js'
import { countsVersions, openProject, schemaFor, type Addition, type Project, type Replacing } from './project.js'
import { propertyFrom, propertyQuestions } from './property.js'
import { propertyDefinition, readProperty, type PropertyOptions } from './property-type.js'
import { itemsOf, textOf, type QuestionContext, type Question } from './questions.js'

/** A model as it is asked for. */
export interface NewModelOptions extends Replacing {
  readonly name: string
  /** Null: none. Default: `db`, else the first, else none. Not of an application in code, which says so itself. */
  readonly dataSource?: string | null | undefined
  /** Default: by the connector of the data source; mostly `PersistedModel`. */
  readonly base?: string | undefined
  readonly plural?: string | undefined
  /** Default: true. */
  readonly public?: boolean | undefined
  /** In the server's own models. Default: false. */
  readonly server?: boolean | undefined
  readonly properties?: readonly PropertyOptions[] | undefined
  /** Default: `private`. */
  readonly acl?: AccessForm | undefined
  /** A module with TypeBox in place of JSON. Default: whether the folder has a `tsconfig.json`. */
  readonly typescript?: boolean | undefined
}

/**
 * Plans a model: its definition, its script, and the entry in `model-config.json`; in an application in code, as the
 * template `typescript` is, the module of its definition and the line that exports it. It counts the writes of a row
 * (`"version": true`) where half of the models of its data source do.
 *
 * ```js
 * const { changes } = await addModel('my-app', {
 *   name: 'Coffee', dataSource: 'db', acl: 'owner', properties: [{ name: 'title', type: 'string', required: true }]
 * })
 * writeFiles(changes.folder, changes.changes)
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_UNKNOWN_DATA_SOURCE, FBK_CLI_EXISTS; FBK_CLI_USAGE for names that cannot be one,
 * and for a data source in an application in code
 */
export async function addModel (dir: string, options: NewModelOptions): Promise<Addition> {
  const project = openProject(dir, { inCode: true })
  const isInCode = project.layout.exports !== undefined
  const { name, plural, server: isServer, force, acl = 'private' } = options
  checkName('model', name)
  if (isInCode && options.dataSource !== undefined) {
    throw new UsageError('Where an application in code keeps the rows of a model is said in its code: leave "--data-source" out.')
  }
  const dataSource = options.dataSource === undefined ? usualDataSource(project) : options.dataSource
  if (dataSource !== null && project.dataSources[dataSource] === undefined) {
    throw new UnknownDataSourceError(dataSource, Object.keys(project.dataSources).join(', ') || 'none')
  }
  const isPublic = options.public ?? true
  const access = accessOf(project, acl)
  const { acls, relations, settings, warnings } = access
  const form = formFor(project.changes, project.layout, options.typescript)
  const file = definitionFile(project.layout, { definition: { name }, isServer })
  const properties = (options.properties ?? []).map(({ name: property, ...rest }) =>
    [checkName('property', property), propertyDefinition(rest)] as const)
  const base = options.base ?? usualBase(project, dataSource)
  const hasOwnVersion = properties.some(([property]) => property === 'version')
  const isCounted = base === 'PersistedModel' && !hasOwnVersion && countsVersions(project, dataSource)
  planNewModel(project, {
    definition: {
      $schema: schemaFor(project, file, 'model'),
      name,
      plural: plural === '' ? undefined : plural,
      base,
      idInjection: true,
      version: isCounted ? true : undefined,
      ...settings,
      options: { validateUpsert: true },
      properties: Object.fromEntries(properties),
      relations,
      acls
    },
    dataSource,
    isPublic,
    isServer,
    form
  }, { force })
  return {
    changes: project.changes,
    warnings: [
      ...warnings,
      ...(!isInCode && Object.keys(project.dataSources).length === 0 ? ['The folder has no data source: "fastback add datasource".'] : [])
    ],
    next: [
      ...(form === 'json' ? [`fastback add property ${name}`] : []),
      ...(form === 'json' && acl === 'private' ? [`fastback add acl ${name}`] : []),
      isInCode ? 'npm run dev' : 'fastback serve'
    ]
  }
}

/**
 * Plans a model whose name is not taken, or is by the same.
 * @throws FBK_CLI_EXISTS
 */
export function planNewModel (project: Project, model: NewModel, { force }: Replacing): void {
  const { changes, config, layout } = project
  const { name } = model.definition
  const text = definitionText(model, layout)
  const there = changes.read(definitionFile(layout, model))
  const entry = config[name]
  const isSame = model.form === undefined || model.form === 'json'
    ? (other: string) => isDeepStrictEqual(parse(other), parse(text))
    : (other: string) => other === text
  const wanted = { dataSource: model.dataSource, public: model.isPublic }
  const isConfigured = layout.exports !== undefined || isDeepStrictEqual(entry, wanted)
  if (there !== undefined && isSame(there) && isConfigured) return
  const isTaken = there !== undefined || project.models.has(name) || entry !== undefined
  if (isTaken && force !== true) throw new ExistsError(`The model "${name}"`)
  planModel(changes, layout, model)
}

const usualDataSource = ({ dataSources }: Project): string | null =>
  dataSources.db === undefined ? Object.keys(dataSources)[0] ?? null : 'db'

const connectorOf = ({ dataSources }: Project, dataSource: string | null): string =>
  (dataSource === null ? '' : dataSources[dataSource]?.connector ?? '').replace(/^(loopback|@fastback)[-/](connector|component)-/, '')

const withoutRows = ['', 'rest', 'soap', 'openapi', 'grpc', 'storage', 'twilio', 'mqlight', 'zosconnectee']

function usualBase (project: Project, dataSource: string | null): string {
  if (project.layout.exports !== undefined) return 'PersistedModel'
  const connector = connectorOf(project, dataSource)
  if (withoutRows.includes(connector)) return 'Model'
  if (connector.startsWith('kv-')) return 'KeyValueModel'
  return connector === 'mail' ? 'Email' : 'PersistedModel'
}

/** What stands for no data source among the answers. */
const none = 'none'

const chosenSource = ({ project, answers }: QuestionContext): string | null => {
  const given = textOf(answers['data-source'])
  return given === undefined ? usualDataSource(project) : given === none ? null : given
}

const isStorage = (asked: QuestionContext): boolean => connectorOf(asked.project, chosenSource(asked)) === 'storage'

/** Models of an application in code are published as its code says. */
const isInFolder = ({ project }: QuestionContext): boolean => project.layout.exports === undefined

/** In which form definitions are written. */
export const typescriptQuestion: Question = {
  kind: 'confirm',
  name: 'typescript',
  message: 'A module of TypeScript with TypeBox, and no JSON.',
  flagOnly: true,
  default: ({ project }) => formFor(project.changes, project.layout, undefined) === 'ts'
}

export const modelGenerator: Generator = {
  command: 'add model',
  description: 'Write a model: definition, script, entry in model-config.json; in code a module',
  inCode: true,
  questions: [
    {
      kind: 'text',
      name: 'name',
      message: 'Name of the model?',
      positional: true,
      fault: (name) => faultOfName(name)
    },
    {
      kind: 'choice',
      name: 'data-source',
      message: 'Which data source keeps its rows?',
      when: ({ project }) => Object.keys(project.dataSources).length > 0,
      choices: ({ project }) => [
        ...Object.entries(project.dataSources).map(([value, { connector: hint }]) => ({ value, hint })),
        { value: none, hint: 'no data source' }
      ],
      default: ({ project }) => usualDataSource(project) ?? none
    },
    {
      kind: 'choice',
      name: 'base',
      message: 'Which model does it extend?',
      when: asked => !isStorage(asked),
      choices: asked => [...new Set([
        'Model', 'PersistedModel', usualBase(asked.project, chosenSource(asked)), ...asked.project.models.keys()
      ])].map(value => ({ value })),
      default: asked => usualBase(asked.project, chosenSource(asked)),
      other: 'Name of the model that it extends?'
    },
    { kind: 'confirm', name: 'public', message: 'Publish it over REST?', when: isInFolder, default: () => true },
    {
      kind: 'text',
      name: 'plural',
      message: 'Plural, for its path? Empty: made from the name.',
      when: asked => asked.answers.public === true || !isInFolder(asked),
      default: () => '',
      fault: faultOfName
    },
    {
      kind: 'confirm',
      name: 'server',
      message: 'Keep it among the server\'s own models (server/models)?',
      when: isInFolder,
      default: () => false
    },
    {
      kind: 'choice',
      name: 'acl',
      message: 'Who may use it?',
      choices: () => [
        { value: 'private', hint: 'nobody, until rules allow it' },
        { value: 'owner', hint: 'who is logged in makes rows, and has those' },
        { value: 'open', hint: 'everybody' }
      ],
      default: () => 'private'
    },
    typescriptQuestion,
    {
      kind: 'list',
      name: 'property',
      message: 'A property, as in title:string!, n:number=5, tags:string[].',
      when: asked => !isStorage(asked),
      item: propertyQuestions,
      read: text => {
        const { itemType, ...property } = readProperty(text)
        return { ...property, ...(itemType === undefined ? {} : { 'item-type': itemType }) }
      }
    }
  ],
  plan: async (dir, answers, { force }) => await addModel(dir, {
    name: textOf(answers.name) ?? '',
    dataSource: answers['data-source'] === none ? null : textOf(answers['data-source']),
    base: textOf(answers.base),
    public: answers.public === true,
    plural: textOf(answers.plural),
    server: answers.server === true,
    acl: accessForms.find(form => form === answers.acl),
    properties: itemsOf(answers.property).map(propertyFrom),
    typescript: answers.typescript === true,
    force
  })
}
