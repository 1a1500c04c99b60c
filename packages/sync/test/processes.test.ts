// FASTBACK_TEST_FULL: processes that share a store.
/**
 * Several processes on one PostgreSQL database: pushes to both at once, pulls from either (SYD-7, SYD-20).
 * Seen to fail: where a write did not keep the checkpoint from going up (`Checkpoints.held` without its lock; or, for
 * the first writes of all, where another process had made the row in that moment).
 */
import t from 'tap'
import { siteOfProcesses, type Request } from './history-sites.js'
import { stores, type Loose } from './support.js'

t.setTimeout(300_000)

t.test('SYD-7, SYD-20: two processes skip nothing, and checkpoints never go back', async t => {
  const scratch = await new Map(stores).get('postgres')?.(t)
  if (scratch?.url === undefined) { t.comment('no postgres server'); return }
  const site = await siteOfProcesses(scratch.url, 2)
  t.teardown(async () => {
    await site.stop()
    await scratch.remove()
  })
  const ask = async (server: number, method: Request['method'], url: string, body?: object): Promise<Loose> => {
    const answer = await site.ask(server, { method, url, body })
    if (answer?.status !== 200) throw new Error(JSON.stringify(answer))
    return answer.body
  }
  const state = { isOver: false }
  const clients = Array.from({ length: 8 }, (_, i) => i)
  const ids = clients.flatMap(client => Array.from({ length: 24 }, (_, i) => `c${String(client)}-${String(i)}`))
  const writers = Promise.all(clients.map(async client => {
    const own = ids.filter(id => id.startsWith(`c${String(client)}-`))
    for (let i = 0; i < own.length; i += 3) {
      const changes = own.slice(i, i + 3).map(id => ({ id, base: null, data: { id, title: id } }))
      const { results } = await ask(client, 'POST', '/Notes/sync/push', { changes })
      for (const result of results) if (result.ok !== true) throw new Error(JSON.stringify(result))
    }
  })).finally(() => { state.isOver = true })

  const pulled = new Set<string>()
  const pull = async (): Promise<void> => {
    let cursor = ''
    for (let server = 0, isLast = false; !isLast; server++) {
      isLast = state.isOver
      for (let more = true; more; server++) {
        const page = await ask(server, 'GET', `/Notes/sync/pull?limit=20${cursor}`)
        for (const { id } of page.changes) pulled.add(id)
        cursor = `&after=${encodeURIComponent(page.cursor)}`
        more = page.more
      }
    }
  }
  const listed = new Set<string>()
  const checkpoints: number[] = []
  const replicate = async (): Promise<void> => {
    let since = -1
    for (let server = 0, isLast = false; !isLast; server++) {
      isLast = state.isOver
      const { seq } = await ask(server, 'POST', '/Notes/checkpoint')
      for (const { modelId } of await ask(server + 1, 'GET', `/Notes/changes?since=${String(since)}`)) listed.add(modelId)
      checkpoints.push(seq, await ask(server + 1, 'GET', '/Notes/checkpoint'))
      since = seq
    }
  }
  await Promise.all([writers, pull(), replicate()])
  t.same(ids.filter(id => !pulled.has(id)), [], 'pull')
  t.same(ids.filter(id => !listed.has(id)), [], 'changes since a checkpoint')
  t.same(checkpoints, [...checkpoints].sort((a, b) => a - b), 'checkpoints never go back')
})
