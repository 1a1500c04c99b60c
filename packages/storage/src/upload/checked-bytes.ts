import { Transform, type TransformCallback } from 'node:stream'
import { fileTooLarge } from '@fastback/rest/multipart'
import { contentMismatch } from '../errors.js'
import { fits, sniffedBytes } from './sniff.js'

/** What the bytes of a file have to keep to. */
export interface ByteRules {
  /** Bytes. */
  readonly maxFileSize: number
  /** The declared type that the first bytes have to fit, without parameters; undefined: they are not looked at. */
  readonly sniffAs: string | undefined
  /** Takes room for bytes that come; throws where there is none. */
  reserve (bytes: number): void
}

/** What was there of a file before these bytes. */
export interface BytesBefore {
  /** How many. */
  readonly size: number
  /** The first of them, as many as are looked at. */
  readonly head: Buffer
  /** Bytes of the whole file: where there will be more than these, the first are looked at once they are enough. */
  readonly whole: number
}

const noBytes: BytesBefore = { size: 0, head: Buffer.alloc(0), whole: 0 }

/** Lets the bytes of a file through while they keep to the rules, and counts them. */
export class CheckedBytes extends Transform {
  size: number
  /** The first bytes, until they are enough to be looked at. */
  #head: Buffer | undefined

  constructor (readonly rules: ByteRules, readonly before = noBytes) {
    super()
    this.size = before.size
    this.#head = rules.sniffAs === undefined || before.size >= sniffedBytes ? undefined : before.head
  }

  override _transform (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length
    try {
      if (this.size > this.rules.maxFileSize) throw fileTooLarge(this.rules.maxFileSize)
      this.rules.reserve(chunk.length)
      if (this.#head !== undefined) {
        this.#head = Buffer.concat([this.#head, chunk])
        if (this.#head.length >= sniffedBytes) this.#sniff()
      }
    } catch (error) {
      done(error as Error)
      return
    }
    done(null, chunk)
  }

  override _flush (done: TransformCallback): void {
    try {
      if (this.size >= this.before.whole) this.#sniff()
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }

  #sniff (): void {
    const { sniffAs } = this.rules
    if (this.#head === undefined || sniffAs === undefined) return
    if (!fits(sniffAs, this.#head.subarray(0, sniffedBytes))) throw contentMismatch(sniffAs)
    this.#head = undefined
  }
}

/** Counts what goes through. */
export class ByteCount extends Transform {
  size = 0

  override _transform (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length
    done(null, chunk)
  }
}
