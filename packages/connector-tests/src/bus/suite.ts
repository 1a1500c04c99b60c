import type { MaybePromise, ModelRegistry } from '@fastback/core'
import type { Test } from 'tap'
import { busCases } from './cases.js'
import { comesTrue, Member } from './member.js'

export interface BusSuiteOptions {
  /** Name in the output. */
  readonly name: string
  /**
   * Makes a registry that was not started, and whose setting `bus` names the driver with this namespace. All that it
   * makes are on one server.
   */
  registry (namespace: string): MaybePromise<ModelRegistry>
  /** Cuts the connections that members of this namespace have, as a server or a network does. Default: not tried. */
  cut? (namespace: string): MaybePromise<void>
  /** Whether nothing is missing after a cut, so that nobody has to be told. Default: false. */
  readonly resumes?: boolean
}

/**
 * Runs what every driver of the bus does.
 *
 * ```js
 * const hub = new MemoryHub()
 * const registry = namespace => {
 *   const made = new ModelRegistry({ settings: { bus: { memory: true, namespace } } })
 *   made.busDrivers.set('memory', memoryBus(hub))
 *   return made
 * }
 * await busSuite(t, { name: 'memory', registry, cut: namespace => { hub.cut(namespace) } })
 * ```
 */
export async function busSuite (
  t: Test, { name, registry, cut, resumes = false }: BusSuiteOptions
): Promise<void> {
  await t.test(`bus: ${name}`, async t => {
    const run = `${Date.now().toString(36)}${process.pid}`
    for (const [number, { name, run: runCase }] of busCases.entries()) {
      await t.test(name, async t => {
        const namespace = `${run}-${number}`
        const all: Member[] = []
        const member = async (within: string): Promise<Member> => {
          const made = new Member(await registry(within))
          await made.registry.start()
          return made
        }
        await runCase(t, {
          async members (count) {
            for (let i = 0; i < count; i++) {
              all.push(await member(namespace))
              await comesTrue(() => all.every(each => all.length === 1 || each.others === true))
            }
            await acquainted(all)
            const made = all.slice(-count)
            for (const each of all) each.heard.length = 0
            return made
          },
          async stranger () {
            const made = await member(`${namespace}-other`)
            t.teardown(() => made.close())
            return made
          },
          cut: cut === undefined ? undefined : async () => { await cut(namespace) },
          resumes
        })
        for (const each of all) await each.close()
      })
    }
  })
}

/** Waits until each has heard each other: only then nothing more comes that belongs to their coming. */
async function acquainted (members: readonly Member[]): Promise<void> {
  const heard = members.map(({ registry }, i) => {
    const from = new Set<unknown>()
    const stop = registry.bus.subscribe('acquaintance', { message: who => { from.add(who) }, reset () {} })
    return { from, stop, i }
  })
  // Who took itself to be alone until now has told nobody.
  await comesTrue(() => {
    members.forEach(({ registry }, i) => { registry.bus.publish('acquaintance', i) })
    return heard.every(({ from }) => from.size >= members.length - 1)
  })
  for (const { stop } of heard) stop()
}
