/** Writes a text to a file so that a crash leaves the old text or the new one, never a part. */
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'

export class FileWriter {
  readonly #file: string
  readonly #text: () => string
  #writing: Promise<void> | undefined
  #next: Promise<void> | undefined
  #failed = false
  readonly #undo: (error: Error) => boolean

  /**
   * @param text makes the text to write, when a write begins
   * @param undo told of a write that failed, before those who wait for it: takes back what was changed since the last
   * one that did not, and says whether it could
   */
  constructor (file: string, text: () => string, undo: (error: Error) => boolean = () => false) {
    this.#file = file
    this.#text = text
    this.#undo = undo
  }

  /**
   * Resolves when the text as it is now is on the disk. Calls that come while a write is under way, or in the same tick
   * of the event loop, share the next write.
   */
  save (): Promise<void> {
    this.#next ??= this.#after(this.#writing)
    return this.#next
  }

  async #after (writing: Promise<void> | undefined): Promise<void> {
    // What this one was to write is taken back with the failure of the one before, unless nothing could be: then it
    // writes everything again.
    await writing?.catch(error => { if (!this.#failed) throw error })
    await setImmediate()
    this.#writing = this.#next
    this.#next = undefined
    try {
      await this.#write(this.#text())
      this.#failed = false
    } catch (error) {
      this.#failed = !this.#undo(error as Error)
      if (!this.#failed) {
        // A change from here on is on top of what is on the disk, and has nothing to do with this failure.
        this.#next = undefined
        this.#writing = undefined
      }
      throw error
    }
  }

  async #write (text: string): Promise<void> {
    const temporary = `${this.#file}.tmp`
    try {
      const handle = await open(temporary, 'w', 0o600)
      try {
        await handle.writeFile(text)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporary, this.#file)
    } catch (error) {
      // A full disk is not made fuller.
      await rm(temporary, { force: true }).catch(() => {})
      throw error
    }
    await syncFolder(dirname(this.#file))
  }

  /** Waits for writes that are under way, and tries once more when the last one failed and could not be taken back. */
  async settle (): Promise<void> {
    while (this.#next !== undefined) await this.#next.catch(() => {})
    await this.#writing?.catch(() => {})
    if (this.#failed) await this.save()
  }
}

/** The new name is on the disk when the folder is. Windows cannot sync folders and need not. */
async function syncFolder (folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
