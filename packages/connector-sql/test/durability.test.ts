import t from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
