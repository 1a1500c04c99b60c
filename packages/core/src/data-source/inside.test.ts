import { spawnSync } from 'node:child_process'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { Inside } from './inside.js'

t.test('what work is in is found wherever it goes, and by nobody else', async t => {
  const inside = new Inside<string>()
  t.equal(inside.current, undefined)
  let later: Promise<string | undefined> | undefined
  const first = inside.run('a', async () => {
    await turn()
    later = turn().then(async () => { await turn(); return inside.current })
    return inside.current
  })
  const second = inside.run('b', async () => { await turn(); await turn(); return inside.current })
  t.equal(inside.current, undefined)
  t.same(await Promise.all([first, second]), ['a', 'b'])
  t.not(await later, 'b', 'what was not waited for is in no other work')
  t.equal(inside.run('c', () => inside.current), 'c', 'at once')
  t.throws(() => inside.run('d', () => { throw new Error('no') }), /no/)
  t.equal(inside.current, undefined)
  t.equal(await inside.run('e', async () => { await turn(); return inside.current }), 'e', 'and again after it was off')
})

t.test('Node follows no promises once nobody is inside', async t => {
  // In a process of its own: tap follows them. While a storage is on, promises have symbols of their context.
  const script = `
    import { setImmediate as turn } from 'node:timers/promises'
    import { Inside } from '${new URL('../../dist/data-source/inside.js', import.meta.url).href}'
    const followed = () => Object.getOwnPropertySymbols(Promise.resolve()).length > 0
    const inside = new Inside()
    const seen = [followed()]
    await inside.run(1, async () => { await turn(); seen.push(followed()) })
    await turn()
    await turn()
    seen.push(followed())
    console.log(JSON.stringify(seen))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  // Newer versions of Node keep the context elsewhere, and never follow.
  const follows = Number(process.versions.node.split('.')[0]) < 24
  t.same(JSON.parse(stdout), [false, follows, false], stderr)
})
