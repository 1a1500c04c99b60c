/** Writes a text to a file so that a crash leaves the old text or the new one, never a part. */
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'

export class FileWriter {
  readonly #file: string
  readonly #text: () => string
  #writing: Promise<void> | undefined
  #next: Promise<void> | undefined
  #failed = false

  /** @param text makes the text to write, when a write begins */
  constructor (file: string, text: () => string) {
    this.#file = file
    this.#text = text
  }

  /**
   * Resolves when the text as it is now is on the disk. Calls that come while a write is under way, or in the same turn of the event loop,
   * share the next write.
   */
  save (): Promise<void> {
    this.#next ??= this.#after(this.#writing)
    return this.#next
  }

  async #after (writing: Promise<void> | undefined): Promise<void> {
    // Whoever waits for the write before hears of its failure; this one writes everything again.
    await writing?.catch(() => {})
    await setImmediate()
    this.#writing = this.#next
    this.#next = undefined
    this.#failed = true
    await this.#write(this.#text())
    this.#failed = false
  }

  async #write (text: string): Promise<void> {
    const temporary = `${this.#file}.tmp`
    const handle = await open(temporary, 'w', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, this.#file)
    await syncFolder(dirname(this.#file))
  }

  /** Waits for writes that are under way, and tries once more when the last one failed. */
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
