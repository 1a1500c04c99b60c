/** A stream that says when there is something to pull (SYD-23), and never what: the pull judges that. */
import { Readable } from 'node:stream'
import type { ModelClass, OperationOptions } from '@fastback/core'
import { createChangeStream, rulesOfNow, StreamSignal } from '@fastback/core/remote'
import { latest, pull, type Pulled, type PullRequest } from './pull.js'

/** Milliseconds between two looks of one stream. */
const pause = 200

/**
 * Events `changed` and `gap`. Begins where `after` is; without it, with what comes from now on. Who is told of a
 * change is who would get it: the stream pulls, one row, and keeps it to itself.
 * @throws RequestError as `pull`
 */
export async function live (
  Model: ModelClass, { after, filter, version }: PullRequest, options: OperationOptions
): Promise<Readable> {
  const look = new Look(Model, filter, options)
  const isBehind = await look.begin(after, version)
  const changes = createChangeStream(Model)
  let isOpen = true
  let timer: NodeJS.Timeout | undefined
  let isBusy = false
  let isDue = false
  const stream = new Readable({
    objectMode: true,
    read () {},
    destroy (error, done) {
      isOpen = false
      clearTimeout(timer)
      changes.destroy()
      done(error)
    }
  })
  const check = (): void => {
    if (!isOpen || isBusy) return
    isBusy = true
    isDue = false
    look.isNews().then(isNews => {
      if (isNews && isOpen) stream.push(new StreamSignal('changed'))
    }, () => {
      // What cannot be known here the client finds out by asking.
      if (isOpen) stream.push(new StreamSignal('gap'))
    }).finally(() => {
      timer = setTimeout(() => {
        isBusy = false
        if (isDue) check()
      }, pause).unref()
    })
  }
  changes.on('data', () => {
    isDue = true
    check()
  })
  // Its client comes back.
  changes.on('error', () => { stream.destroy() })
  if (isBehind) stream.push(new StreamSignal('changed'))
  // What was written between the first look and the listening is found by one more.
  isDue = true
  check()
  return stream
}

/** Where a stream has come to: what its client was told of is behind it. */
class Look {
  #cursor: string | undefined
  #options: OperationOptions

  constructor (readonly Model: ModelClass, readonly filter: unknown, readonly options: OperationOptions) {
    this.#options = options
  }

  /** Whether there is something at once. */
  async begin (after: unknown, version: unknown): Promise<boolean> {
    if (after !== undefined) {
      const { changes, more } = await pull(this.Model, { after, filter: this.filter, version, limit: 1 }, this.options)
      if (changes.length > 0 || more) {
        this.#cursor = await this.#now(version)
        return true
      }
    }
    this.#cursor = after === undefined ? await this.#now(version) : String(after)
    return false
  }

  async isNews (): Promise<boolean> {
    // Roles and rules may have changed since the stream was opened.
    this.#options = await rulesOfNow(this.options)
    for (;;) {
      const page = await this.#next()
      if (page.changes.length > 0) {
        this.#cursor = await this.#now(undefined)
        return true
      }
      this.#cursor = page.cursor
      if (!page.more) return false
    }
  }

  /** @throws RequestError 410 where the client has to begin anew; this goes on from here */
  async #next (): Promise<Pulled> {
    try {
      return await pull(this.Model, { after: this.#cursor, filter: this.filter, limit: 1 }, this.#options)
    } catch (error) {
      if ((error as { code?: unknown }).code === 'CURSOR_EXPIRED') this.#cursor = await this.#now(undefined)
      throw error
    }
  }

  async #now (version: unknown): Promise<string> {
    return await latest(this.Model, { filter: this.filter, version }, this.#options)
  }
}
