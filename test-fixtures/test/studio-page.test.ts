// FASTBACK_TEST_FULL: a browser, through ten journeys.
/**
 * The studio in a real browser: ten journeys, each step looked at by axe. At one width in light, by the keyboard alone,
 * and at another in dark, by touch; at three widths in both where FASTBACK_TEST_PICTURES names a folder for a picture
 * of each step.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve, type Served } from '@fastback/cli'
import { definitionChangesIn } from '@fastback/core/remote'
import t, { type Test } from 'tap'
import { folderChanges } from '../../packages/cli/src/studio/definition-changes.js'
import { ApiPage } from '../../packages/explorer/test/helpers/api-page.js'
import { axeScript, browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'
import { freePort } from '../free-port.mjs'

type Browser = Awaited<ReturnType<typeof launch>>
type Page = Awaited<ReturnType<Browser['newPage']>>
type Locator = ReturnType<Page['locator']>

const chromium = browserPath()
const axe = axeScript()
const pictures = process.env.FASTBACK_TEST_PICTURES

interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

const looks: readonly Look[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  ...pictures !== undefined
    ? [
        { width: 1280, colorScheme: 'dark' }, { width: 390, colorScheme: 'light' },
        { width: 1920, colorScheme: 'light' }, { width: 1920, colorScheme: 'dark' }
      ] as const
    : []
]

/** Whether an element has the focus, or the cell of a table that it is in. */
function isFocused (element: any): boolean {
  // Editors of JSON are in trees of their own.
  const { activeElement } = element.getRootNode()
  return element === activeElement || (activeElement !== null && element.closest('[data-cell]') === activeElement)
}

class Visitor {
  readonly api: ApiPage
  #steps = 0

  constructor (
    readonly page: Page,
    readonly address: string,
    private readonly t: Test,
    readonly look: Look,
    private readonly journey: string
  ) {
    this.api = new ApiPage(page)
  }

  get isPhone (): boolean { return this.look.width < 800 }

  /** On a phone a finger, else the keyboard alone: what is pressed has been reached by it. */
  async press (what: Locator): Promise<void> {
    if (this.isPhone) await what.tap()
    else {
      await this.#reach(what)
      await this.page.keyboard.press('Enter')
    }
  }

  async write (field: Locator, text: string): Promise<void> {
    if (this.isPhone) await field.tap()
    else await this.#reach(field)
    const { keyboard } = this.page
    await keyboard.press('Control+a')
    await keyboard.press('Delete')
    await keyboard.insertText(text)
  }

  /** Sends the request of an operation. @returns what the response says of itself */
  async run (): Promise<string> {
    return await this.api.run(button => this.press(button))
  }

  /** Takes one of a list, whose name no other begins with. */
  async choose (list: Locator, name: string): Promise<void> {
    if (this.isPhone) await list.selectOption(name)
    else {
      await this.#reach(list)
      await this.page.keyboard.type(name)
    }
  }

  /** By Tab, from where one is, and in menus by the arrows. What is in a cell of a table is done by the cell. */
  async #reach (what: Locator): Promise<void> {
    await what.waitFor()
    const key = await what.getAttribute('role') === 'menuitem' ? 'ArrowDown' : 'Tab'
    for (let presses = 0; presses < 300; presses++) {
      if (await what.evaluate(isFocused)) return
      await this.page.keyboard.press(key)
    }
    const last = await this.page.evaluate('document.activeElement.outerHTML.slice(0, 200)') as string
    throw new Error(`The keyboard does not reach ${String(what)}, but ${last}`)
  }

  /** Goes to an address of the studio. */
  async go (hash: string): Promise<void> {
    await this.page.goto(`${this.address}/studio/${hash}`)
  }

  /** Logs in as one of the users, as whoever develops the application may. */
  async as (user: string): Promise<void> {
    if (this.isPhone) await this.press(this.page.getByRole('button', { name: 'Open the menu' }))
    await this.press(this.page.getByRole('button', { name: 'Log in', exact: true }))
    await this.press(this.page.getByRole('button', { name: `as ${user}` }))
    await this.page.locator('.account-name').getByText(user, { exact: true }).waitFor()
    if (this.isPhone) await this.press(this.page.getByRole('button', { name: 'Close the menu' }))
  }

  async told (text: string): Promise<void> {
    await this.page.locator('.toast').filter({ hasText: text }).waitFor()
  }

  /** Nothing stands out to the side, and nobody is left out. */
  async see (step: string): Promise<void> {
    const { page, t } = this
    this.#steps++
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${step}: in its width`)
    if (pictures !== undefined) {
      const { width, colorScheme } = this.look
      const name = `${this.journey}-${this.#steps}-${step}-${width}-${colorScheme}`.replaceAll(' ', '-')
      await page.screenshot({ path: path.join(pictures, `${name}.png`) })
    }
    await page.evaluate(axe)
    const { violations } = await page.evaluate('axe.run()') as {
      violations: Array<{ id: string, nodes: Array<{ html: string }> }>
    }
    t.same(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`), [], step)
  }
}

/** What somebody does in the studio. */
type Journey = (visitor: Visitor, t: Test, folder: string) => Promise<void>

const journeys: Readonly<Record<string, Journey>> = {
  async 'first visit' (visitor, t) {
    const { page, address } = visitor
    await page.goto(address)
    t.match(page.url(), /\/studio\//, 'a browser that opens the server is led there')
    await page.locator('main h2').first().waitFor()
    await visitor.see('home')
    await page.keyboard.press('Control+k')
    await visitor.write(page.getByRole('combobox', { name: 'Find anything' }), 'go to models')
    await visitor.see('palette')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^Order: \d+ properties/ }).waitFor()
    await visitor.see('picture')
    if (!visitor.isPhone) {
      const [file] = await Promise.all([page.waitForEvent('download'), visitor.press(page.getByRole('button', { name: 'SVG' }))])
      t.match(readFileSync(await file.path(), 'utf8'), /^<svg xmlns.*>OrderLine<\/text>/s)
    }
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
    await visitor.see('shortcuts')
  },

  async 'find and edit a row' (visitor) {
    const { page } = visitor
    await visitor.go('#/data/Order')
    await visitor.as('ann')
    await visitor.write(page.getByLabel('Search number'), '2026-1042')
    await page.getByLabel('Search number').press('Enter')
    await page.getByText('Rows 1 to 1 of 1').waitFor()
    await visitor.see('found')
    await visitor.press(page.getByRole('link', { name: '43', exact: true }))
    const pane = page.getByRole('complementary', { name: '2026-1042' })
    await visitor.write(pane.getByLabel('note'), 'Ring twice')
    await visitor.see('row')
    await page.keyboard.press('Control+s')
    await visitor.told('Saved.')
    await visitor.see('saved')
  },

  async import (visitor, t) {
    const { page } = visitor
    await visitor.go('#/data/Product')
    await visitor.as('ann')
    await visitor.press(page.getByRole('button', { name: 'Import and export' }))
    await visitor.press(page.getByRole('menuitem', { name: /^Import/ }))
    const dialog = page.getByRole('dialog', { name: 'Import rows of Product' })
    const csv = 'name,sku,price\nRooibos,SKU-9001,4.5\nOolong,SKU-9002,cheap\n=1+1,SKU-9003,7\n'
    await dialog.locator('input[type=file]').setInputFiles({ name: 'teas.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await dialog.getByRole('button', { name: 'Import 2 rows' }).waitFor()
    t.match(await dialog.textContent(), /cheap|price/, 'the line that does not fit is named')
    await visitor.see('preview')
    await visitor.press(dialog.getByRole('button', { name: 'Import 2 rows' }))
    await page.getByText('of 42').first().waitFor()
  },

  async 'a failed validation' (visitor, t) {
    const { page } = visitor
    await visitor.go('#/data/Product/new')
    await visitor.as('ann')
    await visitor.press(page.getByRole('button', { name: 'Create' }))
    const field = page.getByLabel(/^name/).first()
    await page.locator('[aria-invalid=true]').first().waitFor()
    t.equal(await field.getAttribute('aria-invalid'), 'true')
    await visitor.see('refused')
  },

  async 'a conflict' (visitor, t) {
    const { page, address } = visitor
    await visitor.go('#/data/Order/row/7')
    await visitor.as('ann')
    const pane = page.getByRole('complementary', { name: '2026-1006' })
    await visitor.write(pane.getByLabel('note'), 'Mine')
    const changed = await fetch(`${address}/api/Orders/7`, {
      method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"note":"Theirs"}'
    })
    t.equal(changed.status, 200)
    await visitor.press(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByRole('dialog').getByText('Theirs').first().waitFor()
    await visitor.see('both sides')
    await visitor.press(page.getByRole('dialog').getByRole('button', { name: 'Take theirs' }))
  },

  async 'why am I refused' (visitor, t) {
    const { page, api } = visitor
    await visitor.go('#/api/Customer/Customer.deleteById')
    await visitor.as('bob')
    await visitor.write(api.form.getByLabel('id'), '1')
    t.match(await visitor.run(), '401')
    await visitor.see('refused')
    await visitor.go('#/rights')
    await page.getByRole('link', { name: 'Customer', exact: true }).last().waitFor()
    await visitor.see('matrix')
    await visitor.go('#/rights/Customer/why?method=deleteById')
    await visitor.write(page.getByLabel('User'), '2')
    await visitor.press(page.getByRole('button', { name: 'Explain' }))
    await page.getByText('Refused').waitFor()
    t.match(await page.locator('.why').textContent(), /common\/models\/customer\.json:\d+/, 'the rule with its file and line')
    await visitor.see('why')
    await visitor.go('#/rights/Customer/what-if')
    const rules = api.editor('Rules')
    await visitor.write(rules, JSON.stringify([
      { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
      { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', accessType: 'READ', rows: { city: 'Lima' } }
    ]))
    await visitor.write(page.getByLabel('User'), '2')
    await visitor.press(page.getByRole('button', { name: 'See what would change' }))
    await page.getByText('60 now, 12 then.').waitFor()
    await visitor.see('what if')
  },

  async 'add a property' (visitor, t, folder) {
    const { page } = visitor
    const definition = path.join(folder, 'common/models/note.json')
    const before = readFileSync(definition, 'utf8')
    await visitor.go('#/models/Note')
    await visitor.press(page.getByRole('button', { name: 'Property' }))
    const dialog = page.getByRole('dialog', { name: 'A new property of Note' })
    await visitor.write(dialog.getByLabel('Name'), 'rating')
    await visitor.choose(dialog.getByLabel('Type'), 'number')
    await visitor.see('form')
    await visitor.press(dialog.getByRole('button', { name: 'See the change' }))
    await dialog.getByText('common/models/note.json', { exact: true }).waitFor()
    t.match(await dialog.textContent(), /\+.*"rating"/, 'the change is shown first')
    t.equal(readFileSync(definition, 'utf8'), before, 'and nothing is written')
    await visitor.see('diff')
    await visitor.press(dialog.getByRole('button', { name: 'Write the file' }))
    await visitor.told('common/models/note.json was written.')
    t.match(JSON.parse(readFileSync(definition, 'utf8')), { properties: { rating: { type: 'number' } } })
    await visitor.press(page.getByRole('button', { name: 'Undo' }))
    await visitor.told('common/models/note.json is as before.')
    t.equal(readFileSync(definition, 'utf8'), before)
  },

  async 'a slow query' (visitor, t) {
    const { page, address } = visitor
    for (let times = 0; times < 3; times++) {
      await fetch(`${address}/api/Orders?filter=${encodeURIComponent(JSON.stringify({ where: { note: 'x' } }))}`)
    }
    await visitor.go('#/activity?model=Order')
    await page.getByRole('region', { name: 'Requests' }).getByText('Order.find').first().waitFor()
    await page.locator('.chart canvas').first().waitFor()
    await visitor.see('activity')
    await visitor.press(page.getByRole('region', { name: 'Requests' }).getByText('Order.find').first())
    const pane = page.getByRole('complementary', { name: 'GET Order.find' })
    await visitor.press(pane.getByRole('button', { name: /^db SELECT/ }))
    await pane.getByText(/SELECT .* FROM "Order"/).first().waitFor()
    await visitor.press(pane.getByRole('button', { name: 'How would the database find the rows?' }))
    await pane.getByText('"keys"').first().waitFor()
    t.match(await pane.textContent(), /"note"/, 'the index that is missing')
    await visitor.see('request')
  },

  async 'OAuth try-out' (visitor, t) {
    const { page } = visitor
    await visitor.go('#/api/~oauth')
    await visitor.write(page.getByLabel('Client'), 'studio')
    await visitor.write(page.getByLabel('Scope'), 'orders')
    await visitor.see('client')
    await visitor.press(page.getByRole('button', { name: 'Make the request' }))
    await page.getByText('code_challenge_method=S256').waitFor()
    await visitor.see('request')
    await visitor.press(page.getByRole('button', { name: 'Go to the provider' }))
    await visitor.write(page.getByLabel(/user/i).first(), 'ann')
    await visitor.write(page.getByLabel(/password/i).first(), 'a long secret 1')
    await visitor.press(page.locator('button[type=submit]').first())
    await visitor.press(page.getByRole('button', { name: 'Allow' }))
    await visitor.press(page.getByRole('button', { name: 'Exchange the code for tokens' }))
    await page.getByRole('button', { name: 'Use this token' }).waitFor()
    t.match(await page.getByRole('region', { name: 'Token response' }).textContent(), /"token_type": "Bearer"/)
    t.notMatch(page.url(), /code=/, 'the code is not in the address')
    await visitor.see('tokens')
  },

  async 'a phone' (visitor, t) {
    const { page } = visitor
    await visitor.go('#/api')
    if (visitor.isPhone) await visitor.press(page.getByRole('button', { name: 'Open the menu' }))
    await page.getByRole('link', { name: /^Order \d+$/ }).waitFor()
    await visitor.see('menu')
    await visitor.press(page.getByRole('link', { name: /^Order \d+$/ }))
    await page.getByRole('heading', { name: 'Order', exact: true }).waitFor()
    await visitor.see('operations')
    await visitor.go('#/api/Order/Order.find')
    await visitor.api.form.waitFor()
    t.match(await visitor.run(), '200')
    await visitor.see('response')
    await visitor.go('#/data/Order/row/3')
    await page.getByRole('complementary', { name: '2026-1002' }).waitFor()
    await visitor.see('row')
  }
}

t.test(
  'the studio',
  { skip: chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
  async t => {
    const browser = await launch(chromium as string)
    t.teardown(() => browser.close())
    for (const look of looks) {
      await t.test(`${look.width} wide, ${look.colorScheme}`, async t => {
        const folder = mkdtempSync(path.join(tmpdir(), 'fastback-studio-'))
        cpSync(fileURLToPath(new URL('../apps/shop', import.meta.url)), folder, { recursive: true })
        const port = await freePort()
        process.env.NODE_ENV = 'development'
        process.env.STUDIO_PAGE = `http://127.0.0.1:${port}/studio/`
        const served: Served = await serve(folder, { port, host: '127.0.0.1', log: false })
        const { registry } = served.server.fastify
        definitionChangesIn(registry).by = folderChanges(folder, { restarts: false, env: undefined })
        t.teardown(async () => {
          await served.close()
          rmSync(folder, { recursive: true })
        })
        for (const [name, journey] of Object.entries(journeys)) {
          await t.test(name, async t => {
            const context = await browser.newContext({
              viewport: { width: look.width, height: 900 }, colorScheme: look.colorScheme, reducedMotion: 'reduce',
              hasTouch: look.width < 800
            })
            t.teardown(() => context.close())
            const page = await context.newPage()
            page.setDefaultTimeout(15_000)
            const faults: string[] = []
            page.on('pageerror', error => { faults.push(error.message) })
            page.on('console', message => {
              if (message.type() === 'error' && !message.text().includes('Failed to load resource')) faults.push(message.text())
            })
            page.on('request', request => {
              if (!request.url().startsWith(served.url) && !request.url().startsWith('blob:')) faults.push(request.url())
            })
            await journey(new Visitor(page, served.url, t, look, name), t, folder)
            t.same(faults, [], 'nothing against the policy of the page, no error, no outside address')
          })
        }
      })
    }
  }
)
