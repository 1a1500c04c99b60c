import type { StagedFile } from '../driver.js'

/**
 * The files of one request that are on their way. A request may end while the store still opens one: that one is given
 * up as soon as it is there.
 */
export class Stages {
  readonly #all: StagedFile[] = []
  #isOver = false

  /** @throws Error where the request has ended meanwhile */
  async add (staged: StagedFile): Promise<void> {
    if (this.#isOver) {
      await staged.abort()
      throw new Error('The request has ended.')
    }
    this.#all.push(staged)
  }

  /** Leaves nothing of what is not committed. */
  async giveUp (): Promise<void> {
    this.#isOver = true
    await Promise.allSettled(this.#all.map(async staged => { await staged.abort() }))
  }
}
