/** Members that are killed: nobody hears of them, and messages of theirs may be missing. */
import t, { type Test } from 'tap'
import { MemoryHub, memoryBus } from './memory-driver.js'
import type { BusContext, BusDriver, BusLink } from './bus.js'
import { SharedBus } from './shared-bus.js'

const beat = 20
const context = { namespace: 'test' } as BusContext
const log = { warn () {}, info () {}, debug () {} }

/** A way that can be stopped up: nothing comes through, in either direction, and nobody knows. */
class Way implements BusDriver {
  isOpen = true
  readonly sent: string[] = []
  #driver: BusDriver

  constructor (hub: MemoryHub) {
    this.#driver = memoryBus(hub)(true, context) as BusDriver
  }

  async connect (link: BusLink): Promise<boolean> {
    return await this.#driver.connect({ ...link, receive: text => { if (this.isOpen) link.receive(text) } })
  }

  async send (texts: readonly string[]): Promise<void> {
    if (!this.isOpen) return
    this.sent.push(...texts)
    await this.#driver.send(texts)
  }

  async close (): Promise<void> { await this.#driver.close() }
}

interface Member { readonly bus: SharedBus, readonly way: Way, readonly heard: string[] }

async function join (t: Test, hub: MemoryHub): Promise<Member> {
  const way = new Way(hub)
  const heard: string[] = []
  const bus = new SharedBus(way, {
    message: (_topic, payload) => { heard.push(String(payload)) },
    reset: () => { heard.push('reset') },
    others: areThere => { heard.push(areThere ? 'others' : 'alone') }
  }, log, beat)
  t.teardown(async () => { await bus.close() })
  await bus.open()
  return { bus, way, heard }
}

const pause = async (milliseconds: number): Promise<void> => {
  await new Promise(resolve => setTimeout(resolve, milliseconds))
}

/** Members that know each other: who comes in later has missed what was sent before. */
async function acquainted (t: Test, count: number): Promise<Member[]> {
  const hub = new MemoryHub()
  const all: Member[] = []
  for (let i = 0; i < count; i++) all.push(await join(t, hub))
  await pause(4 * beat)
  for (const { heard } of all) heard.length = 0
  return all
}

async function comesTrue (is: () => boolean): Promise<void> {
  for (let n = 0; n < 300 && !is(); n++) await pause(10)
}

t.test('a member that is silent is given up: the others know that messages may be missing', async t => {
  // Seen to fail: without signs of life nobody was told
  const [one, two, three] = await acquainted(t, 3) as [Member, Member, Member]
  await pause(10 * beat)
  t.same([one, two, three].flatMap(({ heard }) => heard), [], 'who has nothing to say says that it is there')
  three.way.isOpen = false
  three.bus.publish('topic', 'lost')
  await comesTrue(() => one.heard.includes('reset') && two.heard.includes('reset'))
  t.same([one.heard, two.heard], [['reset'], ['reset']])
  await pause(6 * beat)
  t.same(one.heard, ['reset'], 'once')
  two.way.isOpen = false
  await comesTrue(() => one.heard.length > 1)
  t.same(one.heard, ['reset', 'reset'])
  two.way.isOpen = true
  two.bus.publish('topic', 'back')
  await comesTrue(() => one.heard.includes('back'))
  t.same(one.heard.slice(-2), ['reset', 'back'], 'it was there all the time: what it sent meanwhile is missing')
  one.bus.publish('topic', 'again')
  await comesTrue(() => two.heard.includes('again'))
  t.equal(two.heard.at(-1), 'again', 'and they know each other again')
})

t.test('a member that is only asked whether it is there stays', async t => {
  const [one, two] = await acquainted(t, 2) as [Member, Member]
  // Its clock stands still for a while, as in a process that works.
  const until = performance.now() + 5 * beat
  while (performance.now() < until);
  await pause(5 * beat)
  t.same([one.heard, two.heard], [[], []])
})
