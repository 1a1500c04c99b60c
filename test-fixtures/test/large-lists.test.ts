/** Lists of 64-bit numbers and of decimals are compared with all their digits, on every store. */
import t from 'tap'
import { modelsOn, stores } from './agreement-stores.js'

type Loose = any

const odd = 2n ** 53n + 1n
const lists: Readonly<Record<string, ReadonlyArray<readonly unknown[]>>> = {
  bigs: [[odd], [odd - 1n], [odd + 1n], [2n ** 63n - 1n], [odd, -(2n ** 63n)], [1, 2], []],
  longs: [[2 ** 53 - 1], [-(2 ** 53 - 1)], [2 ** 53 - 2], [2 ** 53 - 1, 0], [1, 2], []],
  exact: [
    ['12345678901234567890.01'], ['12345678901234567890.02'], ['12345678901234567890'], ['0.1', '0.10000000000000001'],
    ['0.1'], ['1', '2'], []
  ]
}
const definition = {
  name: 'Lot',
  properties: { id: { type: 'number', id: true, generated: false }, bigs: ['bigint'], longs: ['long'], exact: ['decimal'] }
}

for (const [store, start] of stores) {
  t.test(store, async t => {
    const opened = await start(t)
    if (opened === undefined) { t.comment(`no ${store} server`); return }
    const { Lot } = await modelsOn(opened, t, [definition], ['Lot'])
    for (const [name, values] of Object.entries(lists)) {
      await Lot.destroyAll({})
      await Lot.create(values.map((value, i) => ({ id: i + 1, [name]: value })))
      const ids = async (condition: unknown): Promise<number[]> =>
        (await Lot.find({ where: { [name]: condition }, order: 'id' })).map(({ id }: Loose) => id)
      const all = values.map((_, i) => i + 1)
      for (const [i, wanted] of values.entries()) {
        const others = all.filter(id => id !== i + 1)
        const what = `${name} ${wanted.join()}`
        t.strictSame(await ids({ eq: wanted }), [i + 1], what)
        t.strictSame(await ids({ neq: wanted }), others, `${what}: neq`)
        t.strictSame(await ids({ inq: [wanted, ['7']] }), [i + 1], `${what}: inq`)
        t.strictSame(await ids({ nin: [wanted] }), others, `${what}: nin`)
        t.same((await Lot.findById(i + 1)).toObject()[name], wanted, `${what} as it was stored`)
      }
    }
    await Lot.create({ id: 100, bigs: [1, 2n ** 63n - 1n] })
    const beyond = [[2n ** 64n + 1n, 2n ** 63n - 1n], [1, 2n ** 64n + 2n ** 63n - 1n]]
    for (const bigs of [beyond[0], { inq: beyond }]) {
      t.strictSame(await Lot.find({ where: { bigs } }), [], 'what 64 bits do not hold is in no list')
    }
    await opened.done?.()
  })
}
