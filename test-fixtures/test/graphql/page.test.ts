// FASTBACK_TEST_FULL: a browser.
/** GraphQL from the explorer's page in a real browser. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createServer } from '@fastback/boot'
import t, { type Test } from 'tap'
import { textOf } from '../../../packages/explorer/test/helpers/api-page.js'
import { axeScript, browserPath, launch } from '../../../packages/explorer/test/helpers/browser.js'

const chromium = browserPath()
const skip = chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false

const files = (options: object): Readonly<Record<string, unknown>> => ({
  'package.json': { name: 'notes' },
  'server/config.json': { restApiRoot: '/api', host: '127.0.0.1', port: 0 },
  'server/datasources.json': { db: { connector: 'memory' } },
  'server/component-config.json': { '@fastback/graphql': options, '@fastback/explorer': {} },
  'server/model-config.json': { Note: { dataSource: 'db', public: true } },
  'common/models/note.json': { name: 'Note', properties: { title: { type: 'string', required: true }, stars: 'number' } }
})

async function open (t: Test, options = {}) {
  const folder = t.testdir()
  for (const [name, content] of Object.entries(files(options))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), JSON.stringify(content))
  }
  const server = await createServer(folder, { log: false })
  t.teardown(() => server.stop())
  const url = await server.start()
  await (server.app.models as any).Note.create([{ title: 'one', stars: 1 }, { title: 'two', stars: 2 }])
  const browser = await launch(chromium as string)
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(15_000)
  const faults: string[] = []
  page.on('pageerror', error => { faults.push(error.message) })
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) faults.push(message.text())
  })
  page.on('request', request => { if (!request.url().startsWith(url.replace(/\/api$/, ''))) faults.push(request.url()) })
  await page.goto(`${url.replace(/\/api$/, '')}/explorer/`)
  return { page, faults }
}

t.test('a document is written from the schema, run, and what is wrong with it is told', { skip }, async t => {
  const { page, faults } = await open(t)
  await page.getByRole('link', { name: 'GraphQL' }).click()
  const editor = page.getByRole('textbox', { name: 'Document', exact: true }).and(page.locator('.cm-content'))
  await editor.waitFor()
  const list = page.getByRole('region', { name: 'Schema' })
  await list.getByLabel('Find a field').fill('notes')
  await list.getByRole('button', { name: 'Write a document for notes', exact: true }).click()
  await page.waitForTimeout(100)
  t.match(await textOf(editor), /^query \{\n {2}notes \{\n( {4}\w+\n)+ {2}\}\n\}/)
  const response = page.getByRole('region', { name: 'Response', exact: true })
  await editor.press('Control+Enter')
  await response.getByText('200', { exact: true }).waitFor()
  t.match(await response.textContent(), /"title": "two"/)

  const write = async (text: string): Promise<void> => {
    await editor.press('Control+a')
    await editor.press('Delete')
    await page.keyboard.insertText(text)
    await page.waitForTimeout(100)
  }
  await write('query ($n: Int) { notes(limit: $n) { stars } }')
  const variables = page.getByRole('textbox', { name: 'Variables', exact: true }).and(page.locator('.cm-content'))
  await variables.press('Control+a')
  await page.keyboard.insertText('{ "n": 1 }')
  await page.waitForTimeout(100)
  await page.getByRole('button', { name: 'Run' }).click()
  await response.getByText('"stars": 1').waitFor()

  await write('query a { notes { title } } query b { notes { nothing } }')
  await page.getByLabel('Operation', { exact: true }).selectOption('b')
  await page.getByRole('button', { name: 'Run' }).click()
  await response.getByText('400, with errors').waitFor()

  // The editor marks the fault some time later: what changes while axe looks at it is an error of axe's.
  const mark = page.locator('.cm-lintRange-error').first()
  t.match(await mark.evaluate(element => (globalThis as any).getComputedStyle(element).textDecoration), /underline wavy/)
  await page.waitForTimeout(100)
  await page.evaluate(axeScript())
  const { violations } = await page.evaluate('axe.run()') as { violations: Array<{ id: string, nodes: Array<{ html: string }> }> }
  t.same(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`), [])
  t.same(faults, [], 'nothing against the policy of the page, no outside address')
})

t.test('there is no page where the schema cannot be asked for', { skip }, async t => {
  const { page } = await open(t, { introspection: false })
  await page.getByRole('link', { name: 'Schemas' }).waitFor()
  t.equal(await page.getByRole('link', { name: 'GraphQL' }).count(), 0)
})
