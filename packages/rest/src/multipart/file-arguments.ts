/** Methods that take files: their forms are read before the arguments are. */
import { pipeline } from 'node:stream/promises'
import type { ArgumentDefinition } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import { setBodyKind } from '../parse/body-kind.js'
import { parseJson } from '../parse/json.js'
import { bytesOf } from '../parse/size.js'
import { resolveArgumentType, type TypeNames } from '../parse/schema.js'
import { sourceOf } from '../parse/source.js'
import { argumentFile, SpooledFile, type ArgumentFile } from './argument-file.js'
import { checkDeclaredType } from './declared-type.js'
import { brokenForm, tooManyParts } from './form-errors.js'
import type { FormLimits } from './form-limits.js'
import { nameIn } from './name-in.js'
import { isForm, readForm } from './read-form.js'

/** What an argument of the type `file` takes. */
export interface FileArgument {
  readonly name: string
  /** Whether it takes several (`type: ['file']`). */
  readonly isList: boolean
  /** Bytes of each file. */
  readonly maxSize: number
  /** Declared types that it takes; none: all. */
  readonly accept: readonly string[]
  /** Where it is a property of the row that is sent, and no argument: what the row is to be put into. */
  readonly row?: RowForm
}

/** How a row comes as a form. */
export interface RowForm {
  /** Whether the field `data` may be the row without its files, as JSON: the model has no property of that name. */
  readonly takesData: boolean
}

/** Bytes of a file, where an argument does not say otherwise. */
const defaultMaxSize = 10 * 1024 * 1024

/**
 * The arguments that take files, by their names; undefined where a method has none.
 *
 * ```js
 * fileArguments([{ arg: 'photo', type: 'file', maxSize: '5mb', accept: ['image/*'] }], registry).get('photo').maxSize
 * ```
 */
export function fileArguments (
  accepts: readonly ArgumentDefinition[], registry: TypeNames
): ReadonlyMap<string, FileArgument> | undefined {
  const found = new Map<string, FileArgument>()
  for (const argument of accepts) {
    for (const file of rowFiles(argument, registry)) found.set(file.name, file)
    const { arg, type, maxSize, accept } = argument
    const resolved = resolveArgumentType(type, registry)
    const isList = resolved.kind === 'array'
    const source = sourceOf(argument)
    if ((isList ? resolved.items : resolved).kind !== 'file') continue
    if (source !== undefined && source !== 'form' && source !== 'formData') continue
    found.set(arg, { name: arg, isList, ...fileLimits({ maxSize, accept }) })
  }
  return found.size === 0 ? undefined : found
}

/**
 * What of a file its definition limits.
 *
 * ```js
 * fileLimits({ maxSize: '5mb', accept: 'image/*' }) // { maxSize: 5242880, accept: ['image/*'] }
 * ```
 * @param definition of an argument, or of a property
 */
export function fileLimits ({ maxSize, accept }: Readonly<Record<string, unknown>>): Pick<FileArgument, 'maxSize' | 'accept'> {
  return {
    maxSize: maxSize === undefined ? defaultMaxSize : bytesOf(maxSize as number | string),
    accept: [accept ?? []].flat() as string[]
  }
}

/** The properties of a row that hold files. */
function rowFiles ({ modelSchema }: ArgumentDefinition, { models }: TypeNames): FileArgument[] {
  const model = modelSchema === undefined ? undefined : models[modelSchema.model]?.compiled
  if (model === undefined || model.files.length === 0) return []
  const row = { takesData: !model.propertyByName.has('data') }
  return model.files.flatMap(name => {
    const property = model.propertyByName.get(name)
    return property === undefined
      ? []
      : [{ name, isList: property.type.kind === 'array', ...fileLimits({ ...property.definition }), row }]
  })
}

/** The files of one request. */
export class ReceivedFiles {
  readonly #files = new Map<string, ArgumentFile[]>()
  readonly #spools: SpooledFile[] = []

  /** In the order of the form. */
  of (name: string): readonly ArgumentFile[] {
    return this.#files.get(name) ?? []
  }

  /**
   * Reads the form of a request, and makes its text fields the request's body. A request with another body has no
   * files.
   * @throws RequestError as `readForm` does; 400 for a file that no argument takes, 413, 415
   */
  static async from (
    request: FastifyRequest, taken: ReadonlyMap<string, FileArgument>, limits: Partial<FormLimits>
  ): Promise<ReceivedFiles> {
    const received = new ReceivedFiles()
    if (!isForm(request.headers)) return received
    const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    try {
      await readForm(request.raw, {
        file: async ({ field, filename, type, stream }) => {
          const argument = taken.get(field)
          if (argument === undefined) throw brokenForm(`No file is taken as "${field}".`)
          received.#checkCount(argument)
          checkDeclaredType(type, argument.accept)
          const spool = new SpooledFile(argument.maxSize)
          received.#spools.push(spool)
          const written = nameIn(filename)
          const name = written.slice(written.lastIndexOf('/') + 1)
          received.#files.set(field, [...received.of(field), argumentFile(field, name, type, spool)])
          await pipeline(stream, spool)
        },
        field (name, value) {
          const before = fields[name]
          fields[name] = before === undefined ? value : [...[before].flat(), value]
        }
      }, limits)
    } catch (error) {
      await received.dispose()
      throw error
    }
    const row = [...taken.values()].find(file => file.row !== undefined)?.row
    const body = row?.takesData === true ? rowOf(fields) : undefined
    setBodyKind(request, body === undefined ? 'form' : 'json')
    request.body = received.#into(body ?? fields, taken)
    return received
  }

  /** Files of a row are values of its properties, beside those that it keeps. */
  #into (body: Record<string, unknown>, taken: ReadonlyMap<string, FileArgument>): Record<string, unknown> {
    for (const { name, isList, row } of taken.values()) {
      if (row === undefined) continue
      const files = this.of(name)
      const texts = [body[name] ?? []].flat().filter(value => value !== '')
      const written = texts.map(value => typeof value === 'string' ? jsonOf(value) : value)
      if (isList && (files.length > 0 || texts.length > 0)) body[name] = [...written, ...files]
      else if (files.length + written.length > 1) throw tooManyParts(`values of "${name}"`, 1)
      else if (files.length + written.length === 1) body[name] = files[0] ?? written[0]
      else if (body[name] === '') delete body[name]
    }
    return body
  }

  /** Lets go of all files. */
  async dispose (): Promise<void> {
    await Promise.all(this.#spools.map(async spool => {
      spool.destroy()
      await spool.dispose()
    }))
  }

  #checkCount ({ name, isList }: FileArgument): void {
    if (!isList && this.#files.has(name)) throw tooManyParts(`files as "${name}"`, 1)
  }
}

/**
 * The row that the field `data` has as JSON; undefined for a form of one field for each property.
 * @throws RequestError 400 for another text, and for further fields
 */
function rowOf (fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const { data, ...others } = fields
  if (data === undefined) return undefined
  if (Object.keys(others).length > 0) throw brokenForm('Beside "data", which is the whole row, no other fields are taken.')
  const row = typeof data === 'string' ? jsonOf(data) : data
  if (row === null || typeof row !== 'object' || Array.isArray(row)) throw brokenForm('The field "data" must be a JSON object.')
  return row as Record<string, unknown>
}

/** What is no JSON is told by the check of the row. */
function jsonOf (text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
