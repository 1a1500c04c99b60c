/** What every driver of the bus does. */
import type { Test } from 'tap'
import { comesTrue, type Member } from './member.js'

/** What a case has to work with. */
export interface BusStage {
  /** Members of one namespace that know each other, with what they heard until then forgotten. */
  members (count: number): Promise<Member[]>
  /** A member of another namespace on the same server. */
  stranger (): Promise<Member>
  /** Cuts the connections of all members; undefined where there are none. */
  readonly cut: (() => Promise<void>) | undefined
  /** Whether nothing is missing after a cut. */
  readonly resumes: boolean
}

export interface BusCase {
  readonly name: string
  run (t: Test, stage: BusStage): Promise<void>
}

const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i)

/** Whether a member heard these in this order, each once, or was told that something is missing. */
const isWholeOrTold = ({ heard, payloads }: Member, all: readonly number[]): boolean =>
  heard.includes('reset') || (payloads.length === all.length && payloads.every((each, i) => each === all[i]))

export const busCases: readonly BusCase[] = [
  {
    name: 'what one publishes all others hear, and not the one itself',
    async run (t, stage) {
      const [one, two, three] = await stage.members(3) as [Member, Member, Member]
      one.publish({ id: 7, text: 'grüße 🙂 \'"\\ \n' })
      t.ok(await comesTrue(() => two.heard.length > 0 && three.heard.length > 0))
      t.strictSame(two.heard, [{ id: 7, text: 'grüße 🙂 \'"\\ \n' }])
      t.strictSame(three.heard, two.heard)
      two.publish('back')
      t.ok(await comesTrue(() => one.heard.length > 0))
      t.strictSame(one.heard, ['back'])
    }
  },
  {
    name: 'many messages come in their order, each once',
    async run (t, stage) {
      const [one, two] = await stage.members(2) as [Member, Member]
      for (const number of numbers(500)) one.publish(number)
      t.ok(await comesTrue(() => two.heard.length >= 500))
      t.strictSame(two.heard, numbers(500))
    }
  },
  {
    name: 'members that publish at once are all heard, each in its order',
    async run (t, stage) {
      const members = await stage.members(3)
      for (const number of numbers(100)) members.forEach((member, who) => { member.publish([who, number]) })
      t.ok(await comesTrue(() => members.every(({ heard }) => heard.length >= 200)))
      for (const [who, { heard }] of members.entries()) {
        for (const other of [0, 1, 2].filter(each => each !== who)) {
          const told = (heard as number[][]).filter(([from]) => from === other).map(([, number]) => number)
          t.strictSame(told, numbers(100))
        }
      }
    }
  },
  {
    name: 'topics are apart; who no longer listens hears nothing',
    async run (t, stage) {
      const [one, two] = await stage.members(2) as [Member, Member]
      const other: unknown[] = []
      two.registry.bus.subscribe('weather', { message: payload => { other.push(payload) }, reset () {} })
      two.registry.bus.subscribe('news', { message () { throw new Error('not mine') }, reset () {} })
      one.publish('rain', 'weather')
      one.publish('a')
      t.ok(await comesTrue(() => two.heard.length > 0 && other.length > 0))
      two.deafen()
      one.publish('b')
      one.publish('sun', 'weather')
      t.ok(await comesTrue(() => other.length > 1))
      t.strictSame([two.heard, other], [['a'], ['rain', 'sun']])
    }
  },
  {
    name: 'namespaces on one server hear nothing of each other',
    async run (t, stage) {
      const [one, two] = await stage.members(2) as [Member, Member]
      const stranger = await stage.stranger()
      stranger.publish('not for you')
      one.publish('for us')
      t.ok(await comesTrue(() => two.heard.length > 0))
      t.strictSame([two.heard, stranger.payloads], [['for us'], []])
    }
  },
  {
    name: 'the longest message is carried, a longer one is refused',
    async run (t, stage) {
      const [one, two] = await stage.members(2) as [Member, Member]
      const longest = 'x'.repeat(3998)
      one.publish(longest)
      t.throws(() => { one.publish(`${longest}x`) }, { code: 'FBK_CORE_BUS_PAYLOAD' })
      t.throws(() => { one.publish('€'.repeat(3000)) }, { code: 'FBK_CORE_BUS_PAYLOAD' })
      t.ok(await comesTrue(() => two.heard.length > 0))
      t.ok(two.heard[0] === longest)
    }
  },
  {
    name: 'who comes late hears what comes then; who leaves is not waited for',
    async run (t, stage) {
      const [one] = await stage.members(1) as [Member]
      one.publish('early')
      const [two] = await stage.members(1) as [Member]
      t.ok(await comesTrue(() => one.others === true && two.others === true))
      one.publish('late')
      t.ok(await comesTrue(() => two.payloads.includes('late')))
      two.publish('last words')
      await two.close()
      await two.close()
      t.ok(await comesTrue(() => one.payloads.includes('last words') && one.others === false))
      two.publish('from beyond')
      t.equal(two.registry.bus.driver, undefined)
    }
  },
  {
    name: 'cut connections come back, and nothing is missing that nobody is told of',
    async run (t, stage) {
      if (stage.cut === undefined) return
      const [one, two] = await stage.members(2) as [Member, Member]
      const all = numbers(60)
      for (const number of all) {
        one.publish(number)
        if (number % 20 === 10) await stage.cut()
      }
      const isReset = (): boolean => !stage.resumes && two.heard.includes('reset')
      t.ok(await comesTrue(() => two.payloads.includes(59) || isReset()), 'what is published meanwhile is not lost')
      t.ok(isWholeOrTold(two, all))
      if (stage.resumes) t.notOk(two.heard.includes('reset'), 'it goes on where it was')
      t.ok(await comesTrue(() => {
        two.publish('well again')
        return one.payloads.includes('well again')
      }))
    }
  }
]
