// The application that histories of chance are about: in the process of the test, or in one of its own, which can be
// killed. `Audit` gets a row for each saved note, in the note's transaction: what reached the server at some time.
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'
import { sync } from '@fastback/sync'

const quiet = { warn () {}, info () {}, debug () {} }

/**
 * @param {string | undefined} url of a database; undefined: in memory
 * @param {'update' | 'none'} [migrate]
 */
export async function makeHistoryApp (url, migrate = 'update') {
  const registry = new ModelRegistry({ log: quiet })
  registry.defineDataSource('db', url === undefined
    ? { connector: memoryConnector }
    : { connector: sqlConnector, url, migrate })
  registry.defineModel({
    name: 'Note',
    trackChanges: true,
    strict: true,
    properties: { id: { type: 'string', id: true, defaultFn: 'guid' }, title: { type: 'string', required: true } }
  })
  registry.defineModel({
    name: 'Audit',
    strict: true,
    properties: { id: { type: 'number', id: true, generated: true }, note: 'string', title: 'string' }
  })
  for (const name of ['Note', 'Audit']) registry.attach(name, 'db', { public: true })
  const { Note, Audit } = registry.models
  Note.observe('after save', async ({ instance }) => {
    if (instance !== undefined) await Audit.create({ note: instance.id, title: instance.title })
  })
  const app = Fastify({ forceCloseConnections: true })
  await app.register(core, { registry })
  await app.register(sync)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return {
    app,
    /** Forgets all deletes until now, as if `tombstoneTtl` had passed: who has not heard of them begins again. */
    async forget () {
      Note.settings.tombstoneTtl = -1_000_000
      await Note.rectifyAllChanges()
    }
  }
}

const RealDate = globalThis.Date
let skew = 0

/** Sets the clock of this process off by some milliseconds. */
export function skewClock (milliseconds) {
  skew = milliseconds
  globalThis.Date = milliseconds === 0 ? RealDate : SkewedDate
}

class SkewedDate extends RealDate {
  constructor (...values) {
    if (values.length === 0) super(RealDate.now() + skew)
    else super(...values)
  }

  static now () { return RealDate.now() + skew }
  static [Symbol.hasInstance] (value) { return value instanceof RealDate }
}

/** As a process of its own: it serves, and does what its parent says. */
async function serveParent ([url, migrate]) {
  const { app, forget } = await makeHistoryApp(url, migrate)
  process.on('message', async ({ skew, isForgetting, turn }) => {
    if (skew !== undefined) skewClock(skew)
    if (isForgetting === true) await forget().catch(error => { console.error(error) })
    process.send({ turn })
  })
  process.on('disconnect', () => { process.exit() })
  process.send({ address: await app.listen({ port: 0, host: '127.0.0.1' }) })
}

const isChild = process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)
if (isChild) await serveParent(process.argv.slice(2))
