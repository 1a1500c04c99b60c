/** A bus over a driver: numbers what it sends, sees what is missing, keeps what waits, and connects again. */
import { nanoid } from 'nanoid'
import type { BusDriver, BusLink, BusLog } from './bus.js'
import { unwrapped, wrapped, type Envelope } from './envelope.js'
import { Members } from './members.js'

/** Who hears what a shared bus receives. */
export interface SharedBusListener {
  message (topic: string, payload: unknown): void
  reset (): void
  others (areThere: boolean): void
}

/** Topics of the members themselves: nobody else's begins with a blank. */
const hello = ' hello'
const here = ' here'
const bye = ' bye'

/** Messages that wait for the connection; where there are more all of them are lost, which the others see. */
const mostWaiting = 10_000
/** Messages that the driver gets at once. */
const batch = 100
/** Milliseconds until somebody who is alone knows it. */
const answerTime = 1000
/** Milliseconds between two signs of life of a member that sends nothing else. */
const usualBeat = 5_000
/** Beats after which a member that is silent is asked whether it is there; a beat later it is given up. */
const silentBeats = 2
/** Milliseconds between two attempts to connect: the first, and the longest. */
const firstPause = 50
const longestPause = 2000
/** Milliseconds that `close` waits for what is still to be sent. */
const closeTime = 2000

export class SharedBus {
  readonly #me = nanoid(12)
  readonly #members = new Members()
  readonly #link: BusLink
  #waiting: string[] = []
  #number = 0
  #hasOthers = true
  #isUp = false
  #isClosed = false
  #sending: Promise<void> | undefined
  #isConnecting = false
  #pause: (() => void) | undefined
  #answers: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined
  /** The number of the last message at the beat before. */
  #numberAtBeat = 0
  /** Members that were silent for long, and are asked. */
  #silent: readonly string[] = []

  /** @param beat milliseconds between two signs of life */
  constructor (
    readonly driver: BusDriver, readonly listener: SharedBusListener, readonly log: BusLog, readonly beat = usualBeat
  ) {
    this.#link = {
      receive: text => { this.#receive(text) },
      gap: () => { this.#lose() },
      lost: error => { this.#lost(error) }
    }
  }

  get hasOthers (): boolean {
    return this.#hasOthers
  }

  /** Connects once. @throws what the driver throws */
  async open (): Promise<void> {
    this.#beat ??= setInterval(() => { this.#look() }, this.beat).unref()
    await this.driver.connect(this.#link)
    this.#isUp = true
    this.#greet()
  }

  /** The same where a driver was chosen that nobody asked for: where it cannot connect, it goes on trying. */
  async openLater (): Promise<void> {
    await this.open().catch(error => {
      this.#isUp = true
      this.#lost(error)
    })
  }

  publish (topic: string, payload: unknown): void {
    // While the connection is lost somebody may come who cannot be heard of.
    if (this.#hasOthers || !this.#isUp) this.#enqueue(topic, payload)
  }

  /** Sends what waits, where that is possible in time, and leaves. */
  async close (): Promise<void> {
    if (this.#isClosed) return
    if (this.#isUp) this.#enqueue(bye, null)
    this.#isClosed = true
    clearTimeout(this.#answers)
    clearInterval(this.#beat)
    this.#pause?.()
    if (this.#isUp) await within(closeTime, this.#send())
    await this.driver.close()
  }

  #enqueue (topic: string, payload: unknown): void {
    if (this.#isClosed) return
    if (this.#waiting.length >= mostWaiting) this.#waiting = []
    this.#waiting.push(wrapped({ from: this.#me, number: ++this.#number, topic, payload }))
    if (this.#isUp) this.#send()
  }

  /** One batch after the other; together what is published in one tick. */
  #send (): Promise<void> {
    return (this.#sending ??= this.#sendAll())
  }

  async #sendAll (): Promise<void> {
    await Promise.resolve()
    while (this.#isUp && this.#waiting.length > 0) {
      const texts = this.#waiting.slice(0, batch)
      try {
        await this.driver.send(texts)
        // Unless they were given up meanwhile.
        if (this.#waiting[0] === texts[0]) this.#waiting.splice(0, texts.length)
      } catch (error) {
        this.#lost(error)
      }
    }
    // At once: what is published in the next tick must find nobody who has just stopped looking.
    this.#sending = undefined
  }

  #receive (text: string): void {
    const envelope = unwrapped(text)
    if (envelope === undefined || envelope.from === this.#me || this.#isClosed) return
    const isNew = !this.#members.has(envelope.from)
    const arrival = this.#members.arrive(envelope)
    if (arrival === 'known') return
    if (isNew) this.#setOthers(true)
    if (arrival === 'gap') this.listener.reset()
    this.#take(envelope, isNew)
  }

  #take ({ from, topic, payload }: Envelope, isNew: boolean): void {
    if (topic === bye) {
      this.#members.remove(from)
      if (this.#members.size === 0) this.#setOthers(false)
    } else if (topic === hello) this.#enqueue(here, null)
    else if (topic !== here) this.listener.message(topic, payload)
    // Anyone who was heard of by chance does not know of this member either.
    else if (isNew) this.#enqueue(here, null)
  }

  #setOthers (areThere: boolean): void {
    if (this.#hasOthers === areThere) return
    this.#hasOthers = areThere
    this.listener.others(areThere)
  }

  /** Says that it is there. Until others had the time to answer they may be there as well. */
  #greet (): void {
    this.#setOthers(true)
    this.#enqueue(hello, null)
    clearTimeout(this.#answers)
    this.#answers = setTimeout(() => {
      if (this.#isUp && this.#members.size === 0) this.#setOthers(false)
    }, answerTime).unref()
  }

  /**
   * Says that it is there, and looks for members that say nothing any more: who was killed may have changed what it
   * told nobody. A slow process may have been the one that did not listen, so whoever is silent is asked first.
   */
  #look (): void {
    if (!this.#isUp || !this.#hasOthers) return
    if (this.#number === this.#numberAtBeat) this.#enqueue(here, null)
    const silent = this.#members.silentFor(silentBeats * this.beat)
    const ended = silent.filter(member => this.#silent.includes(member))
    this.#silent = silent.filter(member => !ended.includes(member))
    if (this.#silent.length > 0) this.#enqueue(hello, null)
    this.#numberAtBeat = this.#number
    if (ended.length === 0) return
    for (const member of ended) this.#members.remove(member)
    // It may come back, so others may still be there.
    this.listener.reset()
  }

  #lose (): void {
    if (this.#isClosed) return
    this.#members.lose()
    this.listener.reset()
  }

  #lost (error: unknown): void {
    if (this.#isClosed || !this.#isUp) return
    this.#isUp = false
    this.log.warn({ err: error }, 'the connection of the bus is lost; connecting again')
    if (this.#isConnecting) return
    this.#isConnecting = true
    this.#connectAgain().catch(() => {})
  }

  async #connectAgain (): Promise<void> {
    for (let pause = firstPause; !this.#isClosed; pause = Math.min(2 * pause, longestPause)) {
      try {
        const isWhole = await this.driver.connect(this.#link)
        if (this.#isClosed) return
        this.#isUp = true
        this.#isConnecting = false
        if (!isWhole) this.#lose()
        this.#greet()
        return
      } catch (error) {
        this.log.debug({ err: error }, 'the bus cannot connect yet')
      }
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, pause).unref()
        this.#pause = () => { clearTimeout(timer); resolve() }
      })
    }
  }
}

async function within (time: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise<void>(resolve => { timer = setTimeout(resolve, time) })])
  clearTimeout(timer)
}
