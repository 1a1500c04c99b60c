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

  constructor (readonly page: Page, private readonly t: Test, private readonly width: number) {}

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
  async open (id: string): Promise<Locator> {
    await this.page.keyboard.press('/')
    await this.page.keyboard.press('Control+A')
    await this.page.keyboard.type(id)
    const operation = this.page.locator(`[id="${id}"]`)
    await this.press(operation.locator('> summary'))
    return operation
  }

  async run (operation: Locator): Promise<string> {
    await this.press(operation.getByRole('button', { name: 'Run' }))
    await operation.locator('.status').waitFor()
    return await operation.locator('.status').textContent() ?? ''
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
  const context = await browser.newContext({ viewport: { width, height: 800 } })
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  // The dialog is caught from the start on, not only when somebody waits for it.
  page.on('filechooser', () => {})
  page.on('pageerror', error => { t.fail(error.message) })
  await page.goto(`${address}/explorer`)
  await page.getByRole('heading', { name: 'Album', exact: true }).waitFor()
  return new NewUser(page, t, width)
}

const answer = async (operation: Locator): Promise<any> =>
  JSON.parse(await operation.locator('.body').textContent() ?? '')

async function firstDay (t: Test, user: NewUser, address: string, files: string): Promise<void> {
  const { page } = user
  const email = `new-${Math.random().toString(36).slice(2)}@example.com`
  const typeAccount = async (operation: Locator): Promise<void> => {
    const fields = operation.getByRole('group', { name: 'Fields' })
    await user.type(fields.getByLabel('password'), 'a long secret')
    await user.type(fields.getByLabel(/^email( \*)?$/), email)
  }
  await user.look('start')

  const register = await user.open('User.create')
  await typeAccount(register)
  await user.look('account')
  t.match(await user.run(register), '200')
  const login = await user.open('User.login')
  await typeAccount(login)
  t.match(await user.run(login), '200')
  await user.look('login')
  await user.press(login.getByRole('button', { name: 'Use this token' }))
  await page.getByText('Token Set', { exact: true }).waitFor()

  const create = await user.open('Album.create')
  const field = create.getByRole('group', { name: 'Fields' })
  await user.type(field.getByLabel('title'), 'Summer')
  await user.press(field.getByLabel('public'), 't')
  await user.type(field.getByLabel('stars'), '4')
  await user.look('create')
  t.match(await user.run(create), '200')
  const album = await answer(create)
  t.match(album, { title: 'Summer', public: true, stars: 4 })
  const photo = await user.open('Photo.create')
  await user.type(photo.getByRole('group', { name: 'Fields' }).getByLabel('caption'), 'The sea')
  await user.type(photo.getByRole('group', { name: 'Fields' }).getByLabel('albumId'), String(album.id))
  t.match(await user.run(photo), '200')

  const find = await user.open('Album.find')
  await user.press(find.getByText('Build', { exact: true }))
  const builder = find.getByRole('group', { name: 'Filter builder' })
  await user.press(builder.getByRole('button', { name: 'Add a condition', exact: true }))
  await user.press(builder.getByLabel('Property'), 'i')
  await user.type(builder.getByLabel('Value'), String(album.id))
  await user.press(builder.getByLabel('photos'), 'Space')
  await user.look('filter')
  t.match(await user.run(find), '200')
  t.match(await answer(find), [{ title: 'Summer', photos: [{ caption: 'The sea' }] }], 'with its photos')
  await user.look('found')

  const upload = await user.open('Shelf.upload')
  await user.type(upload.getByLabel('container'), `album${String(album.id)}`)
  await user.reach(upload.getByLabel('file'))
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  await chooser.setFiles({ name: 'sea.txt', mimeType: 'text/plain', buffer: Buffer.from('waves') })
  t.match(await user.run(upload), '200')
  t.same(readdirSync(path.join(files, `album${String(album.id)}`)), ['sea.txt'])
  await user.look('upload')

  const stream = await user.open('Album.createChangeStream.get')
  t.match(await user.run(stream), '200')
  const { id: token } = await answer(login)
  await fetch(`${address}/api/Albums`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-access-token': token },
    body: JSON.stringify({ title: `Of somebody else ${email}` })
  })
  await stream.getByText(`Of somebody else ${email}`).waitFor()
  await user.look('stream')
  await user.press(stream.getByRole('button', { name: 'Stop' }))
  await stream.getByText('Stopped').waitFor()
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
