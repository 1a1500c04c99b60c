/**
 * What was acknowledged is there: the whole server is killed with SIGKILL while clients write, started again on the
 * same SQLite file, and asked. `FASTBACK_TEST_KILLS=4` kills as often as continuous integration does instead of once.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { freePort } from '../free-port.mjs'

// A busy machine takes ten seconds for a start.
t.setTimeout(900_000)

const kills = Number(process.env.FASTBACK_TEST_KILLS ?? 1)

const cli = fileURLToPath(new URL('../../packages/cli/bin/fastback.js', import.meta.url))

async function makeApplication (dir: string): Promise<void> {
  const files = {
    'server/config.json': { restApiRoot: '/api' },
    'server/datasources.json': { db: { connector: 'sql', url: 'sqlite:notes.db' } },
    'server/model-config.json': { _meta: { sources: ['../common/models'] }, Note: { dataSource: 'db', public: true } },
    'common/models/note.json': {
      name: 'Note',
      base: 'PersistedModel',
      properties: { title: { type: 'string', required: true }, size: 'number' }
    }
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(dir, name, '..'), { recursive: true })
    await writeFile(join(dir, name), JSON.stringify(content))
  }
}

/** The server, once it answers. */
async function serve (dir: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [cli, 'serve', dir, '--port', String(port), '--host', '127.0.0.1'], {
    stdio: 'ignore'
  })
  for (let tries = 0; ; tries++) {
    const up = await fetch(`http://127.0.0.1:${port}/api/Notes/count`).then(
      async answer => {
        await answer.text()
        return answer.ok
      },
      () => false
    )
    if (up) return child
    if (tries > 4000 || child.exitCode !== null) throw new Error('the server did not start')
    await sleep(25)
  }
}

t.test('P-31: SIGKILL under write load loses no acknowledged write', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'fastback-kill-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await makeApplication(dir)
  const acknowledged = new Map<number, { title: string, size: number }>()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/api/Notes`
  let child = await serve(dir, port)
  for (let round = 0; round < kills; round++) {
    const load = { on: true }
    const send = async (
      method: string,
      path: string,
      body: object
    ): Promise<{ id: number; title: string; size: number } | undefined> => {
      const answer = await fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body)
      }).catch(() => undefined)
      return answer?.ok === true
        ? ((await answer.json().catch(() => undefined)) as { id: number; title: string; size: number })
        : undefined
    }
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let i = 0; load.on; i++) {
        const made = await send('POST', '', { title: `${round}-${client}-${i}`, size: i })
        if (made === undefined) return
        acknowledged.set(made.id, { title: made.title, size: made.size })
        if (i % 3 !== 0) continue
        // Until it is answered, a change may or may not have happened: the row is looked at again only when it is.
        acknowledged.delete(made.id)
        const changed = await send('PATCH', `/${made.id}`, { size: -i })
        if (changed !== undefined) acknowledged.set(changed.id, { title: changed.title, size: changed.size })
      }
    })
    // Killed in the middle of the load, however fast the machine is.
    const enough = acknowledged.size + 40
    for (let waited = 0; acknowledged.size < enough && waited < 120_000; waited += 5) await sleep(5)
    child.kill('SIGKILL')
    await once(child, 'exit')
    load.on = false
    await Promise.all(clients)

    child = await serve(dir, port)
    const rows = new Map(
      ((await (await fetch(url)).json()) as Array<{ id: number; title: string; size: number }>).map(row => [
        row.id,
        row
      ])
    )
    const lost = [...acknowledged].filter(
      ([id, { title, size }]) => rows.get(id)?.title !== title || rows.get(id)?.size !== size
    )
    t.ok(acknowledged.size >= enough, `${acknowledged.size} writes were acknowledged`)
    t.same(lost, [], 'each of them is there')
  }
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  t.equal(code, 0, 'SIGTERM ends with 0')
})

t.test('what the kill runs compare with sees what is lost, doubled, torn and strange', async t => {
  interface Found { lost: string[], doubled: string[], torn: string[][], strange: string[], survived: number }
  interface Books {
    ask(keys: string[], value: number | undefined): { acknowledged(): void }
    settle(rows: object[]): Found
  }
  const { Ledger } = (await import(new URL('../../packages/bench/src/kills/ledger.js', import.meta.url).href)) as {
    Ledger: new () => Books
  }
  const books = new Ledger()
  for (const key of ['kept', 'gone', 'changed', 'removed']) books.ask([key], 1).acknowledged()
  books.ask(['removed'], undefined).acknowledged()
  books.ask(['changed'], 2)
  books.ask(['open'], 5)
  books.ask(['a', 'b'], 7)
  const row = (key: string, size: number) => ({ key, size })
  t.match(
    books.settle([
      row('kept', 1),
      row('kept', 1),
      row('changed', 3),
      row('removed', 1),
      row('open', 5),
      row('a', 7),
      row('who', 0)
    ]),
    {
      lost: [/^gone: undefined/, /^changed: 3 instead of 1 or 2/, /^removed: 1/],
      doubled: ['kept'],
      torn: [['a', 'b']],
      strange: ['who'],
      survived: 2
    }
  )
})
