// FASTBACK_TEST_FULL: services as processes.
/**
 * A folder whose models call four services, one for each connector: described, typed in the client, tried in the
 * explorer (service-connectors.md).
 */
import { spawnSync } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { createServer } from '@fastback/boot'
import { writeClient } from '@fastback/cli'
import { ApiPage } from '../../packages/explorer/test/helpers/api-page.js'
import { browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'
import { echoTypes, envelope, send, serve, wsdl } from '../../packages/connector-soap/test/service.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const chromium = browserPath()

function folder (t: Test, files: Readonly<Record<string, unknown>>): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'fastback-services-'))
  t.teardown(() => { rmSync(dir, { recursive: true }) })
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(dir, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return dir
}

async function started (t: Test, dir: string): Promise<string> {
  const server = await createServer(dir, { log: false, host: '127.0.0.1', port: 0 })
  t.teardown(() => server.stop())
  return await server.start()
}

const app = (dataSources: object, models: Readonly<Record<string, string>>, definitions: object[]): object => ({
  'package.json': { name: 'services', type: 'module' },
  'server/config.json': { restApiRoot: '/api' },
  'server/datasources.json': dataSources,
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    ...Object.fromEntries(Object.entries(models).map(([name, dataSource]) => [name, { dataSource, public: true }]))
  },
  'server/component-config.json': { 'loopback-component-explorer': { mountPath: '/explorer' } },
  ...Object.fromEntries(definitions.map(definition => {
    const { name } = definition as { name: string }
    return [`common/models/${name.toLowerCase()}.json`, definition]
  }))
})

const note = { name: 'Note', base: 'PersistedModel', properties: { title: { type: 'string', required: true } } }

/** The four services. */
async function services (t: Test): Promise<{ weather: string, hall: string, stock: string }> {
  const weather = createHttpServer((req, res) => {
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ asked: req.url }))
  })
  await new Promise<void>(resolve => { weather.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { weather.close() })
  const types = echoTypes(
    '<xsd:sequence><xsd:element name="Text" type="xsd:string"/><xsd:element name="Count" type="xsd:int"/></xsd:sequence>'
  )
  const stock = await serve(t, wsdl(types), ({ body }, res) => {
    const [, text = ''] = /Text>([^<]*)</.exec(body) ?? []
    send(res, envelope(`<s:EchoResponse><s:Text>${text.toUpperCase()}</s:Text><s:Count>3</s:Count></s:EchoResponse>`))
  })
  const hall = await started(t, folder(t, app({ db: { connector: 'memory' } }, { Note: 'db' }, [note]) as never))
  return { weather: `http://127.0.0.1:${(weather.address() as AddressInfo).port}`, hall, stock: stock.url }
}

t.test('a folder with each of the four connectors', async t => {
  const { weather, hall, stock } = await services(t)
  const dir = folder(t, app(
    {
      weather: {
        connector: 'rest',
        operations: [{
          template: { method: 'GET', url: `${weather}/{city:string}`, query: { days: '{days=3:number}' } },
          functions: { byCity: ['city', 'days'] }
        }]
      },
      pets: { connector: 'openapi', spec: `${hall}/explorer/openapi.json`, url: `${hall}/api` },
      stock: { connector: 'soap', wsdl: `${stock}?wsdl`, url: stock, remotingEnabled: true },
      hall: { connector: 'remote', url: `${hall}/api` }
    },
    { Forecast: 'weather', Pet: 'pets', Quote: 'stock', Note: 'hall' },
    [note, ...['Forecast', 'Pet', 'Quote'].map(name => ({ name, base: 'Model' }))]
  ) as never)
  const address = await started(t, dir)
  const get = async (url: string, init?: RequestInit): Promise<unknown> =>
    await (await fetch(`${address}/api/${url}`, init)).json()
  const post = async (url: string, body: object): Promise<unknown> =>
    await get(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

  await t.test('its routes call the services', async t => {
    t.strictSame(await get('Forecasts/byCity/Oslo'), { asked: '/Oslo?days=3' })
    t.strictSame(await post('Quotes/Echo', { Text: 'hello', Count: 1 }), { Text: 'HELLO', Count: 3 })
    t.match(await post('Notes', { title: 'from afar' }), { id: 1, title: 'from afar' })
    t.match(await get('Notes'), [{ title: 'from afar' }])
  })

  const description = await (await fetch(`${address}/explorer/openapi.json`)).json() as {
    paths: Record<string, Record<string, { operationId: string, parameters?: Array<{ name: string, in: string }> }>>
  }
  const operations = Object.values(description.paths).flatMap(each => Object.values(each))
  const called = (id: string) => operations.find(({ operationId }) => operationId === id)
  const listNotes = operations.find(({ operationId }) => /^Pet\.\w*note\w*find$/i.test(operationId))?.operationId ?? ''

  await t.test('its operations are described', async t => {
    t.match(called('Forecast.byCity')?.parameters?.map(each => [each.name, each.in]), [['city', 'path'], ['days', 'query']])
    t.ok(called('Quote.Echo'))
    t.ok(called('Note.find'))
    t.not(listNotes, '', 'an operation of the other application\'s own description')
  })

  await t.test('its client is typed', async t => {
    const { text } = await writeClient(dir)
    const method = listNotes.slice('Pet.'.length)
    const client = folder(t, {
      'package.json': { type: 'module' },
      'api.ts': text,
      'use.ts': `
        import { createClient } from './api.js'
        export async function use (baseUrl: string): Promise<unknown> {
          const api = createClient({ baseUrl })
          const { Text, Count } = await api.Quote.Echo({ Text: 'typed', Count: 1 })
          const [first] = await api.Note.find({ filter: { where: { title: 'from afar' } } })
          return [await api.Forecast.byCity({ city: 'Oslo', days: 5 }), Text, (Count ?? 0) + 1, first?.title, await api.Pet.${method}({})]
        }`,
      'tsconfig.json': { compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', skipLibCheck: true, types: ['node'] } }
    })
    symlinkSync(path.join(root, 'node_modules'), path.join(client, 'node_modules'))
    const compiled = spawnSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', client], { encoding: 'utf8' })
    t.equal(compiled.status, 0, compiled.stdout)
    const { use } = await import(pathToFileURL(path.join(client, 'use.js')).href) as { use (url: string): Promise<unknown[]> }
    t.match(await use(`${address}/api`), [{ asked: '/Oslo?days=5' }, 'TYPED', 4, 'from afar', [{ title: 'from afar' }]])
  })

  await t.test(
    'its operations are tried in the explorer',
    { skip: chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
    async t => {
      const browser = await launch(chromium as string)
      t.teardown(() => browser.close())
      const page = await browser.newPage()
      page.setDefaultTimeout(20_000)
      await page.goto(`${address}/explorer`)
      await page.locator('main h2').waitFor()
      const api = new ApiPage(page)
      const run = async (id: string, fields: Readonly<Record<string, string>>, body?: string): Promise<unknown> => {
        await api.open(id)
        for (const [label, value] of Object.entries(fields)) await api.form.getByLabel(label).first().fill(value)
        if (body !== undefined) await api.write(body)
        await api.run()
        return await api.json()
      }
      t.strictSame(await run('Forecast.byCity', { city: 'Bergen' }), { asked: '/Bergen?days=3' })
      t.strictSame(await run('Quote.Echo', {}, '{"Text":"page","Count":1}'), { Text: 'PAGE', Count: 3 })
      t.match(await run('Note.findById', { id: '1' }), { title: 'from afar' })
      t.match(await run(listNotes, {}), [{ title: 'from afar' }])
    }
  )
})
