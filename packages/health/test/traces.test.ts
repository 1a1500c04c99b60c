/** Traces by OpenTelemetry's API (issue "Databases and processes", item 5). */
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan
} from '@opentelemetry/sdk-trace-base'
import { tracingChannel } from 'node:diagnostics_channel'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { core } from '@fastback/core'
import { instrumentOf } from '@fastback/core/remote'
import { sqlConnector } from '@fastback/connector-sql'
import { memoryConnector } from '@fastback/connector-memory'
import { health, type HealthOptions } from '@fastback/health'
import { rest } from '@fastback/rest'

type Loose = any

async function start (t: Test, options: HealthOptions): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(core, {
    dataSources: {
      db: { connector: sqlConnector, url: 'sqlite::memory:' } as never,
      memory: { connector: memoryConnector }
    },
    definitions: [
      { name: 'Note', properties: { title: 'string' } },
      { name: 'Remark', properties: { text: 'string' } }
    ],
    models: { Note: { dataSource: 'db', public: true }, Remark: { dataSource: 'memory', public: true } }
  })
  const { Note } = app.models as Loose
  Note.observe('before save', async ({ instance }: Loose) => {
    if (instance?.title === 'fails') throw Object.assign(new Error('with a secret'), { code: 'TOO_BAD' })
  })
  await app.register(health, options)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  t.teardown(async () => { await app.close() })
  return app
}

t.test('without an SDK nothing is in the way of anything', async t => {
  for (const traces of [false, true]) {
    const app = await start(t, { traces })
    t.equal(instrumentOf(app.registry), undefined)
    t.equal((await app.inject('/api/Notes')).statusCode, 200)
  }
})

t.test('with an SDK', async t => {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  t.teardown(() => {
    trace.disable()
    context.disable()
    propagation.disable()
  })
  /** The spans of what runs, each as its name and that of its parent. */
  const spansOf = async (work: () => Promise<unknown>): Promise<ReadableSpan[]> => {
    exporter.reset()
    await work()
    return exporter.getFinishedSpans()
  }
  const tree = (spans: readonly ReadableSpan[]): string[] => spans.map(({ name, parentSpanContext: parent }) => {
    const above = spans.find(span => span.spanContext().spanId === parent?.spanId)
    return above === undefined ? name : `${name} in ${above.name}`
  }).sort()
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }

  const app = await start(t, { traces: true })
  const { Note } = app.models as Loose

  t.test('a request, its method, hooks and queries, under the caller\'s trace', async t => {
    const spans = await spansOf(() => app.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'x' }, headers }))
    t.same(tree(spans), [
      'Note before save in Note.create', 'Note.create in POST /api/Notes', 'POST /api/Notes', 'db INSERT in Note.create'
    ])
    t.ok(spans.every(span => span.spanContext().traceId === traceId))
    const [request, query] = ['POST /api/Notes', 'db INSERT'].map(wanted => spans.find(({ name }) => name === wanted))
    t.equal(request?.kind, SpanKind.SERVER)
    t.equal(request?.parentSpanContext?.spanId, '00f067aa0ba902b7')
    t.same(request?.attributes, {
      'http.request.method': 'POST', 'http.route': '/api/Notes', 'http.response.status_code': 200
    })
    t.same(query?.attributes, {
      'fastback.kind': 'query', 'fastback.data_source': 'db', 'db.operation.name': 'INSERT'
    })
  })

  t.test('reads, rows of other stores, and paths without a route', async t => {
    t.same(tree(await spansOf(() => app.inject('/api/Notes/1?secret=yes'))), [
      'GET /api/Notes/:id', 'Note.findById in GET /api/Notes/:id', 'db SELECT in Note.findById'
    ])
    t.match(tree(await spansOf(() => app.inject('/api/Remarks'))), [
      'GET /api/Remarks', 'Remark.find in GET /api/Remarks', 'memory find in Remark.find'
    ])
    t.same(tree(await spansOf(() => app.inject({ url: '/secret/path', headers: { 'x-y': 'z' } }))), ['GET'])
  })

  t.test('errors by their code alone', async t => {
    const spans = await spansOf(() => app.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'fails' } }))
    for (const span of spans) {
      t.equal(span.status.code, SpanStatusCode.ERROR, span.name)
      t.equal(span.attributes['error.type'], 'TOO_BAD')
    }
    t.notMatch(JSON.stringify(spans.map(({ attributes, events, status }) => [attributes, events, status])), /secret/)
  })

  t.test('work of the application\'s own, and calls to services', async t => {
    t.match(tree(await spansOf(() => Note.find())), ['db SELECT'])
    const calls = tracingChannel<unknown, object>('fastback:service.call')
    const propagated: { traceparent?: string } = {}
    const call = (dataSource: string, error?: Error): Promise<unknown> =>
      calls.tracePromise(
        async () => { if (error !== undefined) throw error },
        { dataSource, operation: 'forecast', status: 200, ...(error === undefined ? { propagated } : {}) }
      ).catch(() => {})
    const spans = await spansOf(async () => {
      await call('memory')
      await call('memory', Object.assign(new Error('secret'), { code: 'SERVICE_UNAVAILABLE' }))
      await call('another application\'s')
    })
    t.same(spans.map(({ name }) => name), ['memory forecast', 'memory forecast'])
    const { traceId, spanId } = (spans[0] as ReadableSpan).spanContext()
    t.equal(propagated.traceparent, `00-${traceId}-${spanId}-01`, 'the service goes on with the trace')
    t.equal(spans[1]?.attributes['error.type'], 'SERVICE_UNAVAILABLE')
  })

  t.test('statements only where they are asked for, and nothing after the end', async t => {
    const told = await start(t, { traces: { statements: true } })
    const spans = await spansOf(() => told.inject('/api/Notes?filter={"where":{"title":"secret"}}'))
    t.match(spans.map(({ attributes }) => attributes['db.query.text']), [/^SELECT .*\?/, undefined, undefined])
    t.notMatch(JSON.stringify(spans.map(({ attributes }) => attributes)), /secret/)
    const other = await start(t, { traces: true })
    await other.close()
    t.equal(instrumentOf(other.registry), undefined)
  })
})
