/** Containers and files as applications and clients see them (storage.md, ST-20, ST-21, ST-50). */
import type { ContainerStat, FileStat } from './driver.js'

/** What of a container is shown. */
export interface ContainerData {
  readonly name: string
  readonly size: number
  readonly atime: Date
  readonly mtime: Date
  readonly ctime: Date
}

/** What of a file is shown. */
export interface FileData extends ContainerData {
  readonly container: string
  readonly etag?: string
  readonly type?: string
  readonly provider?: Readonly<Record<string, unknown>>
}

abstract class Entry<Data extends object> {
  readonly #data: Data

  constructor (data: Data) {
    this.#data = data
    Object.assign(this, data)
  }

  toJSON (): Data { return this.#data }
  getMetadata (): Data { return this.#data }
  getRawMetadata (): Data { return this.#data }
}

/** A container, with its data as properties. */
export type StoredContainer = Entry<ContainerData> & ContainerData
/** A file, with its data as properties. */
export type StoredFile = Entry<FileData> & FileData

class Container extends Entry<ContainerData> {}
class File extends Entry<FileData> {}

export const containerOf = ({ name, size, atime, mtime, ctime }: ContainerStat): StoredContainer =>
  new Container({ name, size, atime, mtime, ctime }) as StoredContainer

export const fileOf = ({ container, name, size, atime, mtime, ctime, etag, type, provider }: FileStat): StoredFile =>
  new File({
    container,
    name,
    size,
    atime,
    mtime,
    ctime,
    ...(etag === undefined ? {} : { etag }),
    ...(type === undefined ? {} : { type }),
    ...(provider === undefined ? {} : { provider })
  }) as StoredFile
