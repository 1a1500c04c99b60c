import type { Stats, WriteStream, BigIntStats } from 'node:fs'
import { chmod, open, rename, unlink } from 'node:fs/promises'
import type { StagedFile } from '../driver.js'
import { conflict, noContainer } from '../errors.js'
import { unlessMissing } from './errno.js'

/** Owner writes, everybody reads, as files have it that a program makes without saying anything. */
const committedMode = 0o644

/** Where the bytes of a file are, and where they belong. */
export interface StagePaths {
  /** Where the bytes go until they are whole, on the same file system. */
  readonly staged: string
  readonly target: string
  readonly name: string
  readonly container: string
  lookAtTarget (): Promise<BigIntStats | Stats | undefined>
  folderIsThere (): Promise<boolean>
}

/** @throws RequestError 409 where something else than a file has the name */
async function checkTarget ({ name, lookAtTarget }: StagePaths): Promise<void> {
  const found = await lookAtTarget()
  if (found !== undefined && !found.isFile()) {
    throw conflict(`Something else than a file has the name: ${name}`, 'EEXIST')
  }
}

/**
 * Gives a whole file its name, in one step.
 * @throws RequestError 404 where its container has gone, 409 where something else than a file has the name
 */
export async function commitStaged (place: StagePaths): Promise<void> {
  await chmod(place.staged, committedMode)
  // The folder may have gone, or become a link, while the bytes came.
  if (!await place.folderIsThere()) throw noContainer(place.container)
  await checkTarget(place)
  await rename(place.staged, place.target)
}

/** A file that appears under its name by `rename` (storage.md, SS-08, SS-09). */
export class LocalStage implements StagedFile {
  #isOver = false

  private constructor (readonly place: StagePaths, readonly writable: WriteStream) {}

  static async begin (place: StagePaths): Promise<LocalStage> {
    const handle = await open(place.staged, 'wx', 0o600)
    return new LocalStage(place, handle.createWriteStream())
  }

  async check (): Promise<void> {
    await checkTarget(this.place)
  }

  async commit (): Promise<object> {
    await commitStaged(this.place)
    this.#isOver = true
    return {}
  }

  async abort (): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    const { writable } = this
    if (!writable.closed) {
      // Nobody else listens any more, and what the disk says of a file that goes away is of no interest.
      writable.on('error', () => {})
      await new Promise<void>(resolve => { writable.once('close', resolve).destroy() })
    }
    await unlessMissing(unlink(this.place.staged))
  }
}
