/**
 * Reads the arguments of a method from a request. Everything that does not depend on the request is decided when the
 * route is made: for each argument its place, its conversion, its schema (request-parsing.md, sections 1 to 5).
 */
import type { ArgumentDefinition, ModelClass, SharedMethod } from '@fastback/core'
import { unsupportedMediaType } from '../errors/request-errors.js'
import { fileArguments, type FileArgument } from '../multipart/file-arguments.js'
import { bodyReaders } from './body-argument.js'
import { converter, ArgumentViolations, objectViolation, type Converter } from './convert.js'
import type { RequestInput } from './input.js'
import { finished } from './finish-argument.js'
import { loopback3Converter, type Coercion } from './loopback3.js'
import { pathNames } from './path-names.js'
import { resolveArgumentType, type ValueSource } from './schema.js'
import { sourceOf } from './source.js'
import { ArgumentViolation } from './text.js'
import type { ArgumentReader, ReaderContext } from './argument-reader.js'

export interface MethodReader {
  /** Names of the arguments, in the order of `accepts`. */
  readonly names: readonly string[]
  /** The arguments, and properties of rows, that are files, by name: their form is read before the arguments are. */
  readonly files: ReadonlyMap<string, FileArgument> | undefined
  /**
   * The values in that order.
   * @throws RequestError 415, 400 with all violations of parameters, 422 with all violations of the body
   */
  read (input: RequestInput): unknown[]
}

export function compileReader (method: SharedMethod, path: string, given: ReaderContext): MethodReader {
  const { accepts } = method
  const context = { ...given, coercion: coercionOf(method, given.coercion) }
  const inPath = pathNames(path)
  const files = fileArguments(accepts, context.registry)
  const isElsewhere = ({ arg, modelSchema }: ArgumentDefinition): boolean =>
    (files?.has(arg) === true && files.get(arg)?.row === undefined) ||
    (context.coercion === 'loopback3' && modelSchema === undefined)
  const bodies = bodyReaders(method, context, isElsewhere)
  const readers = accepts.map((argument, index) => {
    const file = files?.get(argument.arg)
    if (file !== undefined && file.row === undefined) return fileReader(argument, file)
    return bodies.finds(index) ? bodies.missing(index) : argumentReader(argument, inPath, context)
  })
  const mediaTypes = files === undefined ? context.mediaTypes : [...context.mediaTypes, 'multipart/form-data']
  const readsBody = bodies.any || accepts.some(argument => {
    const source = sourceOf(argument)
    return source === undefined ? !inPath.has(argument.arg) : isOfBody(source) && files?.has(argument.arg) !== true
  })
  return {
    names: accepts.map(argument => argument.arg),
    files,
    read (input) {
      if (readsBody && input.kind === 'other') {
        throw unsupportedMediaType(input.request.headers['content-type'] ?? '', mediaTypes)
      }
      const values = new Array<unknown>(readers.length)
      for (let i = 0; i < readers.length; i++) values[i] = (readers[i] as ArgumentReader)(input)
      input.throwViolations()
      bodies.read(input, values)
      return values
    }
  }
}

const isOfBody = (source: unknown): boolean => source === 'body' || source === 'form' || source === 'formData'

/** Methods of a `RemoteObjects` have no model. */
const coercionOf = ({ model }: { readonly model?: ModelClass }, coercion: Coercion | undefined): Coercion =>
  model?.compiled.settings.coercion as Coercion | undefined ?? coercion ?? 'strict'

/** A file, or a list of them, of the form that was read before. */
function fileReader ({ arg, required }: ArgumentDefinition, { isList }: FileArgument): ArgumentReader {
  return input => {
    const files = input.files?.of(arg) ?? []
    if (files.length === 0 && required === true) input.missing(arg)
    return isList ? files : files[0]
  }
}

function argumentReader (
  argument: ArgumentDefinition,
  inPath: ReadonlySet<string>,
  context: ReaderContext
): ArgumentReader {
  const name = argument.arg
  switch (sourceOf(argument)) {
    case 'context':
      return input => input.call.callContext()
    case 'req':
      return input => input.call.callRequest()
    case 'res':
      return input => input.call.callResponse()
    case 'options':
      return input => input.call.callOptions(input.request)
    case 'function':
      return functionReader(argument)
    case 'query':
      return argument.modelFilter === undefined
        ? parameterReader(argument, input => input.query(name), convert('query', argument, context))
        : filterReader(argument, convert('query', argument, context))
    case 'path':
      return parameterReader(argument, input => input.path(name), convert('path', argument, context))
    case 'header':
      return parameterReader(argument, input => input.header(name), convert('text', argument, context))
    case 'body':
      return bodyReader(argument, context, input => input.body === undefined ? {} : input.body)
    case 'form':
    case 'formData':
      return bodyReader(argument, context, input => input.field(name))
    default:
      return inPath.has(name)
        ? parameterReader(argument, input => input.path(name), convert('path', argument, context))
        : anywhereReader(argument, context)
  }
}

function convert (
  place: ValueSource,
  argument: ArgumentDefinition,
  { registry, validators, arrayItemDelimiters, objectText, coercion, standsAlone }: ReaderContext
): Converter {
  const type = resolveArgumentType(argument.type, registry)
  const { jsonSchema: keywords, allowArray } = argument
  const options = { keywords, delimiters: arrayItemDelimiters, objectText, allowArray, decodesAll: standsAlone }
  // Filters are read in one way everywhere (security.md, S-20).
  if (coercion === 'loopback3' && argument.modelFilter === undefined) {
    return finished(type, loopback3Converter(type, place, validators, options), place, allowArray)
  }
  const convertFound = finished(type, converter(type, place, validators, options), place, allowArray)
  return found => found === null ? null : convertFound(found)
}

/** `http: ctx => value`: the function gives the value itself. */
function functionReader (argument: ArgumentDefinition): ArgumentReader {
  const find = argument.http as (context: unknown) => unknown
  return input => {
    const value = find(input.call.callContext())
    if (argument.required === true && (value === undefined || value === null)) input.missing(argument.arg)
    return value
  }
}

/** Filters and conditions: nothing of them may get lost on the way. */
function filterReader (argument: ArgumentDefinition, convert: Converter): ArgumentReader {
  return input => {
    const found = input.filter(argument.arg)
    if (typeof found === 'object' && input.queryLosesKeys()) input.invalid(argument.arg, objectViolation)
    else return parameter(argument, input, found, convert)
  }
}

function parameterReader (
  argument: ArgumentDefinition,
  find: (input: RequestInput) => unknown,
  convert: Converter
): ArgumentReader {
  return input => parameter(argument, input, find(input), convert)
}

function parameter (argument: ArgumentDefinition, input: RequestInput, found: unknown, convert: Converter): unknown {
  const required = argument.required === true
  if (found === undefined || (required && (found === '' || found === null))) {
    if (required) input.missing(argument.arg)
    return undefined
  }
  const value = convert(found)
  if (value instanceof ArgumentViolation) input.invalid(argument.arg, value)
  else if (value instanceof ArgumentViolations) input.invalidParts(argument.arg, value.violations)
  else if (required && (value === undefined || value === null)) input.missing(argument.arg)
  else return value
}

/** An argument without a place: a property of the body, else a parameter of the query. */
function anywhereReader (argument: ArgumentDefinition, context: ReaderContext): ArgumentReader {
  const name = argument.arg
  const fromJson = convert('json', argument, context)
  const fromForm = convert('form', argument, context)
  const fromQuery = convert('query', argument, context)
  const fromHeader = context.standsAlone === true ? convert('text', argument, context) : undefined
  return input => {
    const field = input.field(name)
    if (field !== undefined) return parameter(argument, input, field, input.kind === 'form' ? fromForm : fromJson)
    const found = input.query(name)
    return found === undefined && fromHeader !== undefined
      ? parameter(argument, input, input.header(name), fromHeader)
      : parameter(argument, input, found, fromQuery)
  }
}

/** LoopBack's way with bodies: what is wrong with one is told as of any parameter, with 400. */
function bodyReader (
  argument: ArgumentDefinition, context: ReaderContext, find: (input: RequestInput) => unknown
): ArgumentReader {
  const fromJson = convert('json', argument, context)
  const fromForm = convert('form', argument, context)
  return input => parameter(argument, input, find(input), input.kind === 'json' ? fromJson : fromForm)
}
