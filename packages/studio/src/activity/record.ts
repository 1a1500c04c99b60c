/** Follows the requests of an application from the beginning to the end. */
import type { ModelRegistry } from '@fastback/core'
import { sharedMethodOf, type TokenOfUser } from '@fastback/core/remote'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf, type StudioOptions } from '../options.js'
import { Recorder } from './recorder.js'
import type { RequestRecord } from './request-record.js'
import { rounded } from './seconds.js'

const kRecorder = Symbol('fastback.studioRecorder')

/** That of an application; undefined where nothing is recorded. */
export const recorderOf = (registry: ModelRegistry): Recorder | undefined =>
  registry.slot<{ recorder: Recorder | undefined }>(kRecorder, () => ({ recorder: undefined })).recorder

function recorderFor (registry: ModelRegistry, { requests = 200, slow = 100 }: StudioOptions): Recorder {
  const kept = registry.slot<{ recorder: Recorder | undefined }>(kRecorder, () => ({ recorder: undefined }))
  return (kept.recorder ??= new Recorder(registry, { capacity: requests, slow }))
}

/**
 * Adds hooks to a context, whose routes come afterwards. The studio's own requests are not among those that it keeps.
 */
export function recordActivity (app: FastifyInstance, registry: ModelRegistry, options: StudioOptions): void {
  const recorder = recorderFor(registry, options)
  const own = `${app.prefix}${options.prefix ?? ''}${pathOf(options) ?? ''}/`
  const open = new WeakMap<FastifyRequest, RequestRecord>()
  recorder.listen()
  app.addHook('onReady', async () => {
    // Data sources may be made until the server is ready.
    recorder.listen()
    recorder.seconds.start()
  })
  app.addHook('onClose', async () => {
    recorder.silence()
    recorder.seconds.stop()
  })

  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url.startsWith(own)) {
      done()
      return
    }
    recorder.inFlight++
    const record = recorder.begin()
    open.set(request, record)
    if (recorder.recording) recorder.run(record, done)
    else done()
  })
  // Bodies arrive in the context of their connection.
  app.addHook('preValidation', (request, _reply, done) => {
    const record = open.get(request)
    if (record === undefined || !recorder.recording) done()
    else recorder.run(record, done)
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const record = open.get(request)
    if (record !== undefined) record.rulesBegan = record.now
    done()
  })
  const end = (request: FastifyRequest, reply: FastifyReply | undefined): void => {
    const record = open.get(request)
    if (record === undefined) return
    open.delete(request)
    recorder.inFlight--
    const status = reply?.statusCode ?? 0
    const duration = record.now
    recorder.seconds.add(status, duration)
    if (!recorder.recording) return
    record.summary = summaryOf(record, request, reply, { status, duration, slow: recorder.options.slow })
    recorder.keep(record)
  }
  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply)
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    end(request, undefined)
    done()
  })
}

interface Ended { readonly status: number, readonly duration: number, readonly slow: number }

/** Names of the application's own, numbers, and who the caller is: nothing else that the client sent. */
function summaryOf (
  record: RequestRecord, request: FastifyRequest, reply: FastifyReply | undefined, { status, duration, slow }: Ended
): NonNullable<RequestRecord['summary']> {
  const { is404, method, routeOptions } = request
  const route = is404 ? undefined : routeOptions.url
  const shared = sharedMethodOf(routeOptions)
  const { accessToken } = request as { readonly accessToken?: TokenOfUser | null }
  const { userId, principalType } = accessToken ?? {}
  const bytes = Number(reply?.getHeader('content-length'))
  return {
    id: record.id,
    at: record.at,
    method: known.has(method) ? method : 'other',
    ...route === undefined ? {} : { route },
    status,
    duration: rounded(duration),
    ...shared === undefined
      ? {}
      : { model: shared.modelName, operation: `${shared.modelName}.${shared.fullName}` },
    ...userId === undefined || userId === null
      ? {}
      : { caller: { userId: String(userId), ...typeof principalType === 'string' ? { userModel: principalType } : {} } },
    ...Number.isFinite(bytes) && reply?.getHeader('content-length') !== undefined ? { bytes } : {},
    statements: record.statements,
    marks: record.marks(status, duration, slow)
  }
}

/** A client may send any method. */
const known: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
