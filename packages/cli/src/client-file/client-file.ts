/** The text of a typed client. */
import type { OpenApiDocument, Schema } from '@fastback/explorer'
import { block, identifier, key, lineComments } from '../source-text.js'
import { aggregateSchemaOf, aggregateTypes } from './aggregates.js'
import { callFunctions } from './call.js'
import { partsOf } from './client-parts.js'
import { clientTypes } from './client-types.js'
import { clientOperations, type ClientOperation } from './operations.js'
import { loginFunctions } from './logins.js'
import { liveFunctions, liveTypes } from './live.js'
import { keyTable, retryFunctions } from './keys.js'
import { pageFunctions, pageTypes } from './pages.js'
import { resumableFunctions, resumableTypes } from './resumable.js'
import { rowStateFunctions } from './row-states.js'
import { fileFunctions, fileTypes } from './row-files.js'
import { transportFunctions } from './transport.js'
import { schemaText, typeName } from '../models-file/schema-text.js'

function head ({ info: { title, version }, servers: [server] }: OpenApiDocument): string {
  const place = `${title} ${version}; the API is below ${server?.url ?? '/'} of its server.`
  return [
    '// Written by "fastback client" from the models: a change here is lost. Run it again after a change of the models.',
    ...lineComments(`${place} Needs fetch, and nothing else.`.replaceAll(/\s+/g, ' '))
  ].join('\n')
}

/**
 * One TypeScript file without imports: types of models, filters, includes and errors, and `createClient`.
 * @param document the description of the API, of OpenAPI 3.1
 */
export function clientFile (document: OpenApiDocument): string {
  const operations = clientOperations(document)
  const byModel = new Map<string, ClientOperation[]>()
  for (const operation of operations) {
    byModel.set(operation.model, [...byModel.get(operation.model) ?? [], operation])
  }
  const models = [...byModel]
  const { schemas } = document.components
  // Types that are inferred stand in its place.
  const grouped = new Set(Object.values(document.paths).flatMap(item => Object.values(item))
    .map(operation => aggregateSchemaOf(operation, document))
    .filter(name => name !== undefined))
  const logins = document['x-logins']
  const parts = partsOf(operations, document)
  const { isLive, isResumable, hasFiles, hasPages, hasTags, hasKeys } = parts
  return [
    head(document),
    ...Object.entries(schemas).filter(([name]) => !grouped.has(name)).map(([name, schema]) => `export type ${typeName(name)} = ${schemaText(schema, '')}`),
    `export type ApiErrorDetails = ${Object.hasOwn(schemas, 'Violation') ? 'Array<Violation>' : 'Array<unknown>'}`,
    clientTypes(rootOf(schemas.Error), parts),
    ...grouped.size > 0 ? [aggregateTypes] : [],
    ...hasPages ? [pageTypes] : [],
    ...isLive ? [liveTypes] : [],
    ...isResumable ? [resumableTypes] : [],
    ...hasFiles ? [fileTypes] : [],
    ...models.map(([model, operations]) => `export interface ${apiName(model, schemas)} ${block(operations.flatMap(({ types }) => types), '')}`),
    `/** The API's models by name. */\nexport interface Client ${block(models.map(([model]) => `readonly ${key(model)}: ${apiName(model, schemas)}`), '')}`,
    `const operations = ${list(models.map(([model, operations]) => `${key(model)}: ${list(operations.map(({ name, entry }) => `${key(name)}: ${entry}`), '  ')}`), '')} satisfies Record<string, Record<string, Entry>>`,
    ...hasKeys ? [keyTable(document)] : [],
    callFunctions(parts),
    transportFunctions(parts),
    ...hasTags ? [rowStateFunctions] : [],
    ...hasKeys ? [retryFunctions] : [],
    ...hasPages ? [pageFunctions] : [],
    ...isLive ? [liveFunctions] : [],
    ...hasFiles ? [fileFunctions] : [],
    ...isResumable ? [resumableFunctions] : [],
    ...logins === undefined ? [] : [loginFunctions(logins)]
  ].join('\n\n') + '\n'
}

/** The property that errors stand in: `error`, unless the server has another name for it, or none. */
function rootOf (error: Schema | undefined): string | undefined {
  const names = Object.keys((error?.properties ?? { error: {} }) as object)
  return names.includes('statusCode') ? undefined : names[0]
}

/** An object with a member in each line. */
const list = (members: readonly string[], indent: string): string =>
  members.length === 0 ? '{}' : `{\n${members.map(member => `${indent}  ${member}`).join(',\n')}\n${indent}}`

/** Another model may have that name. */
const apiName = (model: string, schemas: object): string => `${identifier(model)}Api${Object.hasOwn(schemas, `${model}Api`) ? '_' : ''}`
