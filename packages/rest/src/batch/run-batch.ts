/** Runs the operations of a batch, one after the other: all in one transaction, or each by itself. */
import type { DataSource, MaybePromise, SharedMethod, TransactionBeginning } from '@fastback/core'
import { byClock } from '@fastback/core/connector'
import type { FastifyRequest } from 'fastify'
import { batchTimeout, responsesTooLarge } from './errors.js'
import type { Batch } from './operations.js'
import type { OperationCalls, OperationResponse } from './operation-call.js'
import { Responses } from './references.js'
import { failureText, resultText } from './results.js'
import type { BatchLimits } from './settings.js'

/** A batch that is to run, and where. */
export interface PlannedBatch {
  readonly batch: Batch
  /** The method of each operation. */
  readonly methods: readonly SharedMethod[]
  /** In whose transaction all is done; null: in none. */
  readonly dataSource: DataSource | null
  readonly beginning: TransactionBeginning
}

/** An operation failed, and nothing was done: its response is that of the batch, with the position. */
export class FailedOperation extends Error {
  readonly statusCode: number
  readonly text: string

  constructor (readonly response: OperationResponse, operation: number) {
    super(`operation ${operation} failed`)
    this.statusCode = response.status
    this.text = failureText(response.text, response.status, operation)
  }
}

/** What runs batches of a scope. */
export interface BatchRunner {
  readonly calls: OperationCalls
  readonly limits: BatchLimits
  /** The response of an error that came before an operation, or after it. */
  readonly errorOf: (error: unknown, request: FastifyRequest) => MaybePromise<OperationResponse>
}

/**
 * Runs a batch, and gives the text of its response. One that is done as one ends with the first operation that fails;
 * in others one that fails keeps no other back.
 * @throws FailedOperation where nothing was done; RequestError 413 BATCH_RESPONSE_TOO_LARGE, with all rolled back
 */
export async function runBatch (runner: BatchRunner, planned: PlannedBatch, request: FastifyRequest): Promise<string> {
  const { dataSource, beginning } = planned
  const support = dataSource?.connector.transactions
  const run = async (): Promise<string> => await runAll(runner, planned, request)
  // With a key of the request's own, the transaction is there already.
  return dataSource === null || support === undefined || dataSource.ambient.handle !== undefined
    ? await run()
    : await dataSource.ambient.run(support, run, beginning)
}

async function runAll (
  runner: BatchRunner, { batch: { operations, isAtomic }, methods, dataSource }: PlannedBatch, request: FastifyRequest
): Promise<string> {
  const { limits: { maxResponse, seconds } } = runner
  const responses = new Responses()
  const results: string[] = []
  const end = performance.now() + seconds * 1000
  let bytes = 0
  const pauses = byClock()
  for (const [i, operation] of operations.entries()) {
    // A store in this process answers at once: others come in between, unless a transaction is open (S-101).
    if (dataSource === null && pauses.isDue) await pauses.rest()
    const send = async (): Promise<OperationResponse> => {
      if (performance.now() > end) throw batchTimeout(seconds)
      return await runner.calls.send(request, operation, methods[i] as SharedMethod, responses)
    }
    const response = await send().catch(async (error: unknown) => await runner.errorOf(error, request))
    if (isAtomic && response.status >= 400) throw new FailedOperation(response, i)
    bytes += Buffer.byteLength(response.text)
    const isOmitted = bytes > maxResponse
    if (isOmitted && isAtomic) throw responsesTooLarge(maxResponse)
    if (operation.id !== undefined && response.status < 400 && !isOmitted) responses.add(operation.id, response.text)
    results.push(resultText(operation, response, isOmitted))
  }
  return `{"results":[${results.join()}]}`
}
