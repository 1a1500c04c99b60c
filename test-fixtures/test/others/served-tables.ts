/** Tables of others, discovered and served, with what they answer and what is then in them. */
import Fastify, { type FastifyInstance } from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'
import { execute } from '../../scratch.mjs'
import type { Engine } from './column-kinds.js'

export type Row = Record<string, unknown>

export interface Answer { readonly status: number, readonly body: unknown, readonly text: string }

/** A model that was discovered. */
export interface Served {
  readonly name: string
  readonly table: string
  readonly plural: string
  readonly id: string | undefined
  readonly isPublic: boolean
  /** Types of properties, by column. */
  readonly columns: ReadonlyMap<string, string>
  readonly relations: readonly string[]
}

export interface Tables {
  readonly models: readonly Served[]
  ask (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer>
  close (): Promise<void>
}

type Loose = any

/** Whole numbers that no double holds are kept as `§` and their digits, and go out as they came. */
const parsed = (text: string): unknown =>
  text === '' ? undefined : JSON.parse(text.replace(/(?<=[:[,]|^)-?\d{16,}(?=[,\]}]|$)/g, digits => `"§${digits}"`))
export const jsonOf = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').replace(/"§(-?\d+)"/g, '$1')

/** Which types of properties columns of numbers get. */
export interface DiscoverTypes { readonly bigints?: 'bigint', readonly decimals?: 'decimal' }

/** Discovers what is in a database, and serves all of it. */
export async function serveTables (url: string, options: DiscoverTypes = {}): Promise<Tables> {
  const log = { warn () {}, info () {}, debug () {}, error () {} }
  const registry = new ModelRegistry({ log: log as never })
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  const found = await db.discover({ views: true, careful: true, ...options }) as Loose[]
  for (const { public: isPublic = true, notes: _, options, ...definition } of found) {
    registry.attach(registry.defineModel({ ...definition, ...options }), db, { public: isPublic })
  }
  const app: FastifyInstance = Fastify()
  await app.register(core, { registry })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return {
    models: found.map(({ name, options, properties, relations, public: isPublic = true }) => ({
      name,
      table: (Object.values(options as Loose).find((each: Loose) => typeof each?.table === 'string') as Loose).table,
      plural: (registry.models[name] as Loose).pluralModelName,
      id: Object.keys(properties).find(each =>
        properties[each].id !== undefined && properties[each].id !== false && properties[each].type !== 'buffer'),
      isPublic,
      columns: new Map(Object.entries(properties as Loose).map(([property, settings]: Loose) => {
        const column = Object.values(settings).find((each: Loose) => typeof each?.columnName === 'string') as Loose
        return [column?.columnName ?? property, String(settings.type)]
      })),
      relations: Object.keys(relations)
    })),
    async ask (method, path, body) {
      const sent = body === undefined ? {} : { payload: jsonOf(body), headers: { 'content-type': 'application/json' } }
      const { statusCode, payload } = await app.inject({ method, url: `/api${path}`, ...sent } as Loose)
      return { status: statusCode, body: parsed(payload), text: payload }
    },
    close: async () => { await app.close() }
  }
}

/** All rows of a table exactly as they are stored, one text each. */
export async function stored (
  engine: Engine, url: string, table: string, columns: ReadonlyMap<string, string>
): Promise<string[]> {
  const whole: Readonly<Record<Engine, (column: string, type: string) => string>> = {
    postgres: column => `coalesce("${column}"::text, 'NULL')`,
    mysql (column, type) {
      const bytes = type.startsWith('point') ? `st_asbinary(\`${column}\`)` : `cast(\`${column}\` as binary)`
      return `coalesce(hex(${bytes}), 'NULL')`
    },
    sqlite: column => `quote("${column}")`
  }
  const texts = [...columns].map(([column, type]) => whole[engine](column, type))
  const all = engine === 'mysql' ? `concat_ws(' | ', ${texts.join(', ')})` : texts.join(" || ' | ' || ")
  const quote = engine === 'mysql' ? '`' : '"'
  const rows = await execute(url, `select ${all} as stored from ${quote}${table}${quote} order by 1`)
  return rows.map(({ stored }) => String(stored))
}
