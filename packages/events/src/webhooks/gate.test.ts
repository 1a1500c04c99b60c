import t from 'tap'
import { Gate } from './gate.js'

t.test('so many of one group run at once; others wait, once each, and do not hold up other groups', async t => {
  const gate = new Gate(2, error => { throw error })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (key: string) => async (): Promise<void> => {
    begun.push(key)
    await new Promise<void>(resolve => { ends.set(key, resolve) })
  }
  const again = async (key: string): Promise<void> => { await gate.run('a', key, work(key), again) }
  const [one, two] = ['1', '2'].map(async key => await gate.run('a', key, work(key), again))
  await gate.run('a', '3', work('3'), again)
  await gate.run('a', '3', work('3'), again)
  const other = gate.run('b', '4', work('4'), again)
  t.strictSame(begun, ['1', '2', '4'])
  ends.get('1')?.()
  await one
  t.strictSame(begun, ['1', '2', '4', '3'], 'the one that waited runs, and once')
  for (const end of ends.values()) end()
  await Promise.all([two, other])
  await gate.close()
  await gate.run('a', '5', work('5'), again)
  t.notOk(begun.includes('5'), 'nothing begins any more')
})

t.test('what fails lets the next one in', async t => {
  const gate = new Gate(1, () => {})
  await t.rejects(gate.run('a', '1', async () => { throw new Error('no') }, async () => {}))
  let done = false
  await gate.run('a', '2', async () => { done = true }, async () => {})
  t.ok(done)
})
