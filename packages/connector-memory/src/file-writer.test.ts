import { readFileSync } from 'node:fs'
import { setImmediate as soon } from 'node:timers/promises'
import t from 'tap'
import { FileWriter } from './file-writer.js'

t.test('writes at the same time share one write', async t => {
  const file = `${t.testdir({})}/text`
  let made = 0
  let value = 0
  const writer = new FileWriter(file, () => { made++; return String(value) })
  await Promise.all(Array.from({ length: 100 }, async () => {
    value++
    await writer.save()
  }))
  t.equal(readFileSync(file, 'utf8'), '100')
  t.equal(made, 1)
  value = 101
  const underWay = writer.save()
  const isMade = (): boolean => made === 2
  while (!isMade()) await soon()
  value = 102
  const next = writer.save()
  await Promise.all([underWay, next])
  t.equal(readFileSync(file, 'utf8'), '102')
  value = 103
  const saved = writer.save()
  await writer.settle()
  t.equal(readFileSync(file, 'utf8'), '103')
  await saved
})
