/**
 * What the conformance kit asks of its application `shop`, recorded and compared: over 1,000 exchanges. The kit lies
 * beside a checkout, or where FASTBACK_CONFORMANCE says.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { serve, type Served } from '../src/index.js'
import { compareExchanges, recordExchanges } from '../src/traffic/index.js'

const kit = process.env.FASTBACK_CONFORMANCE ?? fileURLToPath(new URL('../../../../shared/conformance', import.meta.url))

interface Step {
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly rawBody?: string
    readonly readMs?: number
    readonly rawBase64?: string
  }
  readonly capture?: Readonly<Record<string, string>>
}

/** The requests of the cassettes of `shop`, but for streams (which rows are made behind their back for) and bytes. */
function scenarios (): Step[][] {
  const folder = path.join(kit, 'cassettes')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.json') && !file.startsWith('change-stream')).sort().flatMap(file => {
    const { app, steps } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as { app: string, steps: Step[] }
    return app === 'apps/shop' ? [steps.filter(({ request }) => request.readMs === undefined && request.rawBase64 === undefined)] : []
  })
}

/** Sends the steps of one scenario, with what earlier responses told. */
async function play (url: string, steps: readonly Step[]): Promise<number> {
  const told = new Map<string, string>()
  const filled = (text: string): string => text
    .replaceAll(/\{\{pad:(\d+)\}\}/g, (_, count: string) => 'x'.repeat(Number(count)))
    .replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => told.get(name) ?? whole)
  for (const { request: { method, path: at, headers = {}, body, rawBody }, capture = {} } of steps) {
    const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await fetch(url + filled(at), {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)]))
      },
      ...(text === undefined || method === 'GET' || method === 'HEAD' ? {} : { body: filled(text) })
    })
    const content = await answer.text()
    for (const [name, place] of Object.entries(capture)) {
      const found = place.split('.').slice(1).reduce<unknown>(
        (held, key) => (held as Record<string, unknown> | null | undefined)?.[key], asJson(content))
      if (found !== undefined) told.set(name, String(found))
    }
  }
  return steps.length
}

function asJson (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

t.test('over 1,000 exchanges of shop agree with a fresh server', {
  skip: existsSync(kit) ? false : `there is no conformance kit in ${kit}: set FASTBACK_CONFORMANCE`
}, async t => {
  const fresh = async (): Promise<Served> => {
    const served = await serve(path.join(kit, 'apps/shop'), { port: 0, host: '127.0.0.1', log: false })
    t.teardown(async () => { await served.close() })
    return served
  }
  const dir = path.join(t.testdir(), 'shop')
  const recorder = await recordExchanges({ target: (await fresh()).url, out: dir })
  let sent = 0
  for (const steps of scenarios()) {
    sent += await play(recorder.url, steps)
    if (sent > 1000) break
  }
  await recorder.close()
  t.ok(sent > 1000, `${sent} requests`)
  t.equal(recorder.failed, 0)
  // How long a server has run is its own.
  const ignore = ['body:$.uptime']
  const { exchanges, compared, different } = await compareExchanges(dir, { against: (await fresh()).url, ignore })
  const differing = exchanges.filter(each => each.differences.length > 0)
  t.strictSame(differing.slice(0, 10), [], `${different} of ${compared} differ`)
  t.ok(compared > 1000)
})
