// FASTBACK_TEST_FULL: several processes migrate one database.
/** Two processes that migrate one database at the same moment do it once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { openSql } from './support/connectors.js'
import { scratchUrl } from './support/scratch.js'

const child = fileURLToPath(new URL('support/migrator.mjs', import.meta.url))
const statements = 'CREATE TABLE counted (n INTEGER); INSERT INTO counted VALUES (1);'

async function bothMigrate (t: Test, url: string): Promise<void> {
  const children = [1, 2].map(() => spawn(process.execPath, [child, url, statements], { stdio: 'pipe' }))
  const told = children.map(({ stdout }) => text(stdout))
  const complaints = children.map(({ stderr }) => text(stderr))
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
  for (const { stdin } of children) stdin.write('go\n')
  const codes = await Promise.all(children.map(async child => await once(child, 'exit') as unknown))
  t.strictSame(codes, [[0, null], [0, null]], (await Promise.all(complaints)).join('\n'))
  const applied = (await Promise.all(told)).map(line => JSON.parse(line.replace('ready\n', '')) as string[])
  t.strictSame(applied.flat(), ['0001.db.sql'], 'one of them applied the file')
  const sql = await openSql({ url }, [])
  t.teardown(() => sql.disconnect())
  t.same((await sql.execute('SELECT count(*) AS n FROM counted')).map(({ n }) => Number(n)), [1])
}

t.test('sqlite', async t => { await bothMigrate(t, `sqlite:${t.testdir({})}/rows.sqlite`) })
for (const engine of ['postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = await scratchUrl(t, engine)
    if (url !== undefined) await bothMigrate(t, url)
  })
}
