/** Where the histories of chance take place: an application in this process, or some that can be killed. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { makeHistoryApp, skewClock } from './history-app.mjs'
import type { Loose } from './support.js'

export interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly body?: object | undefined
  readonly headers?: Record<string, string> | undefined
}

export interface Answer { readonly status: number, readonly body: Loose }

/** One server of several, by its number; a number that is too high is one of them, too. */
export interface Site {
  /** Undefined: no response came. */
  ask (server: number, request: Request): Promise<Answer | undefined>
  skew (server: number, milliseconds: number): Promise<void>
  forget (server: number): Promise<void>
  /** Kills it and starts another one in its place. */
  kill (server: number): Promise<void>
  stop (): Promise<void>
}

export async function siteHere (url: string | undefined): Promise<Site> {
  const { app, forget } = await makeHistoryApp(url)
  return {
    async ask (_, { method, url, body, headers }) {
      const { statusCode, payload } = await app.inject({
        method, url: `/api${url}`, ...(body === undefined ? {} : { payload: body }), ...(headers === undefined ? {} : { headers })
      })
      return { status: statusCode, body: payload === '' ? undefined : JSON.parse(payload) }
    },
    async skew (_, milliseconds) { skewClock(milliseconds) },
    forget,
    async kill () {},
    async stop () {
      skewClock(0)
      await app.close()
    }
  }
}

const program = fileURLToPath(new URL('history-app.mjs', import.meta.url))

class Server {
  #child: ChildProcess | undefined
  #address = ''
  #turns = 0

  constructor (readonly url: string) {}

  async start (migrate: 'update' | 'none'): Promise<void> {
    const child = fork(program, [this.url, migrate], { execArgv: [] })
    this.#child = child
    const [told] = await Promise.race([
      once(child, 'message'), once(child, 'exit').then(() => { throw new Error('a server did not start') })
    ]) as [{ address: string }]
    this.#address = told.address
  }

  async ask ({ method, url, body, headers }: Request): Promise<Answer | undefined> {
    try {
      const answer = await fetch(`${this.#address}/api${url}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch { return undefined }
  }

  /** Has it do something; ends as well where it is killed meanwhile. */
  async tell (message: object): Promise<void> {
    const child = this.#child
    if (child?.connected !== true) return
    const turn = this.#turns++
    const isDone = new Promise<void>(resolve => {
      const done = (): void => {
        child.off('message', hear)
        child.off('exit', done)
        resolve()
      }
      const hear = (told: { turn?: number }): void => { if (told.turn === turn) done() }
      child.on('message', hear)
      child.on('exit', done)
    })
    child.send({ ...message, turn }, () => {})
    await isDone
  }

  async kill (): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
}

/** Processes of their own on one database. */
export async function siteOfProcesses (url: string, count: number): Promise<Site> {
  const servers = Array.from({ length: count }, () => new Server(url))
  for (const [index, server] of servers.entries()) await server.start(index === 0 ? 'update' : 'none')
  const at = (server: number): Server => servers[server % count] as Server
  const restarts = new Map<Server, Promise<void>>()
  return {
    ask: async (server, request) => await at(server).ask(request),
    skew: async (server, milliseconds) => { await at(server).tell({ skew: milliseconds }) },
    forget: async server => { await at(server).tell({ isForgetting: true }) },
    async kill (number) {
      const server = at(number)
      const restart = restarts.get(server) ?? server.kill().then(async () => { await server.start('none') })
      restarts.set(server, restart)
      await restart
      restarts.delete(server)
    },
    async stop () { for (const server of servers) await server.kill() }
  }
}
