import t from 'tap'
import { poolShare } from './pool-share.js'

function share (processes: number | undefined, available: number, poolSize?: number) {
  const said: string[] = []
  const log = { warn: () => { said.push('warn') }, info: () => { said.push('info') }, debug () {} }
  const size = poolShare(
    { poolSize: poolSize ?? 10, isPoolSizeSet: poolSize !== undefined }, available,
    { ...(processes === undefined ? {} : { processes }), dataSource: 'db', log }
  )
  return { size, said }
}

t.test('the default of one process, and of several where the server has enough', async t => {
  t.strictSame(share(undefined, 3), { size: 10, said: [] })
  t.strictSame(share(1, 3), { size: 10, said: [] })
  t.strictSame(share(4, 97), { size: 10, said: [] })
  t.strictSame(share(8, 90), { size: 10, said: [] })
})

t.test('less where it has not, one more process of a restart included', async t => {
  for (const processes of [9, 16, 48]) {
    const { size, said } = share(processes, 97)
    t.ok(size >= 1 && size * (processes + 1) <= 97, String(size))
    t.strictSame(said, ['info'])
  }
  t.strictSame(share(200, 97), { size: 1, said: ['warn'] })
})

t.test('what is set stays, and is warned of', async t => {
  t.strictSame(share(4, 97, 30), { size: 30, said: ['warn'] })
  t.strictSame(share(4, 97, 19), { size: 19, said: [] })
})
