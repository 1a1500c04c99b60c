/** The operations of a description as functions of a client. */
import type { OpenApiDocument, Operation, Parameter, Response, Schema } from '@fastback/explorer'
import { comment, key, text } from '../source-text.js'
import { schemaText } from '../models-file/schema-text.js'
import { aggregateCall, aggregateSchemaOf } from './aggregates.js'
import { bodyOf, schemaOf, successOf } from './described.js'
import { withoutKey } from './keys.js'
import { liveRows, liveSummary } from './live.js'
import { pagedRows } from './pages.js'

export interface ClientOperation {
  /** Name of the model. */
  readonly model: string
  /** Name of the function: `find`, `patchAttributes`, `countNotes`. */
  readonly name: string
  /**
   * Members of the model's interface: one; two where a row and a list of rows may be sent, or a file comes whole or as
   * a stream.
   */
  readonly types: readonly string[]
  /** The entry in the table that the client goes by. */
  readonly entry: string
}

/**
 * All operations that answer with data, and live queries. Change streams are for `EventSource`; of a method with
 * several routes the first is called.
 */
export function clientOperations (document: OpenApiDocument): ClientOperation[] {
  const { paths } = document
  const found: ClientOperation[] = []
  const ids = new Set<string>()
  const names = new Set<string>()
  const resumable = resumablePaths(paths)
  for (const [path, item] of Object.entries(paths)) {
    for (const [verb, described] of Object.entries(item)) {
      const operation = withoutKey(described)
      const plain = operation.operationId.replace(new RegExp(`\\.${verb}\\d*$`), '')
      const answer = successOf(operation)
      if (ids.has(plain)) continue
      const live = liveRows(answer)
      if (live !== undefined) {
        ids.add(plain)
        found.push(liveOperation(path, operation, freeName(operation.tags[0] as string, 'live', names), live))
      }
      if (answer?.content?.['text/event-stream'] !== undefined) continue
      const step = resumable.get(path)
      if (step !== undefined && verb !== 'delete') {
        // The requests of one upload are one function.
        if (step === 'begin' && verb === 'post') found.push(resumableUpload(path, operation, names))
        continue
      }
      ids.add(plain)
      const model = operation.tags[0] as string
      const name = freeName(model, functionName(plain.slice(model.length + 1)), names)
      const isAggregate = aggregateSchemaOf(operation, document) !== undefined
      found.push({
        model,
        name,
        types: isAggregate
          ? [`${comment(said(operation), '  ')}${key(name)}: ${aggregateCall(model, document)}`]
          : functionTypes(name, operation, answer),
        entry: entryText(verb, path, operation)
      })
      const rows = pagedRows(operation, document)
      if (rows !== undefined) found.push(pageOperation(verb, path, operation, freeName(model, `${name}Page`, names), rows))
    }
  }
  return found
}

/** A query whose rows are followed. */
function liveOperation (path: string, operation: Operation, name: string, rows: Schema): ClientOperation {
  const { parameters = [], tags } = operation
  const given = `parameters?: ${parametersText(parameters)}, options?: LiveOptions`
  const type = `(${given}): AsyncGenerator<Array<${schemaText(rows, '  ')}>, void>`
  return {
    model: tags[0] as string,
    name,
    types: [`${comment(liveSummary(operation), '  ')}${key(name)} ${type}`],
    entry: entryText('get', path, operation, 'none', 'live')
  }
}

/** Paths of uploads that go on after a cut (tus 1.0): where they begin, and those of each. */
function resumablePaths (paths: OpenApiDocument['paths']): ReadonlyMap<string, 'begin' | 'one'> {
  const found = Object.entries(paths).filter(([, { patch }]) =>
    patch?.requestBody?.content['application/offset+octet-stream'] !== undefined)
  return new Map(found.flatMap(([path]) => [[path, 'one'], [path.replace(/\/\{\w+\}$/, ''), 'begin']] as const))
}

function resumableUpload (path: string, operation: Operation, names: Set<string>): ClientOperation {
  const model = operation.tags[0] as string
  const name = freeName(model, 'uploadResumable', names)
  const parameters = (operation.parameters ?? []).filter(({ in: place }) => place === 'path')
  const summary = 'Stores a file, and goes on by itself where the connection breaks'
  const text = `(parameters: ${parametersText(parameters)}, body: { file: Blob }, options?: ResumableOptions): Promise<{ name: string }>`
  return {
    model,
    name,
    types: [`${comment(summary, '  ')}${key(name)} ${text}`],
    entry: entryText('post', path, { ...operation, parameters }, 'resumable')
  }
}

/** `prototype.__count__notes` is `countNotes`. */
function functionName (method: string): string {
  return method
    .replace(/^prototype\./, '')
    .replace(/^__([A-Za-z]+)__(.)/, (_, verb: string, first: string) => verb + first.toUpperCase())
    .replaceAll(/__(.)/g, (_, letter: string) => letter.toUpperCase())
}

function freeName (model: string, wanted: string, names: Set<string>): string {
  let name = wanted
  for (let count = 2; names.has(`${model} ${name}`); count++) name = `${wanted}${count}`
  names.add(`${model} ${name}`)
  return name
}

/** The same list, page by page. */
function pageOperation (
  verb: string, path: string, operation: Operation, name: string, rows: Schema
): ClientOperation {
  const { parameters = [], tags } = operation
  const optional = parameters.some(({ required }) => required === true) ? '' : '?'
  const given = `parameters${optional}: ${parametersText(parameters)}, options?: CallOptions`
  const summary = 'A page of the list, with its cursors: for "after" and "before" of the filter. Without one, the first'
  return {
    model: tags[0] as string,
    name,
    types: [`${comment(summary, '  ')}${key(name)} (${given}): Promise<CursorPage<${schemaText(rows, '  ')}>>`],
    entry: entryText(verb, path, operation, 'none', 'page')
  }
}

function functionTypes (name: string, operation: Operation, answer: Response | undefined): string[] {
  const { parameters = [], requestBody } = operation
  const sent = bodySchema(operation)
  const given = bodyOf(answer)
  const parametersOptional = !parameters.some(each => each.required) && sent === undefined
  // Nothing that may be left out stands before options that may not.
  const signature = (body: Schema | undefined, options: string, isLast: boolean): string => [
    ...parameters.length === 0
      ? []
      : [`parameters${parametersOptional && isLast ? '?' : ''}: ${parametersText(parameters)}`],
    ...body === undefined
      ? []
      : [`body${requestBody?.required !== true && isLast ? '?' : ''}: ${withFiles(schemaText(body, '  '), body, operation)}${requestBody?.required !== true && !isLast ? ' | undefined' : ''}`],
    options
  ].join(', ')
  const write = (body: Schema | undefined, result: Schema | undefined): string =>
    `${comment(said(operation), '  ')}${key(name)} (${signature(body, 'options?: CallOptions', true)}): Promise<${result === undefined ? 'void' : schemaText(result, '  ')}>`
  if (givesFile(operation)) {
    return [`${key(name)} (${signature(sent, 'options: StreamOptions', false)}): Promise<Response>`, write(sent, given)]
  }
  const bodies = rowAndList(sent)
  const results = rowAndList(given)
  return bodies === undefined || results === undefined
    ? [write(sent, given)]
    : bodies.map((body, index) => write(body, results[index]))
}

/** What an editor shows of a function, crossed out where it goes away. */
function said ({ summary = '', description, deprecated }: Operation): string {
  if (deprecated !== true) return summary
  const dates = description?.split('\n').find(line => line.startsWith('Deprecated'))?.replace(/^Deprecated(?: since|\.)? ?/, '')
  return `${summary} @deprecated ${dates ?? ''}`
}

/** A row or a list of such rows: what goes in as a row comes back as a row. */
function rowAndList (schema: Schema | undefined): Schema[] | undefined {
  const branches = schema?.anyOf as Schema[] | undefined
  return branches?.length === 2 && branches[1]?.type === 'array' && branches[0]?.type !== 'array' ? branches : undefined
}

const givesFile = (operation: Operation): boolean =>
  bodyOf(successOf(operation))?.format === 'binary'

const form = 'multipart/form-data'

const bodySchema = ({ requestBody }: Operation): Schema | undefined =>
  (requestBody?.content['application/json'] ?? requestBody?.content[form])?.schema

function bodyKind (operation: Operation): 'json' | 'row' | 'form' | 'none' {
  const { requestBody } = operation
  if (requestBody?.content['application/json'] !== undefined) return rowFiles(operation).length === 0 ? 'json' : 'row'
  return requestBody?.content[form] === undefined ? 'none' : 'form'
}

/**
 * Properties of a row that are files, where the row may come as a form. What JSON has of it goes as the field `data`
 * there: a model with a property of that name sends its files alone, to signed addresses.
 */
function rowFiles ({ requestBody }: Operation): string[] {
  if (requestBody?.content['application/json'] === undefined) return []
  const described = requestBody.content[form]?.schema.properties ?? {}
  const properties = Object.entries(described as Readonly<Record<string, Schema>>)
  if (properties.some(([name]) => name === 'data')) return []
  return properties.filter(([, schema]) => ((schema.items ?? schema) as Schema).format === 'binary').map(([name]) => name)
}

/** A row, and not a list of them, may have files in the place of references. */
function withFiles (type: string, body: Schema, operation: Operation): string {
  const files = body.type === 'array' ? [] : rowFiles(operation)
  return files.length === 0 ? type : `WithFiles<${type}, ${files.map(text).join(' | ')}>`
}

const parametersText = (parameters: readonly Parameter[]): string =>
  `{ ${parameters.map(each => `${key(each.name)}${each.required === true ? '' : '?'}: ${schemaText(schemaOf(each), '  ')}`).join(', ')} }`

function entryText (
  verb: string, path: string, operation: Operation, sends: string = bodyKind(operation),
  gives = givesFile(operation) ? 'file' : undefined
): string {
  const places = (operation.parameters ?? []).map(({ name, in: place }) => `${key(name)}: ${text(place)}`)
  return `[${text(verb.toUpperCase())}, ${text(path)}, ${places.length === 0 ? '{}' : `{ ${places.join(', ')} }`}, ${text(sends)}${gives === undefined ? '' : `, ${text(gives)}`}]`
}
