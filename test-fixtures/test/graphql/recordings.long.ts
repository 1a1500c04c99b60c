/**
 * The recordings of a conformance kit beside the checkout, where there is one, asked in GraphQL as well: each read of
 * the data and access recordings that GraphQL can say gives the rows that REST gives, or its refusal.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createServer } from '@fastback/boot'
import { restRoutes, type PublishedRoute } from '@fastback/rest'
import { introspection, Schema } from './schema.js'
import { NoField, shown, Translation, Untranslatable, type Selection, type Translated } from './translate.js'

type Loose = any

const kit = fileURLToPath(
  new URL(process.env.FASTBACK_CONFORMANCE ?? '../../../../shared/conformance', import.meta.url)
)
const areas = ['acl', 'crud', 'filter', 'include', 'multiuser']

/** Of a whole kit, at least so many reads are the same in both. */
const floor = 650

const counts = { same: 0, refused: 0, byInclude: 0, leftOut: 0 }
const untranslated = new Map<string, number>()
const differences: string[] = []

/** Fills in what earlier responses gave. */
function fill (value: Loose, found: Loose): Loose {
  if (typeof value === 'string') {
    const whole = /^\{\{(\w+)\}\}$/.exec(value)
    if (whole !== null) return found[whole[1] as string]
    return value.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(found[name]))
      .replaceAll(/\{\{pad:(\d+)\}\}/g, (_, count: string) => 'x'.repeat(Number(count)))
  }
  if (Array.isArray(value)) return value.map(each => fill(each, found))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, found)]))
}

/** The route of a path, and the values of its parameters. */
function routeOf (
  routes: readonly PublishedRoute[], pathname: string
): [PublishedRoute, Record<string, string>] | undefined {
  const parts = pathname.split('/')
  for (const route of routes) {
    const names = `${route.prefix}${route.path}`.split('/')
    if (route.verb !== 'GET' || names.length !== parts.length) continue
    const values: Record<string, string> = {}
    if (names.every((name, i) => {
      const part = decodeURIComponent(parts[i] as string)
      if (name.startsWith(':')) values[name.slice(1)] = part
      return name.startsWith(':') ? part !== '' : name === part
    })) return [route, values]
  }
}

/** @throws Untranslatable, NoField */
function translated (schema: Schema, routes: readonly PublishedRoute[], url: URL): Translated {
  const found = routeOf(routes, url.pathname.replace(/(?<=.)\/$/, ''))
  if (found === undefined) throw new Untranslatable('no route of a model')
  const given = new Map(url.searchParams)
  given.delete('access_token')
  const json = (name: string): Loose => {
    const text = given.get(name)
    given.delete(name)
    try {
      return text === undefined ? undefined : JSON.parse(text)
    } catch {
      throw new Untranslatable('a filter that is no JSON')
    }
  }
  const [filter, where] = [json('filter') ?? {}, json('where')]
  if (given.size > 0) throw new Untranslatable('a filter in brackets, or other arguments')
  if (typeof filter !== 'object' || Array.isArray(filter)) throw new Untranslatable('a filter that is no object')
  return new Translation(schema).of(...found, where === undefined ? filter : { ...filter, where })
}

const countUntranslated = (why: string): void => { untranslated.set(why, (untranslated.get(why) ?? 0) + 1) }

class Player {
  constructor (readonly server: Loose, readonly schema: Schema, readonly routes: readonly PublishedRoute[]) {}

  /** Sends a recorded request over REST, and a read in GraphQL as well. */
  async step (name: string, { method, path: target, headers = {}, body, rawBody, rawBase64 }: Loose): Promise<Loose> {
    const payload = rawBase64 === undefined ? rawBody ?? body : Buffer.from(rawBase64, 'base64')
    const request = { method, url: target, headers, ...(payload === undefined ? {} : { payload }) }
    const response = await this.server.fastify.inject(request)
    let json: Loose
    try { json = response.json() } catch { json = undefined }
    if (method === 'GET') await this.#ask(name, target, headers, response.statusCode, json)
    return json
  }

  async #ask (name: string, target: string, headers: Loose, status: number, json: Loose): Promise<void> {
    const url = new URL(target, 'http://localhost')
    try {
      const { query, variables, read, selection, included } = translated(this.schema, this.routes, url)
      const token = url.searchParams.get('access_token')
      const { data, errors } = (await this.server.fastify.inject({
        method: 'POST',
        url: token === null ? '/graphql' : `/graphql?access_token=${encodeURIComponent(token)}`,
        headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
        payload: JSON.stringify({ query, variables })
      })).json()
      const wrong = (what: unknown): void => { differences.push(`${name}: ${target}\n${query}\n${JSON.stringify(what)}`) }
      if (status >= 400 && included !== undefined && errors === undefined && read(data) !== undefined) {
        // A rule may refuse the method of a relation, and not the rows with which `include` gives them.
        const filter = encodeURIComponent(JSON.stringify({ include: included.relation }))
        const whole = await this.server.fastify.inject({ url: `${included.path}?filter=${filter}`, headers })
        const wanted = shown(whole.json()[included.relation], selection as Selection)
        if (JSON.stringify(wanted) === JSON.stringify(shown(read(data), selection as Selection))) counts.byInclude++
        else wrong({ wanted, data })
      } else if (status >= 400) {
        const value = data === undefined || data === null || errors !== undefined ? undefined : read(data)
        const found = errors?.[0]?.extensions?.statusCode
        if (found === status || (value === undefined && status === 404)) counts.refused++
        else if (found >= 400 && found <= 404) counts.refused++
        else wrong({ status, json, data, errors })
      } else if (errors !== undefined) wrong({ status, json, errors })
      else {
        const [wanted, given] = [selection === undefined ? json : shown(json, selection), read(data)]
        const own = selection === undefined ? given : shown(given, selection)
        if (JSON.stringify(wanted) === JSON.stringify(own)) counts.same++
        else wrong({ wanted, own })
      }
    } catch (error) {
      if (error instanceof Untranslatable) countUntranslated(error.message)
      else if (!(error instanceof NoField)) throw error
      else if (status >= 400) counts.leftOut++
      else countUntranslated('no field')
    }
  }
}

async function play (file: string): Promise<void> {
  const { app, steps } = JSON.parse(readFileSync(file, 'utf8'))
  process.env.NODE_ENV = 'test'
  const server = await createServer(path.join(kit, app), {
    port: 0, log: false, given: { components: { '@fastback/graphql': { introspection: true } } }
  })
  try {
    const { fastify } = server
    const described = await fastify.inject({ method: 'POST', url: '/graphql', payload: { query: introspection } })
    const routes = restRoutes(fastify.registry)
      .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)
    const player = new Player(server, new Schema(described.json().data), routes)
    const found: Loose = {}
    for (const { name, request, capture = {}, waitMs } of steps) {
      if (waitMs !== undefined) await new Promise(resolve => { setTimeout(resolve, waitMs) })
      const { readMs, ...filled } = fill(request, found)
      if (readMs !== undefined) continue
      const body = await player.step(`${path.relative(kit, file)}: ${String(name)}`, filled)
      for (const [key, expression] of Object.entries(capture as Record<string, string>)) {
        found[key] = expression.split('.').reduce((value: Loose, part) => value?.[part], { body })
      }
    }
  } finally {
    await server.stop()
  }
}

t.test('reads of the recordings', { skip: existsSync(kit) ? false : 'no kit here' }, async t => {
  for (const area of areas) {
    const folder = path.join(kit, 'cassettes', area)
    for (const file of readdirSync(folder, { recursive: true }).map(String).filter(name => name.endsWith('.json')).sort()) {
      await play(path.join(folder, file))
    }
  }
  t.comment(JSON.stringify({ ...counts, untranslated: Object.fromEntries(untranslated) }, null, 1))
  for (const difference of differences) t.fail(difference)
  t.ok(counts.same + counts.refused >= floor, `${counts.same} rows and ${counts.refused} refusals are the same`)
})
