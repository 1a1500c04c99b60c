/** Processes that share the notifications of a database, and the service that counts what it gets from them. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { sqlConnector } from '@fastback/connector-sql'
import { ModelRegistry, type DataSourceSettings, type ModelClass } from '@fastback/core'
import { pushConnector } from '@fastback/push'
import { fcmService } from './services.js'

const script = fileURLToPath(new URL('process.js', import.meta.url))

interface Told { readonly ready?: true, readonly stored?: true, readonly most?: number }

/** Until a process says something. @throws Error when it ends before */
const told = async (child: ChildProcess, what: 'ready' | 'stored'): Promise<void> => {
  for (;;) {
    const [message] = await Promise.race([
      once(child, 'message') as Promise<[Told]>,
      once(child, 'exit').then(([code]) => { throw new Error(`A process ended with ${String(code)} before it was ${what}.`) })
    ])
    if (message[what] === true) return
  }
}

export interface Farm {
  /** How often the service got each token of the round that `send` began. */
  readonly times: Map<string, number>
  /** From how many devices on the service answers nobody, until the next kill; undefined: it answers. */
  holdsAt: number | undefined
  /** Most memory of any of the processes, in bytes. */
  most: number
  /** Processes that were killed so far. */
  killed: number
  /** Rows of work that there are, once no more of them go. */
  left (): Promise<number>
  /** Adds processes until there are as many. */
  grow (count: number): Promise<void>
  /** Puts one notification for all devices into the database, by one of the processes. */
  send (): Promise<void>
  /**
   * Kills one process that is ready by SIGKILL, and starts another in its place; none, where half of them are starting.
   * @param holdsAt from how many devices on the service answers nobody again
   */
  kill (holdsAt?: number): Promise<void>
  /** Until the notification is done. @param each called about ten times a second, with the seconds so far */
  done (seconds: number, each?: (seconds: number) => Promise<void>): Promise<string>
}

/**
 * @param devices how many installations there are
 * @param url of a database that is empty
 */
export async function farm (t: Test, url: string, devices: number): Promise<Farm> {
  const times = new Map<string, number>()
  const held: Array<() => void> = []
  const service = await fcmService(async ({ message: { token } }: { message: { token: string } }) => {
    times.set(token, (times.get(token) ?? 0) + 1)
    if (kept.holdsAt === undefined || times.size < kept.holdsAt) return
    await new Promise<void>(resolve => { held.push(resolve) })
  })
  t.teardown(service.close)
  const push = { lease: 5000, pollInterval: 100 }
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'update' } as DataSourceSettings)
  registry.defineModel({ name: 'Application', properties: { id: { type: 'string', id: true }, pushSettings: 'object' } })
  registry.attach('Application', 'db')
  // It has the tables made; what stands in them is the other processes' to send.
  registry.defineDataSource('push', { connector: pushConnector, secret: false, persist: true, ...push, pollInterval: 3_600_000 } as DataSourceSettings)
  registry.defineModel({ name: 'Push', plural: 'push', base: 'Model' })
  registry.attach('Push', 'push')
  await registry.start()
  t.teardown(async () => { await registry.stop() })
  const models = registry.models as Record<string, ModelClass>
  type Name = 'Application' | 'Installation' | 'Notification' | 'PushBatch'
  interface Rows {
    create (row: object): Promise<unknown>
    count (): Promise<number>
    find (filter: object): Promise<unknown>
  }
  const { Application, Installation, Notification, PushBatch } = models as Record<Name, ModelClass & Rows>
  await Application.create({ id: 'shop', pushSettings: { fcm: service.settings } })
  const { connector } = Installation.dataSource as NonNullable<ModelClass['dataSource']>
  for (let from = 0; from < devices; from += 1000) {
    const rows = Array.from({ length: Math.min(1000, devices - from) }, (_, i) => ({
      appId: 'shop', deviceType: 'fcm', deviceToken: `token-${from + i}`, deviceKey: `key-${from + i}`
    }))
    await connector.createMany(Installation.compiled, rows, {})
  }
  const children: ChildProcess[] = []
  let isOver = false
  let wanted = 0
  const settings = JSON.stringify({ db: { url, migrate: 'none', poolSize: 5 }, push })
  async function start (): Promise<void> {
    // Bounded memory is a heap that a process gets along with: one that needs more ends.
    const child = fork(script, [settings], { execArgv: ['--max-old-space-size=64'] })
    child.on('exit', code => { if (!isOver && code !== null) t.fail(`A process ended by itself with ${code}.`) })
    t.teardown(() => {
      isOver = true
      child.kill('SIGKILL')
    })
    child.on('message', ({ most = 0 }: Told) => { kept.most = Math.max(kept.most, most) })
    await told(child, 'ready')
    children.push(child)
  }
  const kept: Farm = {
    times,
    holdsAt: undefined,
    most: 0,
    killed: 0,
    async grow (count) {
      wanted = count
      while (children.length < count) await start()
    },
    async send () {
      times.clear()
      const [child] = children as [ChildProcess]
      const stored = told(child, 'stored')
      child.send({ query: { appId: 'shop' }, notification: { alert: 'Hello' } })
      await stored
    },
    async kill (holdsAt) {
      // Where starting takes longer than the time between two kills, nobody would be left to send.
      if (children.length <= wanted / 2) return
      const at = Math.floor(Math.random() * children.length)
      const [child] = children.splice(at, 1)
      if (child === undefined) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      kept.killed++
      await gone
      kept.holdsAt = holdsAt
      for (const answer of held.splice(0)) answer()
      // Should it not come up, the rest goes on without it.
      start().catch(error => { if (!isOver) t.fail(String(error)) })
    },
    async left () {
      const end = Date.now() + 20_000
      for (;;) {
        const count = await PushBatch.count()
        if (count === 0 || Date.now() > end) return count
        await sleep(50)
      }
    },
    async done (seconds, each) {
      const from = Date.now()
      for (;;) {
        const [{ status }] = await Notification.find({ order: 'id DESC', limit: 1 }) as unknown as [{ status: string }]
        if (status === 'sent' || status === 'failed') return status
        const passed = (Date.now() - from) / 1000
        if (passed > seconds) return `${status} after ${seconds} seconds, with ${times.size} devices of ${devices}`
        await each?.(passed)
        await sleep(100)
      }
    }
  }
  return kept
}
