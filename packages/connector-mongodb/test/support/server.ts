/**
 * A server that speaks MongoDB's wire protocol, for tests where none is given: one process, documents in memory. It
 * stands in for a MongoDB as far as the connector uses it, and refuses what it does not know.
 */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Document } from 'mongodb'
import { commands, Cursors } from './commands.js'
import { CommandError, Store } from './store.js'
import { MessageReader, writeReply } from './wire.js'

/** Numbers of the protocol that a MongoDB 7 speaks. */
const wireVersions = { minWireVersion: 0, maxWireVersion: 21 }

export class TestServer {
  /** Every command that came, for tests of what is sent. */
  readonly received: Document[] = []
  /** Responses of its own for single commands, for tests of errors. */
  answer: ((command: Document) => Document | undefined) | undefined
  readonly #databases = new Map<string, Store>()
  readonly #cursors = new Cursors()
  readonly #transactions = new Map<string, Store>()
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  private constructor (readonly replicaSet: string | undefined) {
    this.#server = createServer(socket => { this.#serve(socket) })
  }

  /** @param replicaSet its name; without it the server is a single one, which has no transactions */
  static async start (replicaSet?: string): Promise<TestServer> {
    const server = new TestServer(replicaSet)
    await new Promise<void>(resolve => { server.#server.listen(0, '127.0.0.1', resolve) })
    return server
  }

  get #address (): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get url (): string {
    return `mongodb://${this.#address}/test${this.replicaSet === undefined ? '' : `?replicaSet=${this.replicaSet}`}`
  }

  async stop (): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>(resolve => { this.#server.close(() => { resolve() }) })
  }

  #serve (socket: Socket): void {
    const reader = new MessageReader()
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('data', chunk => {
      for (const request of reader.read(chunk)) {
        const answer = this.#answerTo(request.command)
        if (answer.closes === true) socket.destroy()
        else socket.write(writeReply(request, answer))
      }
    })
  }

  #answerTo (command: Document): Document {
    this.received.push(command)
    try {
      return { ok: 1, ...(this.answer?.(command) ?? this.#run(command)) }
    } catch (error) {
      if (!(error instanceof CommandError)) return { ok: 0, code: 2, codeName: 'BadValue', errmsg: String(error) }
      if (error.details.errorLabels !== undefined) this.#transactions.delete(transactionOf(command))
      return { ok: 0, code: error.code, errmsg: error.message, ...error.details }
    }
  }

  #run (command: Document): Document {
    const [name] = Object.keys(command) as [string]
    switch (name.toLowerCase()) {
      case 'hello': case 'ismaster': return this.#hello()
      case 'committransaction': return this.#end(command, transaction => { transaction.commit() })
      case 'aborttransaction': return this.#end(command, () => {})
    }
    const run = commands[name]
    if (run === undefined) throw new CommandError(59, `no such command: '${name}'`)
    return run(this.#storeOf(command), command, this.#cursors)
  }

  #hello (): Document {
    const me = this.#address
    const member = this.replicaSet === undefined
      ? {}
      : { setName: this.replicaSet, setVersion: 1, hosts: [me], primary: me, me, secondary: false }
    return {
      isWritablePrimary: true,
      ismaster: true,
      maxBsonObjectSize: 16777216,
      maxMessageSizeBytes: 48000000,
      maxWriteBatchSize: 100000,
      logicalSessionTimeoutMinutes: 30,
      localTime: new Date(),
      ...wireVersions,
      ...member
    }
  }

  #database (name: string): Store {
    const known = this.#databases.get(name)
    if (known !== undefined) return known
    const made = new Store()
    this.#databases.set(name, made)
    return made
  }

  /** What a command sees: the documents of its transaction, or all. */
  #storeOf (command: Document): Store {
    if (command.autocommit !== false) return this.#database(command.$db)
    if (this.replicaSet === undefined) {
      throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos')
    }
    const key = transactionOf(command)
    if (command.startTransaction === true) this.#transactions.set(key, new Store(this.#database(command.$db)))
    const store = this.#transactions.get(key)
    if (store === undefined) throw new CommandError(251, 'NoSuchTransaction', { errorLabels: ['TransientTransactionError'] })
    return store
  }

  #end (command: Document, how: (transaction: Store) => void): Document {
    const key = transactionOf(command)
    const transaction = this.#transactions.get(key)
    if (transaction === undefined) throw new CommandError(251, 'NoSuchTransaction')
    this.#transactions.delete(key)
    how(transaction)
    return {}
  }
}

const transactionOf = ({ lsid, txnNumber }: Document): string =>
  `${String(lsid?.id?.toString('hex'))} ${String(txnNumber)}`
