// FASTBACK_TEST_FULL: a browser.
/**
 * Notes without a line: the template `offline`, `@fastback/client` and its service worker in a real Chromium.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { browserModules } from '@fastback/client/modules'
import { browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'
import { serveTemplate } from './template-server.js'

const chromium = browserPath()
const template = fileURLToPath(new URL('../../packages/cli/templates/offline', import.meta.url))

t.test(
  'notes are written, changed and found again without a line, by two tabs and two devices',
  { skip: chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
  async t => {
    const { server, address } = await serveTemplate(t, 'offline', 'node_modules')
    const browser = await launch(chromium as string)
    t.teardown(() => browser.close())
    const context = await browser.newContext()
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const faults: string[] = []
    page.on('pageerror', error => { faults.push(error.message) })
    page.on('console', message => {
      if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text())
    })
    const titles = async (): Promise<string[]> => {
      const rows = await (server.app.models.Note as any).find() as Array<{ title: string }>
      return rows.map(({ title }) => title).sort()
    }
    const note = (title: string, within: Pick<typeof page, 'getByRole'> = page) =>
      within.getByRole('button', { name: `Delete ${title}`, exact: true })
    const add = async (title: string, within: Pick<typeof page, 'getByRole' | 'getByLabel'> = page): Promise<void> => {
      await within.getByLabel('New note').fill(title)
      await within.getByRole('button', { name: 'Add' }).click()
      await note(title, within).waitFor()
    }
    const state = async (text: RegExp, within: Pick<typeof page, 'getByRole'> = page): Promise<void> => {
      await within.getByRole('status').filter({ hasText: text }).waitFor()
    }

    await page.goto(address)
    await page.getByLabel('E-mail').fill('ann@example.com')
    await page.getByLabel('Password').fill('a long secret')
    await page.getByRole('button', { name: 'Register' }).click()
    await add('milk')
    await state(/^All saved$/)
    t.same(await titles(), ['milk'])
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')

    // Without a line: written, found again by a page that is loaded anew, and sent when the line is back.
    await context.setOffline(true)
    await add('bread')
    await state(/1 to send/)
    await page.reload()
    await note('bread').waitFor()
    await note('milk').click()
    await note('milk').waitFor({ state: 'detached' })
    await state(/2 to send/)
    t.same(await titles(), ['milk'])
    await context.setOffline(false)
    await state(/^All saved$/)
    t.same(await titles(), ['bread'])

    // Another tab shows what this one writes, and the other way round, without a line, too.
    const tab = await context.newPage()
    await tab.goto(address)
    await note('bread', tab).waitFor()
    await context.setOffline(true)
    await add('salt')
    await note('salt', tab).waitFor()
    await add('tea', tab)
    await note('tea').waitFor()
    await context.setOffline(false)
    await state(/^All saved$/)
    await state(/^All saved$/, tab)
    t.same(await titles(), ['bread', 'salt', 'tea'])
    await tab.close()

    // Two devices that change one note: the second is asked.
    const two = await context.newPage()
    await two.goto(`${address}/two.html`)
    const one = two.frameLocator('iframe[title="Device one"]')
    const other = two.frameLocator('iframe[title="Device two"]')
    await note('tea', one).waitFor()
    await note('tea', other).waitFor()
    await one.getByRole('button', { name: 'Cut the line' }).click()
    const rename = async (within: typeof one, title: string): Promise<void> => {
      const input = within.getByRole('listitem').filter({ has: note('tea', within) }).getByLabel('Title')
      await input.fill(title)
      await input.press('Enter')
    }
    await rename(one, 'green tea')
    await state(/1 to send/, one)
    await rename(other, 'black tea')
    await state(/^All saved$/, other)
    await one.getByRole('button', { name: 'Bring the line back' }).click()
    await one.getByText('Here “green tea”, at the server “black tea”').waitFor()
    await one.getByRole('button', { name: 'Take theirs' }).click()
    await note('black tea', one).waitFor()
    await state(/^All saved$/, one)
    t.same(await titles(), ['black tea', 'bread', 'salt'])
    await two.close()

    // Nothing is left for who comes next.
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Register' }).waitFor()
    t.same(await page.evaluate(`indexedDB.databases().then(async found => {
      const { indexedDbStore } = await import('@fastback/client/indexeddb')
      const store = indexedDbStore({ name: 'notes-page' })
      await store.open()
      const rows = await store.list('Note')
      await store.close()
      return rows
    })`), [])
    t.same(faults, [])
  }
)

t.test('the page names the modules that there are', async t => {
  const html = readFileSync(path.join(template, 'client/index.html'), 'utf8')
  const [, map = ''] = /<script type="importmap">(.*?)<\/script>/.exec(html) ?? []
  t.same(JSON.parse(map), { imports: browserModules().imports })
})
