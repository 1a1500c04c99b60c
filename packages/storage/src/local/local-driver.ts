/**
 * Containers as folders, files as files: `<root>/<container>/<file>`, raw bytes and nothing beside them, so that other
 * programs may use the same folders (storage.md, SD-11).
 */
import { constants, type BigIntStats } from 'node:fs'
import { lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, stat, statfs, unlink, type FileHandle } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { ContainerStat, FileStat, Page, ReadRange, StagedFile, StorageDriver } from '../driver.js'
import { conflict, containerExists, noContainer, noFile, NoRootError } from '../errors.js'
import { isName, stagingName, type NameRules } from '../names.js'
import { isErrno, unlessMissing } from './errno.js'
import { LocalParts } from './local-parts.js'
import { LocalStage, type StagePaths } from './local-stage.js'

export interface LocalSettings extends NameRules {
  /** An existing folder, absolute. */
  readonly root: string
  /** Whether links that stay below the root are followed. */
  readonly followLinks: boolean
  /** Whether the folder is made where it is not there. */
  readonly createRoot: boolean
  /** Whether uploads may go on after a cut: what there is of them is kept. */
  readonly resumable: boolean
}

/** Milliseconds after which what a killed process left behind is removed. */
const leftOverAge = 24 * 60 * 60 * 1000
/** Where uploads stand that may go on: they end by a time of their own. */
const partsName = 'resumable'
/** Bytes read at a time. */
const chunkSize = 256 * 1024
/** Files looked at side by side. */
const sideBySide = 64

const openFlags = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0)
const noFollow = (constants.O_NOFOLLOW as number | undefined) ?? 0

export class LocalDriver implements StorageDriver {
  /** The real path of the root, known once connected. */
  #root = ''
  #parts: LocalParts | undefined

  constructor (readonly dataSource: string, readonly settings: LocalSettings) {}

  /** @throws FBK_STORAGE_NO_ROOT */
  async connect (): Promise<void> {
    const { root, createRoot } = this.settings
    if (createRoot) await mkdir(root, { recursive: true })
    const found = await unlessMissing(stat(root))
    if (found?.isDirectory() !== true) throw new NoRootError(this.dataSource, root)
    this.#root = await realpath(root)
    await mkdir(this.#staging(), { recursive: true, mode: 0o700 })
    await this.#removeLeftOvers()
    if (!this.settings.resumable) return
    const folder = path.join(this.#staging(), partsName)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    this.#parts = new LocalParts(folder, (staged, container, file) => this.#place(staged, container, file))
  }

  get parts (): LocalParts | undefined {
    return this.#parts
  }

  async close (): Promise<void> {}

  async containers (): Promise<ContainerStat[]> {
    const names = await this.#namesIn(this.#root)
    const found = await inBatches(names, async name => await this.container(name))
    return found.filter(container => container !== undefined)
  }

  async container (name: string): Promise<ContainerStat | undefined> {
    const found = await this.#look(path.join(this.#root, name))
    return found?.isDirectory() === true ? { name, ...datesOf(found) } : undefined
  }

  async create (name: string): Promise<ContainerStat> {
    try {
      await mkdir(path.join(this.#root, name))
    } catch (error) {
      throw isErrno(error, 'EEXIST') ? containerExists(name) : error
    }
    return await this.container(name) as ContainerStat
  }

  /** The folder goes out of sight in one step, and then its files one by one (SD-4). */
  async destroy (name: string): Promise<void> {
    if (await this.container(name) === undefined) throw noContainer(name)
    const folder = path.join(this.#root, name)
    const entries = await readdir(folder, { withFileTypes: true })
    if (entries.some(entry => !entry.isFile())) {
      throw conflict(`The container holds something else than files: ${name}`, 'ENOTEMPTY')
    }
    const aside = path.join(this.#staging(), randomUUID())
    try {
      await rename(folder, aside)
    } catch (error) {
      throw isErrno(error, 'ENOENT') ? noContainer(name) : error
    }
    for (const entry of await readdir(aside)) await unlink(path.join(aside, entry))
    await rmdir(aside)
  }

  async files (container: string, { prefix = '', after = '', limit = Infinity }: Page): Promise<FileStat[]> {
    if (await this.container(container) === undefined) return []
    const names = (await this.#namesIn(path.join(this.#root, container)))
      .filter(name => name.startsWith(prefix) && (after === '' || name > after))
    const files: FileStat[] = []
    // What is no file does not count, so that it takes more than one look to fill a page.
    for (let at = 0; at < names.length && files.length < limit; at += sideBySide) {
      const found = await Promise.all(names.slice(at, at + sideBySide).map(name => this.#stat(container, name)))
      files.push(...found.filter(file => file !== undefined))
    }
    return files.length > limit ? files.slice(0, limit) : files
  }

  async stat (container: string, file: string): Promise<FileStat | undefined> {
    return await this.container(container) === undefined ? undefined : await this.#stat(container, file)
  }

  async read (container: string, file: string, { start, end, validator }: ReadRange): Promise<Readable> {
    const handle = await this.#open(container, file)
    if (handle === undefined) throw noFile(file)
    try {
      const found = await handle.stat({ bigint: true })
      if (!found.isFile() || (validator !== undefined && validatorOf(found) !== validator)) throw noFile(file)
      const last = end === undefined ? {} : { end }
      return handle.createReadStream({ start: start ?? 0, ...last, highWaterMark: chunkSize })
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async stage (container: string, file: string): Promise<StagedFile> {
    return await LocalStage.begin(this.#place(path.join(this.#staging(), randomUUID()), container, file))
  }

  async remove (container: string, file: string): Promise<void> {
    if (await this.stat(container, file) === undefined) throw noFile(file)
    try {
      await unlink(this.#pathOf(container, file))
    } catch (error) {
      throw isErrno(error, 'ENOENT') ? noFile(file) : error
    }
  }

  async free (): Promise<number> {
    const { bavail, bsize } = await statfs(this.#root)
    return bavail * bsize
  }

  async #stat (container: string, name: string): Promise<FileStat | undefined> {
    const found = await this.#look(this.#pathOf(container, name))
    return found?.isFile() === true
      ? { container, name, ...datesOf(found), validator: validatorOf(found) }
      : undefined
  }

  #place (staged: string, container: string, file: string): StagePaths {
    const target = this.#pathOf(container, file)
    return {
      staged,
      target,
      lookAtTarget: () => this.#look(target),
      name: file,
      folderIsThere: async () => await this.container(container) !== undefined,
      container
    }
  }

  #pathOf (container: string, file: string): string {
    return path.join(this.#root, container, file)
  }

  #staging (): string {
    return path.join(this.#root, stagingName)
  }

  async #namesIn (folder: string): Promise<string[]> {
    const names = await readdir(folder)
    return names.filter(name => isName(name, this.settings)).sort()
  }

  /** What lies at a path. Links are followed only where the settings say so, and below the root (SS-02, SS-03). */
  async #look (target: string): Promise<BigIntStats | undefined> {
    if (!this.settings.followLinks) return await unlessMissing(lstat(target, { bigint: true }))
    const real = await unlessMissing(realpath(target))
    if (real === undefined || !this.#isBelowRoot(real)) return undefined
    return await unlessMissing(stat(real, { bigint: true }))
  }

  /**
   * An open file that lies where its name says: what the path leads to is looked at after it was opened, so that nobody
   * can put a link in between.
   */
  async #open (container: string, file: string): Promise<FileHandle | undefined> {
    const { followLinks } = this.settings
    const target = this.#pathOf(container, file)
    const handle = await unlessMissing(open(target, followLinks ? openFlags : openFlags | noFollow))
    if (handle === undefined) return undefined
    const real = await unlessMissing(realpath(target))
    if (real !== undefined && (followLinks ? this.#isBelowRoot(real) : real === target)) return handle
    await handle.close()
    return undefined
  }

  #isBelowRoot (real: string): boolean {
    return real.startsWith(this.#root + path.sep) && !real.startsWith(this.#staging() + path.sep)
  }

  async #removeLeftOvers (): Promise<void> {
    const staging = this.#staging()
    const limit = Date.now() - leftOverAge
    for (const name of await readdir(staging)) {
      if (name === partsName && this.settings.resumable) continue
      const leftOver = path.join(staging, name)
      const found = await unlessMissing(lstat(leftOver))
      if (found !== undefined && found.mtimeMs < limit) await rm(leftOver, { recursive: true, force: true })
    }
  }
}

const datesOf = ({ size, atime, mtime, ctime }: BigIntStats) => ({ size: Number(size), atime, mtime, ctime })

/** Files change by `rename` only, so that these three tell one state of a name from every other (SD-9). */
const validatorOf = ({ ino, size, mtimeNs }: BigIntStats): string =>
  `${ino.toString(36)}-${size.toString(36)}-${mtimeNs.toString(36)}`

async function inBatches<T, R> (all: readonly T[], look: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < all.length; at += sideBySide) {
    results.push(...await Promise.all(all.slice(at, at + sideBySide).map(look)))
  }
  return results
}
