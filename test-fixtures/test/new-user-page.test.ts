// FASTBACK_TEST_FULL: a browser, and an application that is made for it.
/**
 * What a new user does on the explorer's page, from an empty browser, with the keyboard alone and without a line of
 * JSON: an account, a login, rows, a filter with related rows, a file, a stream. FASTBACK_TEST_PICTURES names a folder
 * for a picture of each step.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { createServer } from '@fastback/boot'
import { ApiPage } from '../../packages/explorer/test/helpers/api-page.js'
import { axeScript, browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'

type Browser = Awaited<ReturnType<typeof launch>>
type Page = Awaited<ReturnType<Browser['newPage']>>
type Locator = ReturnType<Page['locator']>

const chromium = browserPath()
const axe = axeScript()
const pictures = process.env.FASTBACK_TEST_PICTURES

/** A hand on the keyboard, and an eye on the page. */
class NewUser {
  #steps = 0

  readonly api: ApiPage

  constructor (readonly page: Page, private readonly t: Test, private readonly width: number) {
    this.api = new ApiPage(page)
  }

  /** Goes on with the Tab key until it is there. */
  async reach (target: Locator): Promise<void> {
    await target.waitFor()
    for (let tabs = 0; tabs < 150; tabs++) {
      if (await target.evaluate((element: any) => element === element.ownerDocument.activeElement)) return
      await this.page.keyboard.press('Tab')
    }
    throw new Error(`the keyboard does not lead to ${String(target)}`)
  }

  async press (target: Locator, key = 'Enter'): Promise<void> {
    await this.reach(target)
    await this.page.keyboard.press(key)
  }

  async type (target: Locator, text: string): Promise<void> {
    await this.reach(target)
    await this.page.keyboard.press('Control+A')
    await this.page.keyboard.type(text)
  }

  /** Finds an operation by the search, and opens it. */
  async open (id: string): Promise<void> {
    await this.page.keyboard.press('/')
    await this.page.waitForFunction(() => (globalThis as any).document.activeElement.matches('[data-search]'))
    await this.page.keyboard.press('Control+A')
    await this.page.keyboard.type(id)
    await this.press(this.page.locator(`a.operation-link[href$="/${id}"]`))
    await this.page.waitForFunction(name => (globalThis as any).location.hash.endsWith(`/${name}`), id)
    await this.api.form.waitFor()
    await this.page.locator('main').focus()
  }

  async run (): Promise<string> {
    await this.page.evaluate("document.querySelector('.response > header')?.setAttribute('data-seen', '')")
    await this.press(this.page.getByRole('button', { name: 'Run' }))
    return await this.api.came()
  }

  /** In light and in dark nothing stands out to the side, and nobody is left out. */
  async look (step: string): Promise<void> {
    this.t.ok(await this.page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${step}: in its width`)
    await this.page.evaluate(axe)
    this.#steps++
    for (const colorScheme of ['light', 'dark'] as const) {
      // Both at both widths with FASTBACK_TEST_FULL.
      if (process.env.FASTBACK_TEST_FULL === undefined && (this.width === 390) !== (colorScheme === 'light')) continue
      await this.page.emulateMedia({ colorScheme })
      if (pictures !== undefined) {
        const name = `${this.width}-${this.#steps}-${step}-${colorScheme}.png`
        await this.page.screenshot({ path: path.join(pictures, name) })
      }
      const { violations } = await this.page.evaluate('axe.run()') as {
        violations: Array<{ id: string, nodes: Array<{ html: string }> }>
      }
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      this.t.same(found, [], `${step}, ${colorScheme}`)
    }
  }
}

async function arrive (t: Test, browser: Browser, address: string, width: number): Promise<NewUser> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  // The dialog is caught from the start on, not only when somebody waits for it.
  page.on('filechooser', () => {})
  page.on('pageerror', error => { t.fail(error.message) })
  await page.goto(`${address}/explorer`)
  await page.locator('main h2').waitFor()
  return new NewUser(page, t, width)
}

async function firstDay (t: Test, user: NewUser, address: string, files: string): Promise<void> {
  const { page, api } = user
  const email = `new-${Math.random().toString(36).slice(2)}@example.com`
  const fields = page.getByRole('group', { name: 'Fields' })
  const typeAccount = async (): Promise<void> => {
    await user.type(fields.getByLabel('password'), 'a long secret')
    await user.type(fields.getByLabel(/^email( \*)?$/), email)
  }
  await user.look('start')

  await user.open('User.create')
  await typeAccount()
  await user.look('account')
  t.match(await user.run(), '200')
  await user.open('User.login')
  await typeAccount()
  t.match(await user.run(), '200')
  await user.look('login')
  const { id: token } = await api.json()
  await user.press(page.getByRole('button', { name: 'Use this token' }))
  await page.getByText('Token Set', { exact: true }).waitFor()

  await user.open('Album.create')
  await user.type(fields.getByLabel('title'), 'Summer')
  await user.press(fields.getByLabel('public'), 't')
  await user.type(fields.getByLabel('stars'), '4')
  await user.look('create')
  t.match(await user.run(), '200')
  const album = await api.json()
  t.match(album, { title: 'Summer', public: true, stars: 4 })
  await user.open('Photo.create')
  await user.type(fields.getByLabel('caption'), 'The sea')
  await user.type(fields.getByLabel('albumId'), String(album.id))
  t.match(await user.run(), '200')

  await user.open('Album.find')
  await user.press(page.getByRole('button', { name: 'Build' }))
  const builder = page.getByRole('group', { name: 'Filter builder' })
  await user.press(builder.getByRole('button', { name: 'Add a condition', exact: true }))
  await user.press(builder.getByLabel('Property'), 'i')
  await user.type(builder.getByLabel('Value'), String(album.id))
  await user.press(builder.getByLabel('photos'), 'Space')
  await user.look('filter')
  t.match(await user.run(), '200')
  t.match(await api.json(), [{ title: 'Summer', photos: [{ caption: 'The sea' }] }], 'with its photos')
  await user.look('found')

  await user.open('Shelf.upload')
  await user.type(api.form.getByLabel('container'), `album${String(album.id)}`)
  await user.reach(api.form.getByLabel('file'))
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  await chooser.setFiles({ name: 'sea.txt', mimeType: 'text/plain', buffer: Buffer.from('waves') })
  t.match(await user.run(), '200')
  t.same(readdirSync(path.join(files, `album${String(album.id)}`)), ['sea.txt'])
  await user.look('upload')

  await user.open('Album.createChangeStream.get')
  t.match(await user.run(), '200')
  await fetch(`${address}/api/Albums`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-access-token': token },
    body: JSON.stringify({ title: `Of somebody else ${email}` })
  })
  await page.getByText(`Of somebody else ${email}`).first().waitFor()
  await user.look('stream')
  await user.press(page.getByRole('button', { name: 'Stop' }))
  await page.getByText('Stopped').waitFor()
}

t.test(
  'a new user comes from an empty browser to a stream of changes',
  { skip: chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
  async t => {
    const files = mkdtempSync(path.join(tmpdir(), 'fastback-albums-'))
    t.teardown(() => { rmSync(files, { recursive: true }) })
    process.env.FILES_DIR = files
    const server = await createServer(fileURLToPath(new URL('../apps/albums', import.meta.url)), {
      log: false, port: 0, host: '127.0.0.1'
    })
    t.teardown(() => server.stop())
    const address = await server.start()
    const browser = await launch(chromium as string)
    t.teardown(() => browser.close())
    for (const width of [1280, 390]) {
      await t.test(`${width} wide`, async t => {
        await firstDay(t, await arrive(t, browser, address, width), address, files)
      })
    }
  }
)
