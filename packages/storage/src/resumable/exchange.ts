/**
 * What the protocol and those who keep the bytes say to each other. Nothing here is of a package that may be missing.
 */
import type { Readable } from 'node:stream'
import type { StorageRequest } from '../http.js'

export type Verb = 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** What a client says of a new upload. */
export interface NewUpload {
  readonly size: number
  readonly metadata: Readonly<Record<string, string | null>>
}

/** How far an upload is. */
export interface UploadState extends NewUpload {
  readonly offset: number
  readonly touched: Date
}

/** One request; its methods are called as the protocol has it. */
export interface Exchange {
  readonly id: string
  readonly verb: Verb
  readonly req: StorageRequest
  readonly body: Readable | undefined
  /** Bytes of a file, where one number says it. */
  readonly maxSize: number | undefined
  create (upload: NewUpload): Promise<void>
  state (): Promise<UploadState>
  /** Gives the new offset. */
  write (bytes: Readable, offset: number): Promise<number>
  remove (): Promise<void>
}

/** Lets a request be answered; gives the headers of the response. */
export type Speak = (exchange: Exchange) => Promise<Map<string, string>>
