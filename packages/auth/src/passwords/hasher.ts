/**
 * Password hashes: argon2id for new ones, bcrypt understood. All work is done off the event loop, a few hashes at a
 * time, so that a burst of logins neither stops other requests nor fills the memory.
 */
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import fastq, { type queueAsPromised } from 'fastq'
import { hashingOverloaded } from '../errors.js'

export interface HasherOptions {
  /** Hashes worked out at the same time. Default: one less than there are processors, at least one. */
  readonly concurrency?: number | undefined
  /** Hashes that may wait; more are answered with 503. Default: 1,000. */
  readonly queue?: number | undefined
}

/** The least that OWASP recommends for argon2id: 19 MiB, two passes, one lane. */
export const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * A hash that no password has, with today's parameters: what is compared for users that do not exist, so that they take
 * as long as others.
 */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$bm8gdXNlciBoYXMgdGhpcw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

const argon2Hash = /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/
const bcryptHash = /^\$2[aby]?\$\d{2}\$[./A-Za-z0-9]{53}$/

/** Whether a text is a password hash, and not a password. Asked only of what comes from code in the process. */
export const isHash = (text: unknown): boolean =>
  typeof text === 'string' && (argon2Hash.test(text) || bcryptHash.test(text))

/**
 * A hash for code that cannot wait (`User.hashPassword`), made with bcrypt while everything else waits. A login makes
 * it anew.
 */
export function hashAtOnce (password: string): string {
  const bcrypt = createRequire(import.meta.url)('bcryptjs') as typeof import('bcryptjs')['default']
  return bcrypt.hashSync(password.normalize('NFC'), 10)
}

/**
 * Hashes and compares passwords off the event loop, some at a time: `concurrency` (default: one less than there are
 * processors), `queue` (default: 1,000 may wait).
 *
 * ```js
 * const hasher = new PasswordHasher({ concurrency: 2 })
 * const hash = await hasher.hash('secret') // '$argon2id$v=19$…'
 * await hasher.verify('secret', hash) // true
 * ```
 */
export class PasswordHasher {
  readonly #queue: queueAsPromised<() => Promise<unknown>>
  readonly #waiting: number

  constructor ({ concurrency = Math.max(1, availableParallelism() - 1), queue = 1000 }: HasherOptions = {}) {
    this.#queue = fastq.promise(async (work: () => Promise<unknown>) => await work(), concurrency)
    this.#waiting = queue
  }

  /** How many hashes are worked out, and how many wait. */
  get load (): { readonly running: number, readonly waiting: number } {
    return { running: this.#queue.running(), waiting: this.#queue.length() }
  }

  /** @throws RequestError 503 when too many wait already */
  async hash (password: string): Promise<string> {
    const { default: argon2 } = await import('argon2')
    return await this.#run(() => argon2.hash(password.normalize('NFC'), { type: argon2.argon2id, ...parameters }))
  }

  /**
   * Whether the password is the one that was hashed: as it was sent (hashes of before), else in the form NFC (OI-265).
   * Without a hash, as much time is spent and the response is false.
   * @throws RequestError 503 when too many wait already
   */
  async verify (password: string, hash: string | undefined): Promise<boolean> {
    if (await this.#compare(password, hash)) return true
    const normal = password.normalize('NFC')
    return normal !== password && await this.#compare(normal, hash)
  }

  async #compare (password: string, hash: string | undefined): Promise<boolean> {
    if (hash !== undefined && bcryptHash.test(hash)) return await this.#run(() => compareBcrypt(password, hash))
    const { default: argon2 } = await import('argon2')
    const known = hash !== undefined && argon2Hash.test(hash)
    const matches = await this.#run(() => argon2.verify(known ? hash : nobody, password))
    return known && matches
  }

  /**
   * Whether a hash should be made anew with the password at hand: it is bcrypt's, or has weaker parameters than
   * today's.
   */
  async isOutdated (hash: string): Promise<boolean> {
    if (bcryptHash.test(hash)) return true
    const { default: argon2 } = await import('argon2')
    return argon2.needsRehash(hash, parameters)
  }

  async #run<T> (work: () => Promise<T>): Promise<T> {
    if (this.#queue.length() >= this.#waiting) throw hashingOverloaded()
    return await this.#queue.push(work) as T
  }
}

/**
 * bcrypt is worked out in JavaScript: in a thread of its own. It happens once per migrated user, so the thread is not
 * kept.
 */
function compareBcrypt (password: string, hash: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./bcrypt-worker.js', import.meta.url), { workerData: { password, hash } })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', code => {
      if (code !== 0) reject(new Error(`The thread that compares a bcrypt hash ended with code ${code}.`))
    })
  })
}
