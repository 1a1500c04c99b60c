/** Jobs in the studio in a real browser: queues, a schedule, and a failed job that is sent again and discarded. */
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import t from 'tap'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { events } from '@fastback/events'
import { rest } from '@fastback/rest'
import { studio } from '@fastback/studio'
import { axeScript, browserPath, launch } from '../../../packages/explorer/test/helpers/browser.js'
import { watchedPage, type Page } from '../studio/watched-page.js'

process.env.NODE_ENV = 'development'

const chromium = browserPath()
const skip = chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false

async function violations (page: Page): Promise<string[]> {
  await page.evaluate(axeScript())
  const found = await page.evaluate('axe.run()') as {
    violations: Array<{ id: string, nodes: Array<{ html: string }> }>
  }
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

t.test('the panel of jobs', { skip }, async t => {
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: [{ name: 'Note', properties: { title: 'string' } }],
    models: { Note: { dataSource: 'db', public: true } }
  })
  await app.register(events, { pollInterval: 20 })
  let isBroken = true
  const done: unknown[] = []
  const mail = app.registry.job('mail', { retryLimit: 0 }, ({ data }) => {
    if (isBroken) throw new Error('421 <b>try</b> again')
    done.push(data)
  })
  app.registry.job('report', { schedule: '0 8 * * *' }, () => {})
  await app.register(studio, {})
  await app.register(rest, { prefix: '/api' })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  await mail.send({ to: 'ann@example.com', password: 'verysecret' })
  await mail.send('second')
  const browser = await launch(chromium as string)
  t.teardown(async () => { await browser.close() })
  const { page, go, faults } = await watchedPage(browser, address)
  await go('#/activity')
  const panel = page.getByRole('region', { name: 'Jobs', exact: true })
  await panel.getByRole('rowheader', { name: 'mail' }).waitFor()
  await panel.getByText('0 8 * * *').waitFor()
  await panel.getByRole('button', { name: '2 failed' }).click()
  const list = panel.getByRole('region', { name: 'Failed jobs of mail' })
  await list.getByText('421 <b>try</b> again').first().waitFor()
  t.notMatch(await panel.innerText(), /verysecret/)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    t.strictSame(await violations(page), [], colorScheme)
  }
  await page.setViewportSize({ width: 390, height: 800 })
  t.strictSame(await violations(page), [], 'on a phone')
  isBroken = false
  await list.getByRole('button', { name: 'Retry' }).first().click()
  await panel.getByRole('button', { name: '1 failed' }).waitFor()
  for (let i = 0; i < 100 && done.length === 0; i++) await sleep(20)
  t.strictSame(done, ['second'], 'the newest is the first of the list')
  await list.getByRole('button', { name: 'Discard' }).click()
  await list.getByRole('button', { name: 'Discard for good' }).click()
  await list.getByText('None.').waitFor()
  t.strictSame(faults, [])
})
