/** `fastback import-api --service NAME`: a described API as a data source, with a model for each of its tags. */
import path from 'node:path'
import { camelize, singularize } from 'inflection'
import { accessOf, type AccessForm } from './add/access.js'
import { planNewModel } from './add/model.js'
import { openProject, schemaFor, setNew, writeNew, type Project, type Replacing } from './add/project.js'
import { isAddress, readApi, textOf, type ApiOperation } from './api-description.js'
import type { ApiImport } from './api-import.js'
import {
  recordNameOf, checkName, definitionFile, formFor, namesOfFramework, type DefinitionForm
} from './model-files/index.js'

export interface ImportServiceOptions extends Replacing {
  /** A file, or an address (`https://…`): OpenAPI 3.0 or 3.1 or Swagger 2.0, in JSON or YAML. */
  readonly source: string
  /** Name of the data source. */
  readonly service: string
  /** Who may use what is published. Default: `private`. */
  readonly acl?: AccessForm | undefined
  /** Modules with TypeBox in place of JSON. Default: whether the folder has a `tsconfig.json`. */
  readonly typescript?: boolean | undefined
}

/**
 * Plans a data source that calls the API, and a model for each of its tags with the operations of that tag. A file is
 * copied beside `datasources.json`; an address is read at each start.
 *
 * ```js
 * const { changes, models } = await importService('my-app', { source: 'petstore.yaml', service: 'petstore' })
 * ```
 * @param dir the application folder
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_API_DESCRIPTION, FBK_CLI_EXISTS; FBK_CLI_USAGE for a name that cannot be one
 */
export async function importService (
  dir: string, { source, service, acl = 'private', typescript, force }: ImportServiceOptions
): Promise<ApiImport> {
  const project = openProject(dir)
  checkName('data source', service)
  const { operations } = await readApi(source)
  const spec = isAddress(source) ? source : await planCopy(project, source, service, { force })
  setNew(project.changes, project.layout.dataSources, [service], { name: service, spec, connector: 'openapi' },
    `The data source "${service}"`, { force })
  const byTag = groupByTag(operations)
  const models = [...byTag.keys()].map(tag => ({ tag, name: freeName(project, modelNameOf(tag, service)) }))
  const form = formFor(project.changes, project.layout, typescript)
  for (const { tag, name } of models) planOne(project, { tag, name, service, acl, form }, { force })
  return {
    changes: project.changes,
    notes: ['Credentials of the service go into "credentials" of the data source, by the names of its security schemes.'],
    warnings: [],
    next: ['fastback routes', 'fastback serve'],
    models: models.map(({ name }) => name),
    methods: models.flatMap(({ tag, name }) => (byTag.get(tag) ?? []).map(({ id }) => `${name}.${id}`))
  }
}

/** Operations without a tag are under `default`, as the connector has them. */
function groupByTag (operations: readonly ApiOperation[]): Map<string, ApiOperation[]> {
  const groups = new Map<string, ApiOperation[]>()
  for (const operation of operations) {
    const tag = operation.tag ?? 'default'
    groups.set(tag, [...groups.get(tag) ?? [], operation])
  }
  return groups
}

const modelNameOf = (tag: string, service: string): string =>
  camelize(singularize((tag === 'default' ? service : tag).replaceAll(/[^A-Za-z0-9]+/g, '_').replace(/^(\d)/, '_$1')))

/** Models of the framework keep their names (security.md, S-196). */
const freeName = ({ models }: Project, name: string): string =>
  namesOfFramework.has(name) && !models.has(name) ? recordNameOf(name) : name

/** @returns what the data source names it by */
async function planCopy (
  { changes, layout }: Project, source: string, service: string, replacing: Replacing
): Promise<string> {
  const text = await textOf(source)
  const file = `${service}.openapi.${/^\s*\{/.test(text) ? 'json' : 'yaml'}`
  writeNew(changes, path.posix.join(path.posix.dirname(layout.dataSources), file), text, `The file "${file}"`, replacing)
  return `./${file}`
}

interface One {
  readonly tag: string
  readonly name: string
  readonly service: string
  readonly acl: AccessForm
  readonly form: DefinitionForm
}

function planOne (project: Project, { tag, name, service, acl, form }: One, replacing: Replacing): void {
  const file = definitionFile(project.layout, { definition: { name } })
  // There are no rows that somebody could own.
  const { acls } = accessOf(project, acl === 'owner' ? 'private' : acl)
  planNewModel(project, {
    definition: { $schema: schemaFor(project, file, 'model'), name, base: 'Model', openapi: { tags: [tag] }, properties: {}, acls },
    dataSource: service,
    isPublic: true,
    form
  }, replacing)
}
