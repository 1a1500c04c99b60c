/** `fastback import-api`: models and remote methods of an API that is described (generators.md, GE-X2). */
import { resolve as resolveFrom } from 'node:path'
import { isLinearPattern } from '@fastback/core/connector'
import { camelize, pluralize } from 'inflection'
import { accessForms, accessOf, type AccessForm } from './add/access.js'
import type { Generator } from './add/generator.js'
import { planNewModel, typescriptQuestion } from './add/model.js'
import { openProject, schemaFor, type Project, type Replacing } from './add/project.js'
import { namesOf, textOf } from './add/questions.js'
import { addToScript, declarationOf, type NewRemoteMethod } from './add/remote-method.js'
import { isAddress, readApi, type ApiDescription, type ApiOperation } from './api-description.js'
import { ExistsError, UnknownDataSourceError, UsageError } from './errors.js'
import { importService } from './import-service.js'
import {
  recordNameOf, definitionFile, formFor, namesOfFramework, type DefinitionForm
} from './model-files/index.js'
import type { ApiImport } from './api-import.js'

export interface ImportApiOptions extends Replacing {
  /** A file, or an address (`https://…`): OpenAPI 3.0 or 3.1 or Swagger 2.0, in JSON or YAML. */
  readonly source: string
  /** Names of models. Default: all that the description has. */
  readonly models?: readonly string[] | undefined
  /** Where rows are kept; null: nowhere. Default: `db`, else the first, else null. */
  readonly dataSource?: string | null | undefined
  /** Who may use what is published. Default: `private`. */
  readonly acl?: AccessForm | undefined
  /** Modules with TypeBox in place of JSON, functions and all. Default: whether the folder has a `tsconfig.json`. */
  readonly typescript?: boolean | undefined
}

/**
 * Plans models of the objects of a description, and a remote method for each operation that these do not have already;
 * its function answers 501 until it is written. Operations belong to the model that their tag names.
 *
 * ```js
 * const { changes, methods } = await importApi('my-app', { source: 'petstore.yaml' })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_API_DESCRIPTION, FBK_CLI_UNKNOWN_DATA_SOURCE
 */
export async function importApi (dir: string, options: ImportApiOptions): Promise<ApiImport> {
  const project = openProject(dir)
  const { source, force, acl = 'private' } = options
  const dataSource = options.dataSource === undefined ? usualSource(project) : options.dataSource
  if (dataSource !== null && project.dataSources[dataSource] === undefined) {
    throw new UnknownDataSourceError(dataSource, Object.keys(project.dataSources).join(', ') || 'none')
  }
  const form = formFor(project.changes, project.layout, options.typescript)
  const api = await readApi(source)
  const wanted = [...api.models.keys()].filter(name => options.models?.includes(name) ?? true)
  for (const name of options.models ?? []) {
    if (!wanted.includes(name)) throw new UsageError(`The description has no model "${name}". It has: ${[...api.models.keys()].join(', ')}.`)
  }
  const notes: string[] = []
  const free = (name: string): string => freeName(project, name, notes)
  const names = new Map(wanted.map(name => [name, free(modelName(name))]))
  const groups = groupByModel(api.operations, names, free)
  const warnings: string[] = []
  const methods: string[] = []
  for (const name of new Set([...names.values(), ...groups.keys()])) {
    const schema = api.models.get([...names].find(([, model]) => model === name)?.[0] ?? '')
    const operations = groups.get(name) ?? []
    const path = commonPath(operations)
    const isStored = schema !== undefined && dataSource !== null
    const declared = methodsOf(operations, path, { api, names, model: name, isStored })
    notes.push(...declared.left.map(each => `${name}: ${each}`))
    try {
      planOne(project, {
        name, schema, path, dataSource: isStored ? dataSource : null, methods: declared.methods, acl, form, api, names
      }, { force })
    } catch (error) {
      if (!(error instanceof ExistsError)) throw error
      warnings.push(`The model "${name}" is there already, and stays as it is; --force replaces it.`)
      continue
    }
    methods.push(...declared.methods.map(each => `${name}.${each.name}`))
  }
  return {
    changes: project.changes,
    notes,
    warnings,
    next: ['fastback routes', 'fastback serve'],
    models: [...names.values()],
    methods
  }
}

const usualSource = ({ dataSources }: Project): string | null =>
  dataSources.db === undefined ? Object.keys(dataSources)[0] ?? null : 'db'

/** Names that the rules for files take: `my.ns.Pet` is `MyNsPet`. */
const modelName = (name: string): string =>
  /^[A-Za-z][\w-]*$/.test(name) ? name : camelize(name.replace(/[^\w]+/g, '_').replace(/^(\d)/, '_$1'))

/** What a model is called that a description has under one of the framework's names (security.md, S-196). */
function freeName ({ models }: Pick<Project, 'models'>, name: string, notes: string[]): string {
  if (!namesOfFramework.has(name) || models.has(name)) return name
  const other = recordNameOf(name)
  const note = `"${name}" is a model of the framework: that of the description is called "${other}"`
  if (!notes.includes(note)) notes.push(note)
  return other
}

interface Known { readonly api: ApiDescription, readonly names: ReadonlyMap<string, string> }

/** By the model that the tag names, in the singular or plural; else by a model of the tag's own. */
function groupByModel (
  operations: readonly ApiOperation[], names: ReadonlyMap<string, string>, free: (name: string) => string
): Map<string, ApiOperation[]> {
  const groups = new Map<string, ApiOperation[]>()
  for (const operation of operations) {
    const tag = operation.tag ?? 'Api'
    const same = (name: string): boolean =>
      [name, pluralize(name)].some(each => each.toLowerCase() === tag.toLowerCase())
    const [, known] = [...names].find(([described]) => same(modelName(described))) ?? []
    const name = known ?? free(modelName(camelize(tag.replace(/[^\w]+/g, '_'))))
    groups.set(name, [...groups.get(name) ?? [], operation])
  }
  return groups
}

/** The first part that all paths share, so that addresses are those of the description: `/pet`; else `/`. */
function commonPath (operations: readonly ApiOperation[]): string | undefined {
  const firsts = new Set(operations.map(({ path }) => path.split('/')[1] ?? ''))
  const [first = ''] = firsts
  return operations.length === 0 ? undefined : firsts.size === 1 && !first.startsWith(':') ? `/${first}` : '/'
}

/** What stored models answer by themselves, relative to their path. */
const builtin = new Set([
  'get /', 'post /', 'put /', 'patch /', 'get /:id', 'head /:id', 'put /:id', 'patch /:id', 'delete /:id'
])

interface Declared { readonly methods: readonly NewRemoteMethod[], readonly left: readonly string[] }

function methodsOf (
  operations: readonly ApiOperation[],
  path: string | undefined,
  { api, names, model, isStored }: Known & { readonly model: string, readonly isStored: boolean }
): Declared {
  const methods: NewRemoteMethod[] = []
  const left: string[] = []
  for (const { id, verb, path: whole, description, parameters, result } of operations) {
    const at = path === undefined || path === '/' ? whole : whole.slice(path.length) || '/'
    if (isStored && path !== '/' && builtin.has(`${verb} ${at.replace(/^\/:\w+$/, '/:id')}`)) {
      left.push(`${verb.toUpperCase()} ${whole} (${id}) is a method that stored models have`)
      continue
    }
    const base = camelize(id.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|(?<!_)_+$/g, ''), true)
    const name = methods.some(each => each.name === base) ? `${base}${methods.length}` : base
    methods.push({
      model,
      name: name === '' ? `operation${methods.length}` : name,
      description,
      accepts: parameters.map(({ name: arg, source, required, description: about, schema }) =>
        ({ arg, type: typeName(schema, { api, names }), required, description: about, source })),
      returns: result === undefined ? [] : [{ arg: 'result', type: typeName(result, { api, names }), root: true }],
      http: [{ path: at, verb: verb === 'delete' ? 'del' : verb }]
    })
  }
  return { methods, left }
}

interface One extends Known {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>> | undefined
  readonly path: string | undefined
  readonly dataSource: string | null
  readonly methods: readonly NewRemoteMethod[]
  readonly acl: AccessForm
  readonly form: DefinitionForm
}

function planOne (
  project: Project, { name, schema, path, dataSource, methods, acl, form, ...known }: One, replacing: Replacing
): void {
  const file = definitionFile(project.layout, { definition: { name } })
  const isStored = dataSource !== null
  const properties = schema === undefined ? {} : propertiesOf(schema, known)
  const access = accessOf(project, isStored || acl !== 'owner' ? acl : 'private')
  const { acls, relations, settings } = access
  const said = schema === undefined ? undefined : known.api.resolve(schema).description
  planNewModel(project, {
    definition: {
      $schema: schemaFor(project, file, 'model'),
      name,
      description: typeof said === 'string' ? said : undefined,
      base: isStored ? 'PersistedModel' : 'Model',
      idInjection: isStored && properties.id === undefined,
      ...settings,
      http: path === undefined || (path === '/' && isStored) ? undefined : { path },
      options: { validateUpsert: true },
      properties,
      relations: isStored ? relations : {},
      acls,
      methods: Object.fromEntries(methods.map(method => [method.name, declarationOf(method)]))
    },
    dataSource,
    isPublic: path !== undefined,
    form,
    areUnwritten: true
  }, replacing)
  if (form !== 'json') return
  for (const { name: method, accepts = [], description } of methods) {
    addToScript(project, file, {
      model: name, name: method, parameters: accepts.map(({ arg }) => arg), about: description
    })
  }
}

const kept = ['description', 'enum', 'default', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern'] as const

function propertiesOf (schema: unknown, known: Known): Record<string, unknown> {
  const { properties = {}, required = [], allOf = [] } = known.api.resolve(schema) as {
    readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    readonly required?: readonly string[]
    readonly allOf?: readonly unknown[]
  }
  const own = Object.entries(properties).map(([name, property]) => {
    const isId = name === 'id'
    const type = typeOfSchema(property, known)
    return [name, {
      type,
      ...(isId ? { id: true, ...(type === 'number' ? { generated: true } : {}) } : required.includes(name) ? { required: true } : {}),
      ...(property.$ref === undefined
        ? Object.fromEntries(kept.flatMap(key => isKept(key, property[key]) ? [[key, property[key]]] : []))
        : {})
    }]
  })
  const inherited = allOf.map(part => propertiesOf(part, known))
  return Object.assign({}, ...inherited, Object.fromEntries(own)) as Record<string, unknown>
}

/** Of a pattern that somebody else wrote no text may take a long time (security.md, S-191). */
const isKept = (key: string, value: unknown): boolean =>
  value !== undefined && (key !== 'pattern' || (typeof value === 'string' && isLinearPattern(value)))

/** `number`, `Pet`, `["string"]`. */
function typeOfSchema (schema: Readonly<Record<string, unknown>>, known: Known): unknown {
  const { $ref } = schema
  const model = typeof $ref === 'string' ? known.names.get($ref.split('/').at(-1) ?? '') : undefined
  if (model !== undefined) return model
  const { type, format, items } = known.api.resolve(schema)
  switch ([type].flat().find(each => each !== 'null')) {
    case 'integer':
    case 'number': return 'number'
    case 'boolean': return 'boolean'
    case 'string': return format === 'date' || format === 'date-time' ? 'date' : 'string'
    case 'array': {
      const item = typeOfSchema((items ?? {}) as Readonly<Record<string, unknown>>, known)
      return Array.isArray(item) ? 'array' : [item]
    }
    case 'object': return 'object'
    default: return 'any'
  }
}

/** As arguments and results have it: `Pet[]`. */
function typeName (schema: Readonly<Record<string, unknown>>, known: Known): string {
  const type = typeOfSchema(schema, known)
  return Array.isArray(type) ? `${String(type[0])}[]` : String(type)
}

export const importApiGenerator: Generator = {
  command: 'import-api',
  description: 'Write models and remote methods of an API that OpenAPI or Swagger describes',
  hasOthersTexts: true,
  questions: [
    { kind: 'text', name: 'source', message: 'Which description? A file, or an address.', positional: true },
    { kind: 'words', name: 'models', message: 'Which of its models? Default: all.', flagOnly: true },
    {
      kind: 'text',
      name: 'service',
      message: 'Calls the API: the name of a data source for it, in place of models that are written',
      flagOnly: true
    },
    {
      kind: 'choice',
      name: 'data-source',
      message: 'Which data source keeps their rows?',
      when: ({ answers }) => answers.service === undefined,
      choices: ({ project }) => [...Object.keys(project.dataSources), 'none'].map(value => ({ value })),
      default: ({ project }) => usualSource(project) ?? 'none'
    },
    {
      kind: 'choice',
      name: 'acl',
      message: 'Who may use what is published?',
      choices: () => accessForms.map(value => ({ value })),
      default: () => 'private'
    },
    typescriptQuestion
  ],
  plan: async (dir, answers, { force, cwd }) => {
    const given = textOf(answers.source) ?? ''
    const source = isAddress(given) ? given : resolveFrom(cwd, given)
    const service = textOf(answers.service)
    const typescript = answers.typescript === true
    const acl = accessForms.find(form => form === answers.acl)
    if (service !== undefined) return await importService(dir, { source, service, acl, typescript, force })
    return await importApi(dir, {
      source,
      models: answers.models === undefined ? undefined : namesOf(answers.models),
      dataSource: answers['data-source'] === 'none' ? null : textOf(answers['data-source']),
      acl,
      typescript,
      force
    })
  }
}
