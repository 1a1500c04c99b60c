/** An application whose names, descriptions and values are what an attacker would like to see on a page. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry, type ModelClass, type ModelDefinitionInput } from '@fastback/core'
import rest from '@fastback/rest'
import { storageConnector } from '@fastback/storage'
import { studio } from '@fastback/studio'
import Fastify from 'fastify'
import type { Test } from 'tap'

/** Sets `pwned` wherever it is taken for HTML. */
export const html = '<img src="x" onerror="pwned = 1"><script>pwned = 1</script>'
export const script = 'javascript:pwned=1'
export const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="pwned=1">
  <script>top.pwned = 1</script><rect width="9" height="9"/></svg>`
/** What a spreadsheet would run. */
export const formulas = ['=cmd|\' /C calc\'!A0', '+1+1', '-1+1', '@SUM(1)', '\t=1+1', '\r=1+1'] as const

export const names = [
  'Plain', html, '</script><script>pwned=1</script>', '"quoted" \'twice\' & more', 'constructor', '__proto__',
  'hasOwnProperty', 'rtl \u202Eevil', '{{x}} <%= x %> %s', 'x'.repeat(120)
] as const

const longWord = 'w'.repeat(20_000)

const properties = {
  title: { type: 'string', description: html },
  link: { type: 'string', description: script },
  [html]: { type: 'string', description: '</script><script>pwned=1</script>' },
  toString: { type: 'string', description: '\u202Ebackwards' },
  more: { type: 'object', description: '"><b>bold</b>' },
  paper: { type: 'file', storage: 'files' }
}

const definitionOf = (name: string, index: number): ModelDefinitionInput => ({
  name,
  plural: `Things${index}`,
  description: `${html} of ${name}`,
  properties: properties as NonNullable<ModelDefinitionInput['properties']>,
  relations: {
    [`to ${html}`]: { type: 'belongsTo', model: names[(index + 1) % names.length] as string, foreignKey: `key${index}` }
  },
  methods: {
    ...index === 0
      ? {
          large: {
            http: { verb: 'get' }, accepts: { arg: 'size', type: 'number' }, returns: { arg: 'rows', type: ['object'], root: true },
            description: html
          }
        }
      : {}
  }
} as ModelDefinitionInput)

export const rows: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  {
    title: html, link: script, [html]: html, toString: longWord,
    more: { [html]: html, constructor: script, list: [script] }
  },
  { title: longWord, link: `https://evil.example/?q=${longWord}`, more: JSON.parse('{"__proto__":{"polluted":true}}') },
  { title: '\u202Eevil', link: 'data:text/html,<script>pwned=1</script>', toString: '</td></tr></table><center>out</center>' },
  ...formulas.map(title => ({ title }))
]

/** Id of the row of `Plain` with a file. */
export const drawing = rows.length + 1

/** @returns its origin */
export async function hostileApplication (t: Test): Promise<string> {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-hostile-'))
  const registry = new ModelRegistry({})
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineDataSource('files', { connector: storageConnector, root })
  registry.defineModels(names.map((name, index) => ({ input: definitionOf(name, index) })))
  for (const name of names) registry.attach(name, 'db', { public: true })
  const Plain = registry.getModel('Plain') as ModelClass & { large (size: number): Promise<object[]> }
  Plain.large = async size => Array.from({ length: Math.ceil(size / 1000) }, (_, id) => ({ id, text: 'x'.repeat(975) }))
  const app = Fastify({ bodyLimit: 20 * 1024 * 1024 })
  t.teardown(async () => {
    await app.close()
    rmSync(root, { recursive: true, force: true })
  })
  await app.register(core, { registry })
  await app.register(studio)
  await app.register(rest, { prefix: '/api' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (const name of names) {
    const Model = registry.getModel(name) as ModelClass & { create (data: object): Promise<unknown> }
    for (const row of rows) await Model.create({ ...row })
  }
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const form = new FormData()
  form.set('title', 'A drawing')
  form.set('paper', new File([svg], 'drawing.svg', { type: 'image/svg+xml' }))
  const uploaded = await fetch(`${address}/api/Things0`, { method: 'POST', body: form })
  if (!uploaded.ok) throw new Error(`The picture was not taken: ${uploaded.status} ${await uploaded.text()}`)
  return address
}
