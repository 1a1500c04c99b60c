/** A running application and the means to attack it: sends sessions, judges each response, puts the rows back. */
import path from 'node:path'
import type { Vocabulary } from '../hostile/index.js'
import { everyRole } from './inside/accounts.js'
import { requestHeader } from './inside/protocol.js'
import type { Facts, RowChange, ServerFault } from './inside/protocol.js'
import { invariantsFor, isApplicationsOwn, isThrownIn, type Observation, type Setting } from './invariants/index.js'
import { Prober } from './prober.js'
import { isStream, operationsOf, type ApiDocument, type Operation } from './routes.js'
import type { Session, World } from './requests.js'
import { Statistics } from './statistics.js'
import { checkout } from './checkout.js'
import { Target, type TargetOptions } from './target.js'
import { Connection, type Answer } from './wire.js'
import { resolved, type WireRequest } from './wire-request.js'

export interface Fault {
  /** What is wrong, in full. */
  readonly what: string
  /** The same for each occurrence of the same fault. */
  readonly signature: string
  /** As it was sent. */
  readonly request: WireRequest | undefined
  /** Its place in the session. */
  readonly index?: number | undefined
}

export interface AttackOptions extends TargetOptions {
  /** Milliseconds that a response may take, and that somebody else may wait meanwhile. Default: 1,000. */
  readonly slow?: number
  /** Operations whose answers may be server faults: the application answers so on purpose. */
  readonly mayFail?: readonly string[]
}

export class Attack {
  readonly #operations: ReadonlyMap<string, Operation>
  readonly #streams: ReadonlySet<string>
  readonly #connections: Connection[] = []
  readonly #setting: Setting
  readonly #invariants
  readonly #slow: number
  #crashTold = false
  /** Number of the last request whose answer told it. */
  #number = 0
  /** Place of the request at hand in the session. */
  #index = 0
  /** Milliseconds of the slowest answer of the session. */
  #slowest = 0
  readonly statistics: Statistics
  readonly world: World
  readonly prober: Prober

  private constructor (
    readonly target: Target,
    readonly facts: Facts,
    document: ApiDocument,
    options: AttackOptions,
    statistics: Statistics
  ) {
    this.statistics = statistics
    const operations = operationsOf(document)
    this.world = {
      operations,
      schemas: document.components?.schemas ?? {},
      accounts: facts.accounts.length,
      mighty: Math.max(
        0,
        facts.accounts.findIndex(({ what }) => what === everyRole)
      ),
      vocabularies: vocabulariesOf(facts)
    }
    this.#operations = new Map(operations.map(each => [each.id, each]))
    this.#streams = new Set(operations.filter(isStream).map(({ id }) => id))
    this.#invariants = invariantsFor(document)
    this.#setting = {
      facts,
      dir: path.resolve(options.dir),
      checkout: path.resolve(checkout),
      mayFail: new Set(options.mayFail)
    }
    this.#slow = options.slow ?? 1_000
    const cheap = operations.find(each => each.verb === 'GET' && each.method === 'count' && !each.path.includes('{'))
    this.prober = new Prober(target.port, cheap?.path ?? '/')
  }

  /** @param statistics figures to go on with. Default: new ones */
  static async begin (options: AttackOptions, statistics = new Statistics()): Promise<Attack> {
    const target = await Target.start(options)
    try {
      const facts = await target.facts()
      const attack = new Attack(target, facts, await target.description(), options, statistics)
      attack.prober.start()
      return attack
    } catch (error) {
      await target.stop()
      throw error
    }
  }

  /**
   * Sends a session to rows as they were at the start. The first fault that it shows; undefined when all rules hold.
   */
  async run (session: Session): Promise<Fault | undefined> {
    try {
      return await this.#checked(session)
    } catch (error) {
      // Whatever was asked of it when it ended.
      if (this.target.ended === undefined) throw error
      return this.#crashed(session.requests[this.#index])
    }
  }

  async #checked (session: Session): Promise<Fault | undefined> {
    this.prober.takeWorst()
    let fault = session.together ? await this.#atOnce(session) : await this.#inTurn(session)
    if (this.target.ended !== undefined) return fault ?? this.#crashed(session.requests.at(-1))
    const { dying, pollution, unseen, cpu } = await this.target.ask('restore')
    if (dying) {
      await this.target.exited()
      return fault ?? this.#crashed(session.requests.at(-1))
    }
    fault ??= this.#waited(session, cpu)
    if (!session.together && unseen.length > 0) {
      fault ??= {
        what: `rows: changed behind the connector: ${JSON.stringify(unseen).slice(0, 500)}`,
        signature: 'rows behind the connector',
        request: session.requests.at(-1)
      }
    }
    // Before all others: what else goes wrong goes wrong because of it.
    if (pollution.length > 0) {
      fault = {
        what: `polluted prototype: ${pollution.join(', ')}`,
        signature: 'polluted prototype',
        request: session.requests.at(-1),
        index: this.#index
      }
    }
    fault ??= this.#leaked(this.target.takeOutput())
    return fault
  }

  async end (): Promise<Fault | undefined> {
    this.prober.stop()
    for (const connection of this.#connections) connection.close()
    const running = this.target.ended === undefined
    if (!(await this.target.stop()) && running) {
      return {
        what: 'no end: the server did not stop within 15 seconds of SIGTERM',
        signature: 'no end',
        request: undefined
      }
    }
    return undefined
  }

  /** Reachable bytes of the server, its rows as at the start. */
  async measureMemory (): Promise<void> {
    // Of a process that just ended there is nothing to say; the next session does.
    const bytes = await this.target.ask('memory').catch((error: unknown) => {
      if (this.target.ended === undefined) throw error
    })
    if (bytes !== undefined) this.statistics.memory.push({ requests: this.statistics.requests, bytes })
  }

  async #inTurn ({ requests }: Session): Promise<Fault | undefined> {
    const last = { id: 'x' }
    for (const [index, request] of requests.entries()) {
      this.#index = index
      const fault = await this.#judge(await this.#send(request, 0, last), true)
      if (fault !== undefined) return { ...fault, index }
    }
    return undefined
  }

  async #atOnce ({ requests }: Session): Promise<Fault | undefined> {
    const sent = await Promise.all(requests.map((request, index) => this.#send(request, index, { id: 'x' })))
    for (const each of sent) {
      const fault = await this.#judge(each, false)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  async #send (
    request: WireRequest,
    index: number,
    last: { id: string }
  ): Promise<{ request: WireRequest; operation: Operation; answer: Answer }> {
    const operation = this.#operations.get(request.operation)
    if (operation === undefined) throw new Error(`The application has no operation ${request.operation}`)
    const filled = resolved(request, placeholder => this.#fill(placeholder, last))
    const connection = (this.#connections[index] ??= new Connection(this.target.port))
    const answer = await connection.send(filled, this.#streams.has(operation.id))
    this.statistics.note(operation, request.verb, answer)
    this.#slowest = Math.max(this.#slowest, answer.milliseconds)
    const made = /^\{"id":("?)([^",}]{1,100})\1[,}]/.exec(answer.body.toString('utf8', 0, 200))
    if (answer.status < 300 && made !== null) last.id = encodeURIComponent(made[2] as string)
    return { request: filled, operation, answer }
  }

  #fill (placeholder: string, last: { id: string }): string {
    const [what, number] = placeholder.split(':')
    const token = this.facts.accounts[Number(number)]?.token ?? ''
    switch (what) {
      case 'token':
        return token
      case 'base64':
        return Buffer.from(token).toString('base64')
      case 'last':
        return last.id
      default:
        return `{{${placeholder}}}`
    }
  }

  async #judge (
    { request, operation, answer }: { request: WireRequest; operation: Operation; answer: Answer },
    alone: boolean
  ): Promise<Fault | undefined> {
    // The socket may be closed a moment before the process is known to be gone.
    if (answer.failure === 'closed' && answer.status === 0) await new Promise(resolve => setTimeout(resolve, 200))
    if (this.target.ended !== undefined) return this.#crashed(request)
    let faults = answer.status < 500 ? [] : await this.target.ask('faults')
    const own = faults.filter(({ url }) => url === `${request.verb} ${request.target}`)
    if (own.length > 0) faults = own
    else if (answer.status >= 500) faults = await this.#spied(request)
    const changes = alone ? await this.#changes(answer.headers[requestHeader]) : undefined
    const observed: Observation = { request, operation, answer, faults, changes }
    if (isApplicationsOwn(observed, this.#setting)) {
      this.statistics.applicationErrors[operation.id] = (this.statistics.applicationErrors[operation.id] ?? 0) + 1
    }
    for (const invariant of this.#invariants) {
      const what = invariant(observed, this.#setting)
      if (what !== undefined) return { what, signature: signatureOf(what, operation), request }
    }
    return undefined
  }

  async #changes (told: string | undefined): Promise<RowChange[]> {
    const [text = '', touched] = told?.split(' ') ?? []
    const after = this.#number
    const request = text === '' ? undefined : Number(text)
    this.#number = request ?? after
    return touched === 'false' ? [] : await this.target.ask('changes', { request, after })
  }

  /** What was thrown where no hook is told: the request once more, with every error seen. */
  async #spied (request: WireRequest): Promise<ServerFault[]> {
    await this.target.ask('spy', true)
    await (this.#connections[0] as Connection).send(request)
    return await this.target.ask('spy', false)
  }

  #crashed (request: WireRequest | undefined): Fault | undefined {
    // Told once.
    if (this.#crashTold) return undefined
    this.#crashTold = true
    const output = this.target.takeOutput()
    const stack = (/"stack":"((?:[^"\\]|\\.)*)"/.exec(output)?.[1] ?? '').replaceAll('\\n', '\n')
    // Nobody but the application can catch what its own timers throw.
    if (isThrownIn(this.#setting.dir, stack)) {
      this.statistics.applicationErrors['the process ended'] =
        (this.statistics.applicationErrors['the process ended'] ?? 0) + 1
      return undefined
    }
    const what = `crash: ${this.target.ended}\n${output.slice(-3_000)}`
    return { what, signature: `crash ${/\n\s+at .*/.exec(what)?.[0] ?? ''}`, request, index: this.#index }
  }

  /** Somebody waited for long while the server was at work: not because other programs had the processor. */
  #waited ({ requests }: Session, cpu: number): Fault | undefined {
    const probe = this.prober.takeWorst()
    this.statistics.slowestProbe = Math.max(this.statistics.slowestProbe, probe)
    const worst = Math.max(probe, this.#slowest)
    this.#slowest = 0
    return worst <= this.#slow || cpu < this.#slow / 2
      ? undefined
      : { what: `slow: somebody waited ${Math.round(worst)} ms`, signature: 'slow', request: requests.at(-1) }
  }

  #leaked (output: string): Fault | undefined {
    const secret = [...this.facts.secrets, ...this.facts.accounts.map(each => each.token)].find(each =>
      output.includes(each)
    )
    return secret === undefined
      ? undefined
      : {
          what: `hidden value in the log: ${output.slice(0, 1_000)}`,
          signature: 'hidden value in the log',
          request: undefined
        }
  }
}

function signatureOf (what: string, operation: Operation): string {
  const frame = what
    .split('\n')
    .find(line => /^\s+at /.test(line) && !line.includes('node:') && !line.includes('/node_modules/.pnpm/'))
  const [kind, detail] = what.split(':', 3) as [string, string?]
  return frame === undefined
    ? `${kind}${kind === 'rows' || kind === 'not described' ? `:${(detail ?? '').slice(0, 80)}` : ''} | ${operation.method.replace(/__\w+$/, '')}`
    : `${kind} | ${frame.trim()}`
}

function vocabulariesOf ({ models, accounts }: Facts): Record<string, Vocabulary> {
  const byName = new Map(models.map(each => [each.name, each]))
  const hidden = [...new Set(models.flatMap(each => each.hidden))]
  return Object.fromEntries(models.map(each => {
    const related = each.relations
      .flatMap(({ model, through }) => [model, through])
      .map(name => byName.get(name ?? ''))
      .filter(other => other !== undefined)
    const people = accounts.filter(({ model }) => model === each.name).flatMap(({ email, id }) => [email, id])
    return [
      each.name,
      {
        names: [
          ...new Set([
            ...each.properties,
            ...each.relations.map(({ name }) => name),
            ...hidden,
            ...related.flatMap(other => other.properties.slice(0, 3))
          ])
        ],
        ids: [
          ...new Set([
            ...each.ids.slice(0, 8),
            ...related.flatMap(other => other.ids.slice(0, 3)),
            ...people,
            ...(people.length > 0 ? ['fuzz-password'] : [])
          ])
        ]
      }
    ]
  }))
}
