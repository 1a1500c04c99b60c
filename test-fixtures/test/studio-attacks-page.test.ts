// FASTBACK_TEST_FULL: a browser.
/** Attacks on the studio in a real browser: what others wrote is text there, and nobody sees more than they may. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t, { type Test } from 'tap'
import { axeScript, browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'
import { ApiPage } from '../../packages/explorer/test/helpers/api-page.js'
import { application, password } from '../../packages/studio/test/helpers/application.js'
import { drawing, formulas, hostileApplication, html, names, svg } from './studio/hostile-application.js'
import { watchedPage, type Browser, type WatchedPage } from './studio/watched-page.js'

process.env.NODE_ENV ??= 'development'

const chromium = browserPath()
const isFull = process.env.FASTBACK_TEST_FULL !== undefined
/** Models that are visited in all parts of the page; with FASTBACK_TEST_FULL the others are as well. */
const everywhere: readonly string[] = [html, '__proto__']

/** Milliseconds of the page's thread for one action: machines that test are busy. */
const loose = 500

const skip = chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false

/** What markup of others would have left in the page. */
const traces = `[
  ...window.pwned === undefined ? [] : ['a script ran'],
  ...[...document.querySelectorAll('img, iframe, object, embed, script:not([src]), center, b, [onerror], [onload]')]
    .map(each => each.outerHTML.slice(0, 200)),
  ...[...document.querySelectorAll('[href], [src], [action], [formaction]')]
    .flatMap(each => [...each.attributes]).filter(({ value }) => /^\\s*(javascript|data):/i.test(value)).map(({ value }) => value),
  ...({}).polluted === undefined ? [] : ['Object.prototype was changed'],
  ...document.documentElement.scrollWidth <= innerWidth ? [] : ['wider than the window: ' + document.documentElement.scrollWidth]
]`

/** Nothing of others became more than text. */
async function clean ({ page, faults }: WatchedPage, t: Test, step: string): Promise<void> {
  t.same(await page.evaluate(traces), [], step)
  t.same(faults, [], `${step}: no error, no dialog, nothing against the policy, no other origin`)
}

t.test('attacks on the studio in a browser', { skip }, async t => {
  const browser: Browser = await launch(chromium as string)
  t.teardown(() => browser.close())

  await t.test('hostile names, descriptions and values are text', async t => {
    const address = await hostileApplication(t)
    const watched = await watchedPage(browser, address)
    const { page } = watched
    t.teardown(() => page.context().close())
    const visit = async (hash: string, shown: string): Promise<void> => {
      await watched.go(hash)
      const step = decodeURIComponent(hash).slice(0, 80)
      t.equal(await page.locator(shown).first().waitFor({ timeout: 3000 }).then(() => 'shown', String), 'shown', step)
      await page.waitForTimeout(50)
      await clean(watched, t, step)
      t.equal(await page.locator('[aria-invalid=true]').count(), 0, `${step}: no name has an error of its own`)
    }
    await visit('#/data', 'main h2')
    await visit('#/models', 'svg.model-picture a.box')
    await visit('#/rights', 'table.matrix')
    await visit('#/api', 'main h2')
    await visit('#/activity', 'main table')
    for (const name of names) {
      const part = encodeURIComponent(name)
      await visit(`#/data/${part}`, 'main tbody tr')
      await visit(`#/models/${part}`, 'main h2')
      await visit(`#/api/${part}`, 'main h2')
      if (!isFull && !everywhere.includes(name)) continue
      await visit(`#/data/${part}/row/1`, 'aside form, [role=complementary] form')
      await visit(`#/data/${part}/new`, 'aside form, [role=complementary] form')
      await visit(`#/rights/${part}`, 'main h2')
      await visit(`#/api/${part}/${encodeURIComponent(`${name}.find`)}`, 'form[aria-label=Request]')
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find anything' }).fill('onerror')
    await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor()
    await clean(watched, t, 'palette')
    await page.evaluate(axeScript())
    const { violations } = await page.evaluate('axe.run()') as { violations: Array<{ id: string }> }
    t.same(violations.map(({ id }) => id), [])
  })

  await t.test('files, formulas and large texts of others', async t => {
    const address = await hostileApplication(t)
    const watched = await watchedPage(browser, address)
    const { page } = watched
    const api = new ApiPage(page)
    t.teardown(() => page.context().close())

    await t.test('a picture with a script is saved or drawn, never loaded', async t => {
      await watched.go(`#/api/Plain/${encodeURIComponent('Plain.prototype.__get__paper')}`)
      await api.form.getByLabel('id').fill(String(drawing))
      t.match(await api.run(), '200')
      const save = api.response.getByRole('link', { name: 'Save' })
      const [file] = await Promise.all([page.waitForEvent('download'), save.click()])
      t.equal(readFileSync(await file.path(), 'utf8'), svg)
      await watched.go(`#/data/Plain/row/${drawing}`)
      await page.getByRole('complementary').getByText('drawing.svg').first().waitFor()
      await clean(watched, t, 'the row with the file')
    })

    await t.test('what a spreadsheet would run is saved as a text', async t => {
      await watched.go('#/data/Plain')
      await page.getByRole('button', { name: 'Import and export' }).click()
      const [all] = await Promise.all([
        page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Export as CSV' }).click()
      ])
      const text = readFileSync(await all.path(), 'utf8')
      for (const formula of formulas) t.ok(text.includes(`'${formula}`), JSON.stringify(formula))
      t.notMatch(text, /(?:^|,|\r\n)"?[=+@\t-](?!\d+(?:,|\r\n))/, 'no cell begins as a formula')
    })

    await t.test('files with names of JavaScript\'s own, and of 10 MB', async t => {
      const folder = t.testdir()
      await watched.go('#/data/Plain')
      const choose = async (name: string, text: string): Promise<void> => {
        await page.getByRole('button', { name: 'Import and export' }).click()
        await page.getByRole('menuitem', { name: /^Import/ }).click()
        // As a file of a disk: what is sent to the browser as a buffer is made a file by the page's own thread.
        const file = path.join(folder, name)
        writeFileSync(file, text)
        await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
      }
      const close = async (): Promise<void> => {
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      const dialog = page.getByRole('dialog')
      await choose('own.csv', `title,__proto__,constructor,toString,"${html.replaceAll('"', '""')}"\nTea,a,b,c,d\n`)
      await dialog.getByRole('button', { name: 'Import 1 row' }).waitFor()
      await clean(watched, t, 'CSV')
      await close()
      await choose('own.json', '[{"title":"Tea","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}]')
      await dialog.getByRole('button', { name: 'Import 1 row' }).waitFor()
      await clean(watched, t, 'JSON')
      await close()
      await watched.longest()
      const line = `${'x'.repeat(200)},${'y'.repeat(10)}\n`
      await choose('large.csv', `title,link\n${line.repeat(Math.ceil(10_000_000 / line.length))}`)
      await dialog.getByRole('button', { name: /^Import \d+ rows/ }).waitFor()
      const csv = await watched.longest()
      t.comment(`10 MB of CSV: ${csv} ms`)
      t.ok(csv < loose, `10 MB of CSV: ${csv} ms`)
      await close()
      await choose('large.json', `[${'{"title":"x"},'.repeat(800_000)}{}]`)
      await dialog.getByText('A list in JSON may have 5 MB').waitFor()
      await close()
      await clean(watched, t, 'after them')
    })

    await t.test('a response of 10 MB', async t => {
      await watched.go('#/api/Plain/Plain.large')
      await api.form.getByLabel('size').fill('10000000')
      await watched.longest()
      t.match(await api.run(), '200')
      const shown = await api.body()
      t.match(shown.slice(-60), /more characters/, 'the text is cut, and says so')
      t.ok(shown.length < 400_000)
      const longest = await watched.longest()
      t.comment(`a response of 10 MB: ${longest} ms`)
      t.ok(longest < loose, `${longest} ms`)
      await clean(watched, t, 'large')
    })

    await t.test('no page of others has it in a frame', async t => {
      const other = createServer((_request, response) => {
        response.setHeader('content-type', 'text/html')
        response.end(`<!doctype html><iframe src="${address}/studio/"></iframe>`)
      })
      await new Promise<void>(resolve => { other.listen(0, '127.0.0.1', resolve) })
      t.teardown(() => new Promise(resolve => other.close(resolve)))
      const page = await browser.newPage()
      t.teardown(() => page.close())
      const said: string[] = []
      page.on('console', message => { said.push(message.text()) })
      await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`, { waitUntil: 'load' })
      await page.waitForTimeout(100)
      t.same(page.frames().slice(1).map(frame => frame.url()), ['chrome-error://chromewebdata/'])
      t.match(said.join('\n'), /frame-ancestors/)
    })
  })

  await t.test('in production, who has no role sees neither models nor rights nor activity', async t => {
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = 'production'
    t.teardown(() => {
      if (before === undefined) delete process.env.NODE_ENV
      else process.env.NODE_ENV = before
    })
    const { app, ann, root } = await application(t, { enabled: true })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const watched = await watchedPage(browser, address)
    const { page, addresses } = watched
    t.teardown(() => page.context().close())
    const parts = ['models', 'models/Note', 'rights', 'rights/Note', 'rights/Note/why', 'rights/Note/what-if', 'activity']
    const refused = async (said: RegExp): Promise<void> => {
      for (const part of parts) {
        await watched.go(`#/${part}`)
        await page.locator('main .refused').waitFor()
        const text = await page.locator('main').textContent() ?? ''
        t.match(text, said, part)
        t.notMatch(text, /ownerId|\$authenticated|principalId|Note\.find/, `${part}: nothing else`)
      }
    }
    await watched.go('#/data')
    await refused(/Log in as a user who may see the studio/)
    const logIn = async (name: string): Promise<void> => {
      await watched.go('#/data')
      await new ApiPage(page).logIn(`${name}@example.com`, password)
      await page.getByRole('button', { name: 'Log out' }).waitFor()
    }
    await logIn('ann')
    t.equal(await page.getByRole('region', { name: 'As one of the users' }).count(), 0, 'nobody is logged in as another')
    await refused(/The studio is for users in the role admin/)
    await page.getByRole('button', { name: 'Log out' }).click()
    await logIn('root')
    await watched.go('#/rights')
    await page.locator('table.matrix').waitFor()
    const kept = await page.evaluate('Object.values(sessionStorage).filter(each => each.length > 20)') as string[]
    t.ok(kept.length > 0, 'the token is kept')
    const secrets = [ann.token, root.token, password, ...kept.map(each => encodeURIComponent(each)), ...kept]
    for (const url of [...addresses, page.url()]) t.notOk(secrets.some(secret => url.includes(secret)), url)
    t.equal(await page.evaluate('document.cookie'), '')
    await clean(watched, t, 'at the end')
  })

  await t.test('the last requests show nothing that clients sent', async t => {
    const { app, root } = await application(t)
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const secret = 'sesame-7391'
    const headers = { authorization: root.token, cookie: `s=${secret}`, 'x-mine': secret, 'user-agent': secret, 'content-type': 'application/json' }
    const filter = encodeURIComponent(JSON.stringify({ where: { title: secret } }))
    await fetch(`${address}/api/Notes?filter=${filter}&x=${secret}`, { headers })
    await fetch(`${address}/api/Notes`, { method: 'POST', headers, body: JSON.stringify({ title: secret, secret }) })
    await fetch(`${address}/api/${secret}?${secret}`, { headers })
    await fetch(`${address}/api/Users/login`, {
      method: 'POST', headers, body: JSON.stringify({ email: `${secret}@example.com`, password: secret })
    })
    const watched = await watchedPage(browser, address)
    const { page } = watched
    t.teardown(() => page.context().close())
    await watched.go('#/activity')
    const list = page.getByRole('region', { name: 'Requests' })
    await list.getByText('Note.create').first().waitFor()
    const seen = async (): Promise<void> => {
      const html = await page.content()
      for (const each of [secret, root.token]) t.notOk(html.includes(each), 'not in the page')
    }
    await seen()
    for (const operation of ['Note.find', 'Note.create', 'User.login']) {
      await list.getByText(operation).first().click()
      const pane = page.getByRole('complementary', { name: operation })
      const statements = pane.getByRole('button', { name: /^db / })
      await statements.first().waitFor()
      for (const statement of await statements.all()) {
        await statement.click()
        await seen()
      }
    }
    await clean(watched, t, 'requests')
  })
})
