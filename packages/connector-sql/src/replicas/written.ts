/** What sessions of this process wrote last. */
import type { MaybePromise } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { newest, type Mark } from './mark.js'

/** Sessions that are remembered one by one. */
const most = 10_000

export class Written {
  /** By session; what nobody's session is known of is under undefined, and is everybody's. */
  readonly #marks = new Map<string | undefined, MaybePromise<Mark>>()
  readonly #take: () => MaybePromise<Mark>

  /** @param take makes the mark of everything that was written until now; does not fail */
  constructor (take: () => MaybePromise<Mark>) {
    this.#take = take
  }

  /** Takes note of a write that is done, or may be. */
  wrote (session: string | undefined): void {
    this.#set(session, this.#take())
    if (this.#marks.size > most + 1) this.#forgetOldest()
  }

  /** What a replica must have to answer this session; undefined: nothing. */
  of (session: string | undefined): MaybePromise<Mark | undefined> {
    const common = this.#marks.get(undefined)
    const own = session === undefined ? undefined : this.#marks.get(session)
    return own === undefined || common === undefined ? own ?? common : both(own, common)
  }

  #set (session: string | undefined, mark: MaybePromise<Mark>): void {
    // Behind all others: the one that wrote least lately is forgotten first.
    this.#marks.delete(session)
    this.#marks.set(session, mark)
    if (!isPromise(mark)) return
    mark.then(known => { if (this.#marks.get(session) === mark) this.#marks.set(session, known) }, () => {})
  }

  /** What it wrote becomes everybody's, which is true as well. */
  #forgetOldest (): void {
    for (const [session, mark] of this.#marks) {
      if (session === undefined) continue
      this.#marks.delete(session)
      const common = this.#marks.get(undefined)
      this.#set(undefined, common === undefined ? mark : both(mark, common))
      return
    }
  }
}

const both = (one: MaybePromise<Mark>, other: MaybePromise<Mark>): MaybePromise<Mark> =>
  chain(one, first => chain(other, second => newest(first, second)))
