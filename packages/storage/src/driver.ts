/**
 * What a provider of storage must do. Names were checked before (storage.md, SS-01). A driver throws the errors of
 * `errors.ts`, and nothing that names a path of the machine or a key of another container.
 */
import type { Readable, Writable } from 'node:stream'

export interface ContainerStat {
  readonly name: string
  /** A number without a meaning; folders have one, other providers give 0. */
  readonly size: number
  readonly atime: Date
  readonly mtime: Date
  readonly ctime: Date
}

export interface FileStat {
  readonly container: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly atime: Date
  readonly mtime: Date
  readonly ctime: Date
  /** Tells this state of the file from every other (RFC 9110, 8.8.1), without quotes. Not shown in lists. */
  readonly validator?: string
  /** The provider's own, shown in lists. */
  readonly etag?: string
  /** The media type, where the provider knows it. */
  readonly type?: string
  /** What else the provider says. */
  readonly provider?: Readonly<Record<string, unknown>>
}

/** Part of a list. */
export interface Page {
  readonly prefix?: string | undefined
  /** Only names that come after this one. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

export interface ReadRange {
  /** First byte. Default: 0. */
  readonly start?: number | undefined
  /** Last byte, inclusive. Default: the last one of the file. */
  readonly end?: number | undefined
  /** The file must still be this one (`FileStat.validator`). */
  readonly validator?: string | undefined
}

export interface StageOptions {
  readonly type?: string | undefined
  readonly acl?: string | undefined
  /** Further settings of the provider, by their names (storage.md, ST-04). */
  readonly settings?: Readonly<Record<string, unknown>> | undefined
}

/** A file on its way: nobody sees it before `commit`. */
export interface StagedFile {
  readonly writable: Writable
  /** Whether the file can take its place, before any file of the form takes its own. Throws 409 where it cannot. */
  check (): Promise<void>
  /** Puts the file in its place, whole. Called once `writable` has finished. */
  commit (): Promise<{ readonly providerResponse?: unknown }>
  /** Leaves nothing behind. May be called at any time, more than once. */
  abort (): Promise<void>
}

/** What a store keeps of an upload that may go on after a cut. */
export interface StoredUpload {
  /** As it was given. */
  readonly record: string
  /** Bytes that are there; undefined once they have gone to their place. */
  readonly offset: number | undefined
  /** When something of it was last written. */
  readonly touched: Date
}

/**
 * Uploads that may go on after a cut, also in another process: a record, and the bytes that came. Ids are hexadecimal
 * digits. Of one upload, one method runs at a time.
 */
export interface PartStore {
  begin (id: string, record: string): Promise<void>
  update (id: string, record: string): Promise<void>
  find (id: string): Promise<StoredUpload | undefined>
  ids (): Promise<string[]>
  /** Writes what comes behind the first `offset` bytes. What was written stays when the bytes end in an error. */
  append (id: string, offset: number, bytes: AsyncIterable<Buffer>): Promise<void>
  read (id: string, range: Omit<ReadRange, 'validator'>): Readable
  /** Makes a whole file of the bytes. Throws 404 without the container, 409 where something is in the way. */
  place (id: string, container: string, file: string): Promise<void>
  /** Removes the bytes, and keeps the record. */
  drop (id: string): Promise<void>
  remove (id: string): Promise<void>
}

/** What a client says of a file that it is going to send to a signed address. */
export interface AnnouncedFile {
  /** Its media type. */
  readonly type?: string | undefined
  /** Bytes. */
  readonly size?: number | undefined
}

/** A signed address, for one file and verb. */
export interface SignedAddress {
  readonly url: string
  readonly method: 'GET' | 'PUT'
  /** Headers that the client has to send. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * ```js
 * app.dataSource('photos', { connector: 'loopback-component-storage', provider: myDriver })
 * ```
 */
export interface StorageDriver {
  /** Checks the settings at start. */
  connect (): Promise<void>
  close (): Promise<void>
  /** In the order of their names. */
  containers (): Promise<ContainerStat[]>
  container (name: string): Promise<ContainerStat | undefined>
  /** Throws 409 EEXIST. */
  create (name: string): Promise<ContainerStat>
  /** With its files. Throws 404 ENOENT, and 409 where it holds something else than files. */
  destroy (name: string): Promise<void>
  /** In the order of their names; none where there is no such container. */
  files (container: string, page: Page): Promise<FileStat[]>
  stat (container: string, file: string): Promise<FileStat | undefined>
  /** Throws 404 ENOENT where there is no such file, or no longer the one that `validator` names. */
  read (container: string, file: string, range: ReadRange): Promise<Readable>
  /** The container exists. */
  stage (container: string, file: string, options: StageOptions): Promise<StagedFile>
  /** Throws 404 ENOENT. */
  remove (container: string, file: string): Promise<void>
  /**
   * Present where the provider signs addresses. `ttl` in seconds. What is announced of a file is signed with its
   * address, as far as the provider looks at it.
   */
  presign? (
    verb: 'GET' | 'PUT', container: string, file: string, ttl: number, sent?: AnnouncedFile
  ): Promise<SignedAddress>
  /** Present where uploads can go on after a cut. Looked for once connected. */
  readonly parts?: PartStore | undefined
  /** Bytes that are free, where that can be told. */
  free? (): Promise<number>
}
