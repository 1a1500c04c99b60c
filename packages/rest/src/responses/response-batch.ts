/**
 * Responses of a tick of the event loop go out together. Requests that arrive together are dealt with one after the
 * other; a response that goes out between two of them wakes up who waits for it, a call of the system that costs more
 * than a small request itself, and the code of the two ways takes turns in the caches of the processor. Once all have
 * been dealt with, the first response wakes a client or a proxy up, and finds it awake for the others.
 */
import { AsyncResource } from 'node:async_hooks'
import { TickPace } from '@fastback/core/connector'
import { afterTick, isTickEnding } from '@fastback/core/remote'
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyReply, onSendHookHandler } from 'fastify'
import { InnerIncoming } from '../calls/inner-exchange.js'

const Count = Type.Optional(Type.Integer({ minimum: 1 }))

/** What goes out together at most; false: each answer at once. */
export const ResponseBatchingSchema = Type.Union([
  Type.Object(
    {
      /** Default: 32. */
      answers: Count,
      /** Of all of them. Default: 262,144. */
      characters: Count,
      /** For which the first one waits for others, and then for the request under way. Default: 1. */
      milliseconds: Count
    },
    { additionalProperties: false }
  ),
  Type.Literal(false)
])
export type ResponseBatching = Static<typeof ResponseBatchingSchema>

/** With every default filled in. */
export type HoldingLimits = Readonly<Required<Exclude<ResponseBatching, false>>>

export const defaultHoldingLimits: HoldingLimits = { answers: 32, characters: 262_144, milliseconds: 1 }

/** Answers in a turn from which it is worth holding them. */
const worthwhile = 2
/** Of the time that a response may wait for others: where one request takes so long, it is not worth to wait for it. */
const slow = 5
/** Responses that go out at once after that: few where it was once, for the system may have let others run instead. */
const shortPause = 8
/** At most: it grows while requests go on to take long. */
const longPause = 256
const growth = 4

type Done = Parameters<onSendHookHandler>[3]

/** What is left of a request, in its own asynchronous context. */
class HeldAnswer extends AsyncResource {
  readonly #reply: FastifyReply
  readonly #done: Done

  constructor (reply: FastifyReply, done: Done) {
    super('FASTBACK_ANSWER')
    this.#reply = reply
    this.#done = done
  }

  send (): void {
    try {
      this.runInAsyncScope(this.#done)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** Answers with an error in place of the text: Node refuses a header that HTTP does not allow when it writes it. */
  #fail (error: Error): void {
    try {
      this.runInAsyncScope(this.#done, undefined, error)
    } catch (another) {
      this.#reply.log.error({ err: another }, 'A response could not be sent.')
      this.#reply.raw.destroy()
    }
  }
}

/** The responses of one context. */
export class ResponseBatch {
  readonly #limits: HoldingLimits
  #held: HeldAnswer[] = []
  #characters = 0
  /** When the first of them was held. */
  #since = 0
  /** How many more go out at once, after a request that took long. */
  #paused = 0
  #nextPause = shortPause
  readonly #pace = new TickPace(answers => {
    this.#send(performance.now())
    return answers
  }, { worthwhile, awaitEnd: afterTick })

  constructor (limits: HoldingLimits) {
    this.#limits = limits
  }

  /**
   * The hook, to be the last one of its kind: for texts, and responses without a body. What is an error, a stream or
   * bytes goes out at once, parts of other requests do, and everything where requests come alone.
   */
  readonly hold: onSendHookHandler<unknown> = (request, reply, payload, done) => {
    const text = payload ?? ''
    // A part of another request: there is no write to be saved, and that one waits.
    const isInner = request.raw instanceof InnerIncoming
    if (typeof text !== 'string' || isInner || reply.statusCode >= 400 || isTickEnding() || !this.#enter()) {
      done()
      return
    }
    const { answers, characters, milliseconds } = this.#limits
    const now = performance.now()
    if (this.#held.length === 0) this.#since = now
    this.#characters += text.length
    if (this.#held.push(new HeldAnswer(reply, done)) >= answers ||
      this.#characters > characters || now - this.#since > milliseconds) this.#send(now)
  }

  /** Counts a response in; whether those of this tick wait for each other. */
  #enter (): boolean {
    if (this.#paused === 0) return this.#pace.enter() === 'busy'
    this.#paused--
    return false
  }

  /** @param now as `performance.now()` says it */
  #send (now: number): void {
    if (this.#held.length === 0) return
    if (now - this.#since > this.#limits.milliseconds * slow) {
      this.#paused = this.#nextPause
      this.#nextPause = Math.min(longPause, this.#nextPause * growth)
    } else this.#nextPause = shortPause
    const held = this.#held
    this.#held = []
    this.#characters = 0
    for (const answer of held) answer.send()
  }
}
