/** Methods that take files: their forms are read before the arguments are. */
import { pipeline } from 'node:stream/promises'
import type { ArgumentDefinition } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import { setBodyKind } from '../parse/body-kind.js'
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
    const { arg, type, maxSize, accept } = argument
    const resolved = resolveArgumentType(type, registry)
    const isList = resolved.kind === 'array'
    const source = sourceOf(argument)
    if ((isList ? resolved.items : resolved).kind !== 'file') continue
    if (source !== undefined && source !== 'form' && source !== 'formData') continue
    found.set(arg, {
      name: arg,
      isList,
      maxSize: maxSize === undefined ? defaultMaxSize : bytesOf(maxSize as number | string),
      accept: [accept ?? []].flat() as string[]
    })
  }
  return found.size === 0 ? undefined : found
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
    setBodyKind(request, 'form')
    request.body = fields
    return received
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
