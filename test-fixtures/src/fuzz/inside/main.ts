/**
 * Given to the server process with `--import`: looks at the running application from inside, so that nothing in the
 * product has to be there for it. Fastify tells through its diagnostics channel of every instance that is made; the
 * first is the server's.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { CompiledModel, ModelClass, ModelRegistry } from '@fastback/core'
import { lineageOf } from '@fastback/core/remote'
import { makeAccounts } from './accounts.js'
import { Gauge, type Cost } from './gauge.js'
import { ProcessView } from './process-state.js'
import { requestHeader } from './protocol.js'
import type { Ending, Facts, ModelFacts, Question, Questions, RowChange, ServerFault } from './protocol.js'
import { spyOff, spyOn } from './spy.js'
import { connectorOf, RowView } from './rows.js'

let server: FastifyInstance | undefined
let requests = 0
const faults: ServerFault[] = []
const current = new AsyncLocalStorage<number>()
const numbers = new WeakMap<object, number>()

subscribe('fastify.initialization', message => {
  if (server !== undefined) return
  server = (message as { fastify: FastifyInstance }).fastify
  server.addHook('onError', async (request, reply, error) => {
    if (reply.statusCode < 500 && ((error as { statusCode?: number }).statusCode ?? 500) < 500) return
    if (faults.length < 1_000) {
      faults.push({ stack: String(error.stack ?? error), url: `${request.method} ${String(request.raw.url)}` })
    }
  })
  server.addHook('onRequest', (request, _reply, done) => {
    const number = ++requests
    numbers.set(request, number)
    // What the request sets going belongs to it, also after its response.
    current.run(number, done)
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    reply.header(requestHeader, `${numbers.get(request) ?? ''} ${String(inside.isTouched)}`)
    done(null, payload)
  })
})

class Inside {
  #rows: RowView | undefined
  #process: ProcessView | undefined
  readonly #gauge = new Gauge()
  dying = false

  async facts (): Promise<Facts> {
    const registry = (server as unknown as { registry: ModelRegistry }).registry
    const accounts = await makeAccounts(registry)
    const rows = this.#rows = new RowView(registry, () => current.getStore())
    for (const model of rows.models) await plantSecrets(rows, model)
    await rows.keep()
    this.#process = new ProcessView()
    // The name of a model is hidden in the rows of tokens, and no secret.
    const names = new Set<unknown>(rows.models.map(({ name }) => name))
    const secrets = rows.models
      .flatMap(model => rows.keptRows(model.name).flatMap(row => [...model.hidden].map(name => row[name])))
      .filter(value => !names.has(value))
    return {
      models: Object.values(registry.models).map(Model => factsOf(Model, rows)),
      accounts,
      secrets: [...new Set(secrets)].filter((text): text is string => typeof text === 'string' && text.length >= 8)
    }
  }

  changes = async (asked: Questions['changes']['asked']): Promise<RowChange[]> => await this.rows.changes(asked)
  restore = async (): Promise<Ending> => {
    // What the session left for the next turn throws now, if it does.
    await new Promise(resolve => setTimeout(resolve, 1))
    return {
      dying: this.dying,
      pollution: (this.#process as ProcessView).takePollution(),
      unseen: await this.rows.restore(),
      cpu: (this.#process as ProcessView).takeCpu()
    }
  }

  memory = async (): Promise<number> => await (this.#process as ProcessView).memory()
  gauge = async (): Promise<null> => {
    (this.#process as ProcessView).collect()
    // What the last request left for the next turn is not this one's.
    await new Promise(resolve => setTimeout(resolve, 2))
    this.#gauge.start()
    return null
  }

  cost = async (): Promise<Cost> => this.#gauge.stop()
  spy = async (on: boolean): Promise<ServerFault[]> => on ? spyOn() : spyOff()
  faults = async (): Promise<ServerFault[]> => faults.splice(0)

  get isTouched (): boolean | undefined {
    return this.#rows?.isTouched
  }

  get rows (): RowView {
    return this.#rows as RowView
  }
}

/** Hidden properties that hold nothing worth recognising get a text that is. */
async function plantSecrets (rows: RowView, model: CompiledModel): Promise<void> {
  const names = [...model.hidden].filter(
    name =>
      model.propertyByName.get(name)?.type.kind === 'string' && name !== 'verificationToken' && name !== 'principalType'
  )
  if (names.length === 0) return
  for (const row of await rows.rows(model)) {
    const id = row[model.id?.name as string] as string | number
    const planted = names
      .filter(name => typeof row[name] !== 'string' || row[name].length < 8)
      .map(name => [name, `hidden-${model.name}-${name}-${id}`])
    if (planted.length > 0) await connectorOf(model).updateById(model, id, Object.fromEntries(planted), {})
  }
}

function factsOf (Model: ModelClass, rows: RowView): ModelFacts {
  const { compiled } = Model
  return {
    name: Model.modelName,
    properties: compiled.properties.map(each => each.name),
    hidden: [...compiled.hidden],
    protected: [...compiled.protectedNames],
    relations: [...compiled.relations].map(([name, relation]) => ({
      name,
      type: relation.definition.type,
      model: relation.definition.model,
      through: relation.definition.through
    })),
    bases: lineageOf(Model).map(each => each.modelName),
    id: compiled.id?.name,
    ids: rows.keptRows(Model.modelName).map(row => row[compiled.id?.name as string])
  }
}

const inside = new Inside()

process.on('message', (message: { id: number, ask: Question, asked: never }) => {
  const reply = (inside[message.ask] as (asked: never) => Promise<Questions[Question]['answer']>).call(
    inside,
    message.asked
  )
  reply.then(
    answer => process.send?.({ id: message.id, answer }),
    (error: Error) => process.send?.({ id: message.id, error: String(error.stack) })
  )
})
process.on('uncaughtExceptionMonitor', () => { inside.dying = true })
// Nobody is left to ask.
process.on('disconnect', () => { process.exit() })
process.channel?.unref()
