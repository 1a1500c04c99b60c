/** Carries the bus by LISTEN and NOTIFY, on a connection of its own. Nothing is kept for who is not there. */
import type { Client } from 'pg'
import type { BusContext, BusDriver, BusLink } from '@fastback/core/bus'
import { sha256 } from '@fastback/core/connector'
import { loadDriver } from '../dialects/postgres/driver.js'
import type { ServerSettings } from '../server-settings.js'

/** Milliseconds between two looks whether the server is still there, and that a response may take. */
const beat = 15_000
const answerTime = 10_000

export class PostgresBus implements BusDriver {
  readonly #channel: string
  #client: Client | undefined
  #beat: NodeJS.Timeout | undefined

  constructor (readonly server: ServerSettings, readonly context: BusContext) {
    // Channels are the whole database's, and their names are short.
    const scope = JSON.stringify([context.namespace, server.schema ?? ''])
    this.#channel = `fastback_bus_${sha256(scope, 'hex').slice(0, 32)}`
  }

  async connect (link: BusLink): Promise<boolean> {
    await this.close()
    const { server } = this
    const { Client } = await loadDriver(this.context.baseDir)
    const client = new Client({
      host: server.host,
      port: server.port,
      user: server.user,
      password: server.password,
      database: server.database,
      ssl: server.ssl as never,
      connectionTimeoutMillis: server.connectionTimeout,
      query_timeout: answerTime,
      application_name: `${server.applicationName}-bus`,
      keepAlive: true
    })
    const lost = (error: unknown): void => {
      if (this.#client !== client) return
      this.#forget()
      link.lost(error)
    }
    client.on('error', lost)
    client.on('end', () => { lost(new Error('PostgreSQL closed the connection')) })
    client.on('notification', ({ payload = '' }) => { if (this.#client === client) link.receive(payload) })
    try {
      await client.connect()
      this.#client = client
      await client.query(`LISTEN ${this.#channel}`)
    } catch (error) {
      this.#forget()
      await client.end().catch(() => {})
      throw error
    }
    this.#beat = setInterval(() => { client.query('SELECT 1').catch(lost) }, beat).unref()
    return false
  }

  async send (texts: readonly string[]): Promise<void> {
    if (this.#client === undefined) throw new Error('not connected')
    const sql = 'SELECT pg_notify($1, message) FROM unnest($2::text[]) AS message'
    await this.#client.query(sql, [this.#channel, texts])
  }

  async close (): Promise<void> {
    const client = this.#client
    this.#forget()
    await client?.end().catch(() => {})
  }

  #forget (): void {
    clearInterval(this.#beat)
    this.#client = undefined
  }
}
