// FASTBACK_TEST_FULL: processes that are killed.
import t from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openSql } from './support/connectors.js'
import { makeModel, query } from './support/models.js'

t.test('killing the process loses no write that was acknowledged', async t => {
  const folder = t.testdir({})
  for (const [round, wanted] of [300, 700, 50].entries()) {
    const file = `${folder}/rows${round}.sqlite`
    const child = spawn(process.execPath, [fileURLToPath(new URL('support/writer.mjs', import.meta.url)), file], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const acknowledged: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(line)
      if (acknowledged.length === wanted) child.kill('SIGKILL')
    }
    if (child.signalCode === null) await once(child, 'exit')
    t.equal(child.signalCode, 'SIGKILL')
    const item = makeModel('Item', { name: 'string', tick: 'number' })
    const sql = await openSql({ url: `sqlite:${file}` })
    const rows = new Map((await sql.find(item, query(item), {})).map(row => [row.id, row]))
    const lost = acknowledged.filter(line => {
      const [id, tick] = line.split(' ').map(Number) as [number, number]
      const row = rows.get(id)
      return row === undefined || Number(row.tick) < tick
    })
    t.same(lost, [])
    t.same(await sql.execute('PRAGMA integrity_check').then(([row]) => ({ ...row })), { integrity_check: 'ok' })
    await sql.disconnect()
  }
})

t.test('the log does not grow with writes that give their row', async t => {
  const file = `${t.testdir({})}/log.sqlite`
  const item = makeModel('Item', { name: 'string', tick: 'number' })
  const sql = await openSql({ url: `sqlite:${file}`, walAutocheckpoint: 1000, walLimit: 1000 })
  await sql.automigrate([item])
  await sql.create(item, { id: 1, name: 'first' })
  // 4 kB and its head for each: eight times what the log holds.
  for (let tick = 0; tick < 8_000; tick++) await sql.updateById(item, 1, { tick })
  t.ok(statSync(`${file}-wal`).size < 6_000_000, `${statSync(`${file}-wal`).size} bytes`)
  await sql.disconnect()
})
