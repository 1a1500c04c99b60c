import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { BusboyFileStream, BusboyInstance, Busboy as BusboyClass } from '@fastify/busboy'
import { unsupportedEncoding } from '../errors/request-errors.js'
import { afterTheRest } from '../parse/read-body.js'
import { brokenForm, formTooLarge, formTooSlow, noForm, tooManyParts } from './form-errors.js'
import { defaultFormLimits, partHeaders, type FormLimits } from './form-limits.js'

export type { FormLimits }

/** One file of a form. */
export interface FilePart {
  /** The name of the field. */
  readonly field: string
  /** As the client wrote it: what it means is for the reader to check. */
  readonly filename: string
  /** The declared type, a claim of the client. */
  readonly type: string
  /** The bytes as they come. Must be read to its end, or destroyed. */
  readonly stream: Readable
}

/** What becomes of the parts, in the order of the form. */
export interface FormReader {
  /**
   * Takes a file. The form is read as fast as the streams of its files are. What it rejects with ends the reading at
   * once.
   */
  file (part: FilePart): Promise<void>
  /** Takes a text field. */
  field (name: string, value: string): void
}

const prototypeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Whether a request says that its body is a form with parts.
 *
 * ```js
 * isForm({ 'content-type': 'multipart/form-data; boundary=x' }) // true
 * ```
 */
export const isForm = (headers: IncomingMessage['headers']): boolean =>
  /^multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '')

/**
 * Reads a form (RFC 7578) part by part, without keeping files: they go on as streams. A part without a file name, or
 * with an empty one, is a field. Resolves once the form has been read to its end and every `file` has resolved.
 *
 * Whatever is wrong is an error of the request, and stops the reading: the streams of its files are destroyed, and what
 * still comes goes by unread for a second, so that the client sees the response.
 *
 * ```js
 * app.post('/in', async request => {
 *   const names = []
 *   await readForm(request.raw, {
 *     async file ({ filename, stream }) { names.push(filename); stream.resume() },
 *     field () {}
 *   })
 *   return names
 * })
 * ```
 * @param limits those that differ from `defaultFormLimits`
 * @throws RequestError 415 for another body, 400 for a form that is broken or cut off, 413 over a limit, 408 for one
 * that stands still
 */
export async function readForm (
  request: IncomingMessage, reader: FormReader, limits: Partial<FormLimits> = {}
): Promise<void> {
  const { headers } = request
  if (!isForm(headers)) throw noForm(headers['content-type'])
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw unsupportedEncoding('A form with parts must come as it is, without a content encoding.')
  }
  // Loaded for the first form: most servers never see one.
  const { Busboy } = await import('@fastify/busboy')
  if (request.readableEnded || request.destroyed) throw brokenForm('The form has been read already.')
  await new FormReading(Busboy, request, reader, { ...defaultFormLimits, ...limits }).run()
}

class FormReading {
  readonly #parser: BusboyInstance
  readonly #work: Array<Promise<void>> = []
  readonly #open = new Set<Readable>()
  #files = 0
  #fields = 0
  #received = 0
  #fieldBytes = 0
  #settle: (error?: Error) => void = () => {}
  #isOver = false

  constructor (
    Parser: typeof BusboyClass,
    readonly request: IncomingMessage,
    readonly reader: FormReader,
    readonly limits: FormLimits
  ) {
    try {
      this.#parser = new Parser({
        headers: request.headers as { 'content-type': string },
        // The name as the client wrote it: anyone who stores it has to see all of it.
        preservePath: true,
        limits: {
          ...partHeaders,
          fieldNameSize: limits.fieldNameSize + 1,
          fieldSize: limits.fieldsSize + 1,
          files: limits.files + 1,
          fields: limits.fields + 1
        },
        isPartAFile: (_field, _type, filename) => filename !== undefined && filename !== ''
      })
    } catch (error) {
      throw brokenForm((error as Error).message)
    }
  }

  async run (): Promise<void> {
    const { request, limits } = this
    if (Number(request.headers['content-length']) > limits.totalSize) {
      await this.#letGoBy()
      throw formTooLarge('The body', limits.totalSize)
    }
    const idle = setTimeout(() => { this.#stop(formTooSlow()) }, limits.idleTimeout)
    const count = (chunk: Buffer): void => {
      idle.refresh()
      this.#received += chunk.length
      if (this.#received > limits.totalSize) this.#stop(formTooLarge('The body', limits.totalSize))
    }
    const cutOff = (): void => { if (!request.complete) this.#stop(brokenForm('The form was cut off.')) }
    try {
      await new Promise<void>((resolve, reject) => {
        this.#settle = error => {
          if (error === undefined) resolve()
          else reject(error)
        }
        this.#listen()
        request.on('data', count).on('close', cutOff).on('aborted', cutOff)
        request.pipe(this.#parser)
      })
    } catch (error) {
      await Promise.allSettled(this.#work)
      await this.#letGoBy()
      throw error
    } finally {
      clearTimeout(idle)
      request.off('data', count).off('close', cutOff).off('aborted', cutOff)
    }
  }

  #listen (): void {
    this.#parser
      .on('file', (field, stream, filename, _encoding, type) => { this.#file(field, stream, filename, type) })
      .on('field', (field, value, isNameCut) => { this.#field(field, value, isNameCut) })
      .on('error', error => { this.#stop(brokenForm(`The form cannot be read: ${(error as Error).message}.`)) })
      .on('finish', () => {
        Promise.all(this.#work).then(() => { this.#end() }, () => { /* told by #file */ })
      })
  }

  #file (field: string, stream: BusboyFileStream, filename: string, type: string): void {
    // A stream that is destroyed with its form has nobody else to tell.
    stream.on('error', () => {})
    if (!this.#accepts(field, 'files', ++this.#files)) {
      stream.resume()
      return
    }
    this.#open.add(stream)
    stream.once('close', () => this.#open.delete(stream))
    const work = this.reader.file({ field, filename, type, stream })
    this.#work.push(work)
    work.catch((error: unknown) => { this.#stop(error as Error) })
  }

  #field (field: string, value: string, isNameCut: boolean): void {
    if (isNameCut || !this.#accepts(field, 'fields', ++this.#fields)) return
    this.#fieldBytes += Buffer.byteLength(value)
    if (this.#fieldBytes > this.limits.fieldsSize) {
      this.#stop(formTooLarge('All fields of a form', this.limits.fieldsSize))
    } else this.reader.field(field, value)
  }

  /** Whether a part is taken; what is wrong with it ends the reading. */
  #accepts (field: string | undefined, kind: 'files' | 'fields', count: number): boolean {
    const { limits } = this
    if (this.#isOver) return false
    if (count > limits[kind]) this.#stop(tooManyParts(kind, limits[kind]))
    else if (field === undefined) this.#stop(brokenForm('A part of the form has no name.'))
    else if (Buffer.byteLength(field) > limits.fieldNameSize) {
      this.#stop(formTooLarge('The name of a field', limits.fieldNameSize))
    } else if (prototypeNames.has(field)) this.#stop(brokenForm(`No field may have the name "${field}".`))
    else return true
    return false
  }

  #end (): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#settle()
  }

  #stop (error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.request.unpipe(this.#parser)
    for (const stream of this.#open) stream.destroy(error)
    this.#settle(error)
  }

  #letGoBy (): Promise<void> {
    return new Promise(resolve => { afterTheRest(this.request, resolve) })
  }
}
