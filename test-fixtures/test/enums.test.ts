// FASTBACK_TEST_FULL: columns of three database servers.
/**
 * A choice of values, however it is written: `Type.Union` of literals, `Type.Enum`, `enum` in JSON. It is refused at
 * once, an `enum` in the description of the API, a choice on the pages, a union in the typed client, a column in lists.
 */
import type { AddressInfo } from 'node:net'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import acl from '@fastback/acl'
import admin from '@fastback/admin'
import auth, { installAuthModels } from '@fastback/auth'
import { writeClient } from '@fastback/cli'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import explorer from '@fastback/explorer'
import rest from '@fastback/rest'
import { ApiPage } from '../../packages/explorer/test/helpers/api-page.js'
import { browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'

type Loose = any

const State = { Open: 'open', Done: 'done' } as const
const literals = [Type.Literal('open'), Type.Literal('done')]
const values = ['open', 'done']

/** One property in each way to write it. */
const ways: Readonly<Record<string, unknown>> = {
  literals: Type.Union(literals),
  optional: Type.Optional(Type.Union(literals)),
  orNull: Type.Optional(Type.Union([...literals, Type.Null()])),
  enumeration: Type.Optional(Type.Enum(State)),
  json: { type: 'string', enum: values },
  jsonSchema: { type: 'string', jsonSchema: { enum: values } },
  declared: { type: 'string', required: true, enum: values }
}
const numbers: Readonly<Record<string, unknown>> = {
  numbers: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2)])),
  jsonNumbers: { type: 'number', enum: [1, 2] }
}
const row = { title: 'one', literals: 'open', declared: 'done' }

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Task',
    properties: { title: 'string', ...ways, ...numbers, list: { type: ['string'], enum: values } } as Loose,
    methods: {
      pick: {
        accepts: Type.Object({ union: Type.Union(literals), named: Type.Optional(Type.Enum(State)) }),
        returns: Type.Union(literals),
        http: { verb: 'get' },
        run: async ({ union }: Loose) => union
      },
      pickJson: {
        accepts: [{ arg: 'json', type: 'string', enum: values, required: true }],
        returns: { arg: 'it', type: 'string', root: true },
        http: { verb: 'get' },
        run: async ({ json }: Loose) => json
      }
    }
  },
  { name: 'Person', base: 'User' }
]

async function serve (t: Test): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  installAuthModels(registry)
  registry.defineModels(definitions.map(input => ({ input })))
  registry.attach('Task', 'db', { public: true })
  registry.attach('Person', 'db', { public: true })
  await app.register(core, { registry })
  await app.register(auth, { dataSource: 'db', rateLimit: false })
  await app.register(acl, { dataSource: 'db' })
  await app.register(rest, { prefix: '/api' })
  await app.register(explorer)
  await app.register(admin)
  await app.ready()
  return app
}

const named = [...Object.keys(ways), ...Object.keys(numbers)]
const valuesOf = (name: string): Array<string | number> => name in ways ? values : [1, 2]

t.test('other values are refused', async t => {
  const app = await serve(t)
  for (const name of named) {
    for (const value of [...valuesOf(name), 'other']) {
      const payload = { ...row, [name]: value }
      const { statusCode, body } = await app.inject({ method: 'POST', url: '/api/Tasks', payload })
      t.equal(statusCode, value === 'other' ? 422 : 200, `${name}: ${body}`)
      const inProcess = (app.models as Loose).Task.create(payload)
      await (value === 'other' ? t.rejects(inProcess, { statusCode: 422 } as Loose) : t.resolves(inProcess))
    }
  }
  for (const query of ['pick?union=other', 'pick?union=open&named=other', 'pickJson?json=other']) {
    t.equal((await app.inject(`/api/Tasks/${query}`)).statusCode, 400, query)
  }
  t.equal((await app.inject('/api/Tasks/pick?union=open&named=done')).json(), 'open')
})

t.test('they are an enum in the description of the API', async t => {
  const app = await serve(t)
  for (const [file, hasNull] of [['openapi.json', true], ['swagger.json', false]] as const) {
    const document = (await app.inject(`/explorer/${file}`)).json()
    const schemas = document.components?.schemas ?? document.definitions
    for (const model of ['Task', 'NewTask', 'TaskPartial']) {
      for (const name of named) {
        const { enum: found } = schemas[model].properties[name]
        t.strictSame(found?.filter((value: unknown) => value !== null), valuesOf(name), `${file}, ${model}, ${name}`)
      }
      t.match(schemas[model].properties.list.items, { enum: values }, `${file}, ${model}, items of a list`)
    }
    if (hasNull) t.ok(schemas.Task.properties.orNull.enum.includes(null))
    for (const path of ['pick', 'pickJson']) {
      const { parameters } = document.paths[`/Tasks/${path}`].get
      for (const parameter of parameters) t.match(parameter.schema ?? parameter, { enum: values }, parameter.name)
    }
  }
})

t.test('they are unions in the typed client', async t => {
  const { text } = await writeClient(await serve(t))
  const typeOf = (model: string): string => new RegExp(`^export type ${model} = \\{\\n([^]*?)^\\}`, 'm').exec(text)?.[1] ?? ''
  for (const model of ['Task', 'NewTask', 'TaskPartial']) {
    for (const name of named) {
      const union = valuesOf(name).map(value => JSON.stringify(value)).join(' | ')
      t.match(typeOf(model), new RegExp(`^  ${name}\\??: ${union.replaceAll('|', '\\|')}(?: \\| null)?$`, 'm'), `${model}, ${name}`)
    }
    t.match(typeOf(model), /^ {2}list\?: Array<"open" \| "done">/m)
  }
  t.match(text, /union: "open" \| "done"/)
  t.match(text, /json: "open" \| "done"/)
})

const chromium = browserPath()
/** The label of a field, with the sign of those that are required. */
const labelled = (name: string): RegExp => new RegExp(`^${name}(?: \\*)?$`)

t.test('they are choices on the pages', { skip: chromium === undefined ? 'no Chromium here' : false }, async t => {
  const app = await serve(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const browser = await launch(chromium as string)
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  const api = new ApiPage(page)
  page.setDefaultTimeout(20_000)
  const password = 'correct horse battery'
  await (app.models as Loose).Person.create({ email: 'ann@example.com', password })

  await t.test('of the explorer', async t => {
    await page.goto(`${origin}/explorer/#Task.create`)
    const fields = page.getByRole('group', { name: 'Fields' })
    await fields.waitFor()
    for (const name of named) {
      const options = await fields.getByLabel(labelled(name)).locator('option').allTextContents()
      t.strictSame(options, ['', ...valuesOf(name).map(String)], name)
    }
    await fields.getByLabel('numbers', { exact: true }).selectOption('2')
    await fields.getByLabel('enumeration').selectOption('done')
    t.match(JSON.parse(await api.written()), { numbers: 2, enumeration: 'done' })
    for (const [id, labels] of [['Task.pick', ['union', 'named']], ['Task.pickJson', ['json']]] as const) {
      await api.open(id)
      for (const label of labels) {
        await api.form.getByLabel(label).waitFor()
        t.strictSame(await api.form.getByLabel(label).locator('option').allTextContents(), ['', ...values], label)
      }
    }
  })

  await t.test('of the admin page, and columns of its lists', async t => {
    await page.goto(`${origin}/admin/#/Task/new`)
    await api.logIn('ann@example.com', password)
    await page.getByRole('button', { name: 'Log out' }).waitFor()
    await page.getByRole('button', { name: 'Create' }).waitFor()
    for (const name of named) {
      const options = await page.getByLabel(labelled(name)).locator('option').allTextContents()
      t.strictSame(options.filter(text => text !== ''), valuesOf(name).map(String), name)
    }
    await page.getByRole('textbox', { name: 'title' }).fill('Made here')
    for (const name of named) await page.getByLabel(labelled(name)).selectOption({ label: String(valuesOf(name)[1]) })
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Made here was created.').waitFor()
    const [made] = (await app.inject('/api/Tasks?filter={"where":{"title":"Made here"}}')).json()
    for (const name of named) t.equal(made[name], valuesOf(name)[1], name)

    await page.goto(`${origin}/admin/#/Task`)
    await page.getByRole('gridcell', { name: 'Made here', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    for (const name of named) await page.getByRole('checkbox', { name, exact: true }).check()
    for (const name of named) await page.getByRole('columnheader', { name, exact: true }).waitFor()
    t.equal(await page.getByRole('gridcell', { name: 'done', exact: true }).count(), Object.keys(ways).length)
    await page.getByRole('button', { name: 'Filter' }).click()
    for (const name of named) {
      await page.getByLabel('Property').selectOption(name)
      const options = await page.getByLabel('Value', { exact: true }).locator('option').allTextContents()
      t.strictSame(options.filter(text => text !== ''), valuesOf(name).map(String), `a condition on ${name}`)
    }
  })
})
