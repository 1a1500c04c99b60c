import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { browserPath, launch } from '../../explorer/test/helpers/browser.js'
import { application, hostile, password } from './helpers/application.js'

const path = browserPath()

t.test(
  'the page in a browser',
  { skip: path === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
  async t => {
    const { app, tokenOf } = await application(t)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const browser = await launch(path as string)
    t.teardown(() => browser.close())
    const complaints: string[] = []
    const elsewhere: string[] = []

    async function open (
      t: Test, address = '', options: Parameters<typeof browser.newContext>[0] = { timezoneId: 'Europe/Berlin', viewport: { width: 1600, height: 900 } }
    ): Promise<Page> {
      const context: BrowserContext = await browser.newContext({ reducedMotion: 'reduce', ...options })
      t.teardown(() => context.close())
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      page.on('request', request => {
        if (!request.url().startsWith(origin) && !request.url().startsWith('blob:')) elsewhere.push(request.url())
      })
      page.on('console', message => {
        if (message.type() === 'error' && !message.text().includes('Failed to load resource')) {
          complaints.push(message.text())
        }
      })
      page.on('pageerror', error => { complaints.push(error.message) })
      await page.goto(`${origin}/admin/${address}`)
      return page
    }

    async function logIn (page: Page, name: string): Promise<void> {
      await page.getByLabel('E-mail or user name').fill(`${name}@example.com`)
      await page.getByLabel('Password').fill(password)
      await page.locator('.login-password').getByRole('button', { name: 'Log in' }).click()
      await page.locator('.account-name', { hasText: name }).waitFor({ state: 'attached' })
    }

    async function openAs (t: Test, name: string, address = '', options?: Parameters<typeof open>[2]): Promise<Page> {
      const page = await open(t, address, options)
      await logIn(page, name)
      return page
    }

    /** A request to the API beside the page. */
    const api = async (who: string, method: string, url: string, body?: object) => {
      const answer = await app.inject({
        method: method as 'GET',
        url: `/api${url}`,
        headers: { 'x-access-token': await tokenOf(who) },
        ...(body === undefined ? {} : { payload: body })
      })
      return answer.json()
    }
    /** Playwright's own waiting is code made of a text, which the page's policy stops. */
    const until = async (page: Page, test: string): Promise<void> => {
      const end = Date.now() + 20_000
      while (!(await page.evaluate(test) as boolean)) {
        if (Date.now() > end) throw new Error(`it never was that ${test}`)
        await page.waitForTimeout(50)
      }
    }
    const cells = (page: Page, column: number): Promise<string[]> =>
      page.locator(`tbody tr > [data-cell]:nth-child(${column + 1})`).allTextContents()
    const pane = (page: Page) => page.locator('.side-pane')
    const field = (page: Page, name: string, exact = false) => pane(page).getByLabel(name, { exact })
    const headings = (page: Page): Promise<string[]> => page.locator('thead th:not(.select)').allTextContents()
    /** Waits for a message, and closes it. */
    const told = async (page: Page, text: string): Promise<void> => {
      const toast = page.locator('.toast', { hasText: text }).first()
      await toast.waitFor()
      await toast.getByRole('button', { name: 'Close the message' }).click()
    }
    const shown = (page: Page, text: string) => page.locator('.pager', { hasText: text }).waitFor()

    await t.test('a login that fails, one that does not, and its end', async t => {
      const page = await open(t)
      await page.getByLabel('E-mail or user name').fill('root@example.com')
      await page.getByLabel('Password').fill('wrong')
      await page.getByLabel('Password').press('Enter')
      await page.getByRole('alert').filter({ hasText: 'The login failed: user name or password are wrong' }).waitFor()
      await logIn(page, 'root')
      t.equal(await page.locator('.account-name').textContent(), 'root')
      const token = await page.evaluate('Object.values(sessionStorage).find(text => /^[A-Za-z0-9]{20,}/.test(text))') as string
      t.ok(token)
      t.equal((await app.inject({ url: '/api/Secrets', headers: { 'x-access-token': token } })).statusCode, 200)
      await page.reload()
      await page.locator('.account-name', { hasText: 'root' }).waitFor()
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByText('You are logged out.').waitFor()
      t.ok(await page.getByLabel('Password').isVisible())
      t.equal((await app.inject({ url: '/api/Secrets', headers: { 'x-access-token': token } })).statusCode, 401)
      await page.getByText('There is no model whose rows one may list without a login.').waitFor()
      t.equal(await page.getByRole('navigation', { name: 'Models' }).count(), 0)
      await page.goto(`${origin}/admin/#/data/Note`)
      await page.getByRole('alert').filter({ hasText: 'You may not do this without a login.' }).waitFor()
      await page.getByLabel('Password').waitFor()
    })

    await t.test('the menu has the models whose rows the caller may list', async t => {
      const page = await openAs(t, 'ann')
      const menu = async (): Promise<string[]> => await page.locator('.model-list .side-link > span:first-of-type').allTextContents()
      await page.locator('.cards').waitFor()
      t.same(await menu(), ['Author', 'Note', 'Project', 'Shift', 'Staff', 'Tag'])
      t.same(await page.locator('.cards .model-name').allTextContents(), await menu())
      await page.getByRole('button', { name: 'Log out' }).click()
      await logIn(page, 'root')
      await page.locator('.model-list').getByText('Secret').first().waitFor()
      t.ok((await menu()).includes('User'))
    })

    await t.test('related rows are called by what they have, the best first', async t => {
      const page = await openAs(t, 'ann', '#/Shift')
      await shown(page, 'Rows 1 to 3 of 3')
      const column = (await headings(page)).indexOf('staffId') + 1
      t.same(await cells(page, column), ['eve@example.com', 'max', 'Staff 3'])
      await page.goto(`${origin}/admin/#/Shift/row/2`)
      const sent = page.waitForResponse(answer => answer.request().method() === 'PATCH')
      await field(page, 'hours').fill('9')
      await page.getByRole('button', { name: 'Save' }).click()
      await sent
      await page.goto(`${origin}/admin/#/Shift/row/1`)
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('heading', { name: 'Shift 1' }).waitFor()
      await page.goto(`${origin}/admin/#/Shift/row/2`)
      await page.getByText('You may not change this row').waitFor()
      await page.locator('dd', { hasText: /^max$/ }).waitFor()
    })

    await t.test('a new form begins with the defaults, and what is taken out of it is not made', async t => {
      const page = await openAs(t, 'root', '#/Shift/new')
      const ward = field(page, 'ward')
      await ward.waitFor()
      t.same(
        await Promise.all(['ward', 'hours', 'marks', 'begun'].map(name => field(page, name).inputValue())),
        ['North', '8', 'new', '']
      )
      t.same(
        await Promise.all(['night', 'kind'].map(name => field(page, name).locator('option:checked').textContent())),
        ['no', 'late']
      )
      await field(page, 'hours').fill('')
      await field(page, 'staffId').fill('max')
      await page.getByRole('option', { name: 'max 2' }).click()
      const sent = page.waitForRequest(request => request.method() === 'POST')
      await page.getByRole('button', { name: 'Create' }).click()
      t.same((await sent).postDataJSON(), {
        ward: 'North', hours: null, night: false, kind: 'late', marks: ['new'], staffId: 2
      })
      await told(page, 'was created.')
      const [row] = await api('root', 'GET', '/Shifts?filter={"order":"id DESC","limit":1}')
      t.match(row, { ward: 'North', hours: null, begun: String })
    })

    await t.test('lists: pages, order, search, conditions, columns, what leads to other rows', async t => {
      const page = await openAs(t, 'root', '#/Note')
      await shown(page, 'Rows 1 to 25 of 30')
      t.same(await headings(page),
        ['id', 'title', 'kind', 'done', 'stars', 'written', 'authorId'])
      t.same((await cells(page, 7)).slice(0, 2), ['Grace Hopper', 'Zora Hurston'], 'related rows by their names')
      await page.getByRole('button', { name: 'Next' }).click()
      await shown(page, 'Rows 26 to 30 of 30')
      await page.goBack()
      await shown(page, 'Rows 1 to 25 of 30')
      await page.getByRole('button', { name: 'title', exact: true }).click()
      await page.locator('th[aria-sort=ascending]').waitFor()
      await page.getByRole('button', { name: 'title', exact: true }).click()
      await page.locator('th[aria-sort=descending]').waitFor()
      t.equal((await cells(page, 2))[0], 'Note 30')
      await page.getByLabel('Search title').fill('note 2')
      await page.getByLabel('Search title').press('Enter')
      await shown(page, 'Rows 1 to 10 of 10')
      await page.getByRole('button', { name: 'Filter' }).click()
      await page.getByLabel('Property').selectOption('stars')
      await page.getByLabel('Operator').selectOption('gte')
      await page.getByLabel('Value', { exact: true }).fill('4')
      await page.getByRole('button', { name: 'Apply' }).click()
      await shown(page, 'Rows 1 to 4 of 4')
      t.same(await cells(page, 2), ['Note 29', 'Note 28', 'Note 23', 'Note 22'])
      await page.reload()
      await shown(page, 'Rows 1 to 4 of 4')
      await page.getByRole('button', { name: 'Without: stars ≥ 4' }).click()
      await shown(page, 'Rows 1 to 10 of 10')
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('checkbox', { name: 'tags' }).check()
      await page.getByRole('columnheader', { name: 'tags' }).waitFor()
      await page.keyboard.press('Escape')
      t.equal(await page.getByRole('gridcell', { name: 'at29', exact: true }).count(), 1)
      await page.getByRole('link', { name: 'Zora Hurston' }).first().click()
      await page.getByRole('heading', { name: 'Zora Hurston' }).waitFor()
      await page.getByRole('link', { name: 'notes', exact: true }).click()
      await shown(page, 'Rows 1 to 10 of 10')
      t.equal(await page.getByRole('list', { name: 'Filters' }).textContent(), 'authorId is 3')
    })

    await t.test('a model with a text index is searched for words, the best rows first', async t => {
      const page = await openAs(t, 'root', '#/Recipe')
      await shown(page, 'Rows 1 to 3 of 3')
      const words = page.getByLabel('Search words')
      t.match(await words.getAttribute('title'), 'Words that all stand in title, text')
      await words.fill('flour salt -tea')
      await words.press('Enter')
      await shown(page, 'Rows 1 to 2 of 2')
      t.same(await cells(page, 2), ['Salt dough', 'Bread'])
      await page.reload()
      await shown(page, 'Rows 1 to 2 of 2')
      await page.getByRole('button', { name: 'title', exact: true }).click()
      await page.locator('th[aria-sort=ascending]').waitFor()
      t.same(await cells(page, 2), ['Bread', 'Salt dough'], 'sorted by a heading, within what was found')
      await page.getByLabel('Search title').fill('dough')
      await page.getByLabel('Search title').press('Enter')
      await shown(page, 'Rows 1 to 1 of 1')
      t.equal(await words.inputValue(), 'flour salt -tea', 'both searches hold')
      await words.fill('chocolate')
      await words.press('Enter')
      await page.getByText('No row fits.').waitFor()
      await words.fill('"')
      await words.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'The $search is not valid' }).waitFor()
      await page.goto(`${origin}/admin/#/Note`)
      await shown(page, 'Rows 1 to 25 of 30')
      t.equal(await page.getByLabel('Search words').count(), 0, 'where there is no index, there is no such field')
    })

    await t.test('a row is made with a relation that is picked, refused at its field, changed, and deleted', async t => {
      const page = await openAs(t, 'root', '#/Note/new')
      await field(page, 'title').fill('ab')
      await field(page, 'stars').fill('many')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText('must be a number').waitFor()
      await until(page, 'document.activeElement.name === "stars"')
      await field(page, 'stars').fill('9')
      await field(page, 'tags').fill('new\n\nrow')
      await field(page, 'place').fill('["no object"]')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText('must be an object').waitFor()
      await field(page, 'place').fill('{ "city": "Ulm" }')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText('2 fields are not right.').waitFor()
      const title = field(page, 'title')
      t.equal(await title.getAttribute('aria-invalid'), 'true')
      const said = (await title.getAttribute('aria-describedby') ?? '').split(' ').map(id => `#${id}`).join(', ')
      t.match((await page.locator(said).allTextContents()).join(), 'title must have at least 3 characters')
      t.equal(await field(page, 'stars').getAttribute('aria-invalid'), 'true')
      await until(page, 'document.activeElement.name === "title"')

      await title.fill('A new note')
      await field(page, 'stars').fill('4.5')
      await field(page, 'kind').selectOption('work')
      await field(page, 'done').selectOption('yes')
      await field(page, 'written').fill('2026-07-01T14:30:00.000')
      await field(page, 'authorId').fill('hopp')
      await page.getByRole('option', { name: 'Grace Hopper 2' }).click()
      await page.getByRole('button', { name: 'Create' }).click()
      await told(page, 'A new note was created.')
      const [row] = await api('root', 'GET', '/Notes?filter={"where":{"title":"A new note"}}')
      t.match(row, {
        title: 'A new note', kind: 'work', done: true, stars: 4.5, written: '2026-07-01T12:30:00.000Z',
        tags: ['new', 'row'], place: { city: 'Ulm' }, authorId: 2
      }, 'the date was typed in Berlin')

      await page.getByRole('heading', { name: 'A new note' }).waitFor()
      await until(page, 'document.querySelector(".side-pane [role=combobox]").value === "Grace Hopper"')
      t.equal(await field(page, 'written').inputValue(), '2026-07-01T14:30')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Nothing was changed.').waitFor()
      const sent = page.waitForRequest(request => request.method() === 'PATCH')
      await field(page, 'kind').selectOption('')
      await field(page, 'title').fill('An old note')
      await page.getByRole('button', { name: 'Save' }).click()
      t.same((await sent).postDataJSON(), { title: 'An old note', kind: null }, 'only what changed is sent')
      await page.getByRole('heading', { name: 'An old note' }).waitFor()
      await told(page, 'Saved.')
      t.notOk(await page.getByText('changed meanwhile').isVisible(), 'the own change is no news')

      await api('root', 'PATCH', `/Notes/${row.id}`, { stars: 1 })
      await page.getByText('This row was changed meanwhile.').waitFor()
      await page.getByRole('button', { name: 'Read again' }).click()
      await until(page, 'document.querySelector("[name=stars]").value === "1"')
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete An old note? This cannot be undone.' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      t.equal((await api('root', 'GET', '/Notes/count')).count, 31)
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
      await shown(page, 'Rows 1 to 25 of 30')
      t.equal((await api('root', 'GET', '/Notes/count')).count, 30)
    })

    await t.test('rows of several relations: a list of keys, a key of one of several models, rows joined by others', async t => {
      const page = await openAs(t, 'root', '#/Project')
      await page.getByRole('link', { name: 'Zora Hurston' }).waitFor()
      t.same((await page.locator('tbody td').allTextContents()).slice(2, 5), ['Grace Hopper', 'Author', 'Zora Hurston, Ada Byron'])
      await page.getByRole('link', { name: '1', exact: true }).click()
      const members = page.getByRole('list', { name: 'Rows in memberIds' })
      await members.getByText('Ada Byron').waitFor()
      await until(page, 'document.querySelector("[name=subjectId]").value === "Grace Hopper"')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Nothing was changed.').waitFor()

      await page.getByRole('button', { name: 'Without: Zora Hurston' }).click()
      await field(page, 'memberIds', true).fill('grace')
      await page.getByRole('option', { name: 'Grace Hopper 2' }).click()
      t.same(await members.getByRole('listitem').allTextContents(), ['Ada Byron', 'Grace Hopper'])
      await field(page, 'memberIds', true).fill('ada')
      await page.getByRole('option', { name: 'Ada Byron 1' }).click()
      t.equal(await members.getByRole('listitem').count(), 2, 'a row stands there once')
      t.same(await field(page, 'subjectType').locator('option').allTextContents(), ['', 'Author', 'Tag'])
      await field(page, 'subjectType').selectOption('Tag')
      t.equal(await field(page, 'subjectId').inputValue(), '', 'the key of an author is none of a tag')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('must be a row of Tag').waitFor()
      await until(page, 'document.activeElement.name === "subjectId"')
      await field(page, 'subjectId').fill('lat')
      await page.getByRole('option', { name: 'later 2' }).click()
      const sent = page.waitForRequest(request => request.method() === 'PATCH')
      await page.getByRole('button', { name: 'Save' }).click()
      t.same((await sent).postDataJSON(), { memberIds: [1, 2], subjectType: 'Tag', subjectId: 2 })
      await told(page, 'Saved.')
      const [again] = await Promise.all([
        page.waitForRequest(request => request.method() === 'PATCH'),
        field(page, 'subjectId').fill('never')
          .then(() => page.getByRole('option', { name: 'never 3' }).click())
          .then(() => page.getByRole('button', { name: 'Save' }).click())
      ])
      t.same(again.postDataJSON(), { subjectType: 'Tag', subjectId: 3 }, 'model and key go together')
      await told(page, 'Saved.')
      await field(page, 'subjectType').selectOption('')
      await page.getByRole('button', { name: 'Save' }).click()
      await told(page, 'Saved.')
      t.match(await api('root', 'GET', '/Projects/1'), { memberIds: [1, 2], subjectType: null, subjectId: null })

      const tags = page.getByRole('list', { name: 'tags' })
      for (const name of ['urgent', 'never']) {
        await field(page, 'Add to tags').fill(name)
        await page.getByRole('option', { name }).click()
        await page.getByRole('button', { name: 'Add', exact: true }).click()
        await told(page, `${name} was added to Old project.`)
        await tags.getByText(name).waitFor()
      }
      t.match(await api('root', 'GET', '/Projects/1/tags'), [{ name: 'urgent' }, { name: 'never' }])
      await page.getByRole('button', { name: 'Take away urgent' }).click()
      await page.getByText('urgent was taken away from Old project.').waitFor()
      t.match(await api('root', 'GET', '/Projects/1/tags'), [{ name: 'never' }])
      t.equal(await page.evaluate('document.activeElement.name'), 'Add to tags', 'the focus is not lost with the row')

      await api('root', 'PATCH', '/Projects/1', { subjectType: 'Author', subjectId: 2 })
      await page.goto(`${origin}/admin/#/Author/row/2`)
      await page.getByRole('link', { name: 'projects' }).click()
      await shown(page, 'Rows 1 to 1 of 1')
      await page.goto(`${origin}/admin/#/Author/row/1`)
      await page.getByRole('link', { name: 'projects' }).click()
      await page.getByText('No row fits').waitFor()
    })

    await t.test('rows that the API joins for others alone are shown, and the refusal is told', async t => {
      const page = await openAs(t, 'ann', '#/Project/row/1')
      await field(page, 'Add to tags').fill('later')
      await page.getByRole('option', { name: 'later' }).click()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('alert').filter({ hasText: 'You may not do this: your rights do not suffice' }).waitFor()
      t.match(await api('root', 'GET', '/Projects/1/tags'), [{ name: 'never' }])
    })

    await t.test('a row that somebody else changed is not overwritten, where the API has a name for its state', async t => {
      const page = await openAs(t, 'root', '#/Secret/row/1')
      await field(page, 'text', true).fill('mine')
      await api('root', 'PATCH', '/Secrets/1', { text: 'of somebody else' })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').filter({ hasText: 'Somebody else changed this row meanwhile.' }).waitFor()
      t.equal((await api('root', 'GET', '/Secrets/1')).text, 'of somebody else')
      await page.getByRole('button', { name: 'Read again' }).click()
      await until(page, 'document.querySelector("[name=text]").value === "of somebody else"')
      await field(page, 'text', true).fill('of administrators')
      await page.getByRole('button', { name: 'Save' }).click()
      await told(page, 'Saved.')
      t.equal((await api('root', 'GET', '/Secrets/1')).text, 'of administrators')
    })

    await t.test('files of rows: sent, saved, taken away', async t => {
      const page = await openAs(t, 'root', '#/Photo/new')
      await field(page, 'title').fill('Me')
      await field(page, 'image').setInputFiles({ name: 'me.txt', mimeType: 'text/plain', buffer: Buffer.from('a face') })
      await page.getByRole('button', { name: 'Create' }).click()
      await told(page, 'was created.')
      await page.getByText('me.txt, 6 bytes').waitFor()
      const [file] = await Promise.all([
        page.waitForEvent('download'), page.getByRole('button', { name: 'Save me.txt' }).click()
      ])
      t.equal(readFileSync(await file.path(), 'utf8'), 'a face')
      await field(page, 'image').setInputFiles({ name: 'you.txt', mimeType: 'text/plain', buffer: Buffer.from('you') })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await told(page, 'Saved.')
      await page.getByText('you.txt, 3 bytes').waitFor()
      t.match(await api('root', 'GET', '/Photos/1'), { title: 'Me', image: { name: 'you.txt' } })
      await field(page, 'Take you.txt away').check()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('you.txt, 3 bytes').waitFor({ state: 'detached' })
      t.equal((await api('root', 'GET', '/Photos/1')).image, null)
    })

    await t.test('a role is given, and with it the right; and taken again', async t => {
      const page = await openAs(t, 'root', '#/User/row/3')
      await field(page, 'admin').check()
      await told(page, 'The role admin was given.')
      t.match(await api('bob', 'GET', '/Secrets'), [{ text: 'of administrators' }])
      await page.reload()
      t.ok(await field(page, 'admin').isChecked())
      await field(page, 'admin').uncheck()
      await told(page, 'The role admin was taken.')
      t.match(await api('bob', 'GET', '/Secrets'), { error: { statusCode: 401 } })
    })

    await t.test('a user like any other can do no more than the API lets him', async t => {
      const page = await openAs(t, 'ann', '#/Secret')
      await page.getByRole('alert').filter({ hasText: 'You may not do this: your rights do not suffice' }).waitFor()
      await page.goto(`${origin}/admin/#/Note/row/1`)
      await page.getByRole('heading', { name: 'Note 01' }).waitFor()
      await field(page, 'title').fill('Of ann')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').filter({ hasText: 'You may not do this: your rights do not suffice' }).waitFor()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await told(page, 'You may not do this')
      t.equal(await page.getByRole('button', { name: 'Delete', exact: true }).count(), 0, 'what was refused is not offered again')
      await page.getByRole('link', { name: 'Note', exact: true }).first().click()
      await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Discard' }).click()
      await pane(page).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: '1', exact: true }).click()
      await page.getByText('You may not change this row of Note.').waitFor()
      t.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
      t.equal((await api('root', 'GET', '/Notes/1')).title, 'Note 01')
      await page.goto(`${origin}/admin/#/User/row/2`)
      await page.getByText('You may not read roles, so they cannot be given here.').waitFor()
    })

    await t.test('changes of others are seen as they happen, and not while nobody looks', async t => {
      const page = await openAs(t, 'ann', '#/Note?order=id+ASC')
      await page.getByText('Live', { exact: true }).waitFor()
      await api('root', 'PATCH', '/Notes/2', { title: 'Changed by root' })
      await page.locator('tr.changed', { hasText: 'Changed by root' }).waitFor()
      const made = await api('root', 'POST', '/Notes', { title: 'Made by root' })
      await page.getByRole('button', { name: '1 new row: show' }).click()
      await shown(page, 'of 31')
      await api('root', 'PATCH', '/Notes/2', { title: 'Note 02' })
      await page.locator('tr.changed', { hasText: 'Note 02' }).waitFor()

      const hide = (isHidden: boolean) => page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${String(isHidden)} })
        document.dispatchEvent(new Event('visibilitychange'))`)
      await hide(true)
      await page.getByText('Paused', { exact: true }).waitFor()
      await api('root', 'PATCH', '/Notes/3', { title: 'While nobody looked' })
      t.notMatch(await cells(page, 2), ['While nobody looked'])
      await hide(false)
      await page.getByRole('gridcell', { name: 'While nobody looked', exact: true }).waitFor()
      await api('root', 'PATCH', '/Notes/3', { title: 'Note 03' })
      await page.locator('tr.changed', { hasText: 'Note 03' }).waitFor()
      await page.goto(`${origin}/admin/#/Note?order=id+DESC`)
      await page.getByRole('gridcell', { name: 'Made by root', exact: true }).waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      await api('root', 'DELETE', `/Notes/${made.id}`)
      await page.locator('tr.deleted', { hasText: 'Made by root' }).waitFor()
    })

    await t.test('of a list with a condition only rows count that it would show', async t => {
      const page = await openAs(t, 'ann', '#/Note?search=live&where=[{"stars":{"gt":2}}]')
      await page.getByText('Live', { exact: true }).waitFor()
      await page.getByText('No row fits').waitFor()
      const make = async (title: string, stars: number) => await api('root', 'POST', '/Notes', { title, stars })
      const others = [await make('Alive, with few stars', 1), await make('Asleep', 5)]
      const fitting = await make('Alive', 4)
      await page.getByRole('button', { name: '1 new row: show' }).click()
      await shown(page, 'Rows 1 to 1 of 1')
      await api('root', 'PATCH', `/Notes/${others[0].id}`, { stars: 3 })
      await page.getByRole('button', { name: '1 new row: show' }).waitFor()
      await api('root', 'PATCH', `/Notes/${others[0].id}`, { title: 'Alive again' })
      await api('root', 'PATCH', `/Notes/${fitting.id}`, { stars: 0 })
      await page.locator('tr.gone', { hasText: 'gone' }).waitFor()
      t.equal(await page.getByRole('status').filter({ hasText: 'new row' }).textContent(), '1 new row: show', 'a row counts once')
      await page.getByRole('button', { name: '1 new row: show' }).click()
      await page.getByRole('gridcell', { name: 'Alive again', exact: true }).waitFor()
      await shown(page, 'Rows 1 to 1 of 1')
      for (const { id } of [...others, fitting]) await api('root', 'DELETE', `/Notes/${id}`)
    })

    await t.test('hostile names and values are text', async t => {
      const page = await openAs(t, 'root', '#/constructor')
      await page.getByRole('gridcell', { name: hostile, exact: true }).first().waitFor()
      t.same((await cells(page, 2))[0], hostile)
      t.same(await headings(page),
        ['id', 'toString', 'valueOf', '<b>bold</b>', '" onfocus="x', 'link'])
      await page.getByRole('link', { name: '1', exact: true }).click()
      await page.getByRole('heading', { name: hostile }).waitFor()
      t.equal(await field(page, '<b>bold</b>').inputValue(), hostile)
      await field(page, 'valueOf').fill('harmless')
      await field(page, 'toString').fill('harmless')
      await page.getByRole('button', { name: 'Save' }).click()
      await told(page, 'Saved.')
      t.same(await api('root', 'GET', '/constructors/1'), {
        id: 1, toString: 'harmless', valueOf: 'harmless', '" onfocus="x': hostile, link: 'javascript:document.title="taken"', '<b>bold</b>': hostile
      })
      t.equal(await page.locator('img, [onfocus], [onerror], a[href^=javascript]').count(), 0)
      for (const address of [
        '#/__proto__', '#/toString/new', '#/%3Cimg%20src=x%20onerror=alert(1)%3E', '#/%zz', '#/Note?where=%5B%7B', '#/Note/row/..'
      ]) {
        await page.goto(`${origin}/admin/${address}`)
        await page.locator('#view:has([role=alert]), #view:has(.pager)').waitFor()
        t.equal(await page.locator('img').count(), 0, address)
      }
      t.notMatch(await page.title(), 'taken')
    })

    await t.test('with the keyboard alone: log in, find the model, make a row, pick a relation, delete it', async t => {
      const page = await open(t)
      const { keyboard } = page
      await page.getByLabel('E-mail or user name').waitFor()
      await until(page, 'document.activeElement.id === "login-user"')
      await keyboard.type('root')
      await keyboard.press('Tab')
      await keyboard.type(password)
      await keyboard.press('Enter')
      await page.locator('.account-name', { hasText: 'root' }).waitFor()
      await until(page, 'document.activeElement.id === "view"')
      await page.getByLabel('Find a model').waitFor()
      await keyboard.press('/')
      await keyboard.type('note')
      await keyboard.press('Enter')
      await shown(page, 'of 30')
      const tabTo = async (test: string): Promise<void> => {
        for (let presses = 0; presses < 120; presses++) {
          if (await page.evaluate(`(at => ${test})(document.activeElement)`)) return
          await keyboard.press('Tab')
        }
        t.fail(`the keyboard does not lead to ${test}`)
      }
      await tabTo('at.textContent === "New"')
      await keyboard.press('Enter')
      await until(page, 'document.activeElement.name === "title"')
      await keyboard.type('By keyboard')
      await tabTo('at.name === "authorId"')
      await keyboard.type('ada')
      await page.getByRole('option', { name: 'Ada Byron' }).waitFor()
      await keyboard.press('ArrowDown')
      t.equal(await page.locator(`#${await page.evaluate('document.activeElement.getAttribute("aria-activedescendant")')}`)
        .getAttribute('aria-selected'), 'true')
      await keyboard.press('Enter')
      await tabTo('at.textContent === "Create"')
      await keyboard.press('Enter')
      await page.getByRole('heading', { name: 'By keyboard' }).waitFor()
      t.match(await api('root', 'GET', '/Notes?filter={"where":{"title":"By keyboard"}}'), [{ authorId: 1 }])
      await tabTo('at.textContent === "Delete"')
      await keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      t.equal(await page.evaluate('document.activeElement.textContent'), 'Delete', 'the focus is where it was')
      await keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await keyboard.press('Tab')
      await keyboard.press('Enter')
      await shown(page, 'of 30')

      await page.goto(`${origin}/admin/#/Project/row/1`)
      await page.getByRole('list', { name: 'Rows in memberIds' }).getByText('Ada Byron').waitFor()
      const choose = async (text: string, name: string): Promise<void> => {
        await keyboard.type(text)
        await page.getByRole('option', { name }).waitFor()
        await keyboard.press('ArrowDown')
        await keyboard.press('Enter')
      }
      await until(page, 'document.activeElement.matches(".side-pane")')
      await tabTo('at.name === "subjectType"')
      await keyboard.type('Tag')
      await tabTo('at.name === "subjectId"')
      await choose('urg', 'urgent 1')
      await tabTo('at.name === "memberIds"')
      await choose('zora', 'Zora Hurston 3')
      await tabTo('at.getAttribute("aria-label") === "Without: Ada Byron"')
      await keyboard.press('Enter')
      t.equal(await page.evaluate('document.activeElement.name'), 'memberIds', 'the focus is not lost with the chip')
      await tabTo('at.textContent === "Save"')
      await keyboard.press('Enter')
      await told(page, 'Saved.')
      t.match(await api('root', 'GET', '/Projects/1'), { subjectType: 'Tag', subjectId: 1, memberIds: [2, 3] })
      await tabTo('at.name === "Add to tags"')
      await choose('lat', 'later 2')
      await tabTo('at.textContent === "Add"')
      await keyboard.press('Enter')
      await page.getByText('later was added to Old project.').waitFor()
      await tabTo('at.getAttribute("aria-label") === "Take away never"')
      await keyboard.press('Enter')
      await page.getByText('never was taken away from Old project.').waitFor()
      t.match(await api('root', 'GET', '/Projects/1/tags'), [{ name: 'later' }])
    })

    await t.test('what was deleted comes back, and a row is written as it was', async t => {
      const { id } = await api('root', 'POST', '/Drafts', { title: 'first' })
      await api('root', 'PATCH', `/Drafts/${id}`, { title: 'second' })
      const page = await openAs(t, 'root', `#/Draft/row/${id}`)
      await page.getByText('History', { exact: true }).click()
      await page.getByText('update: title "first" → "second"').waitFor()
      t.equal(await page.getByRole('button', { name: 'Revert to' }).count(), 2)
      await page.getByRole('button', { name: 'Revert to 1' }).click()
      await page.getByText('The row is as it was after version 1.').waitFor()
      t.equal(await field(page, 'title').inputValue(), 'first')
      t.match(await api('root', 'GET', `/Drafts/${id}`), { title: 'first' })
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      const undo = page.locator('.toast', { hasText: 'first was deleted.' }).getByRole('button', { name: 'Undo' })
      await undo.click()
      await told(page, 'The row is there again.')
      await page.goto(`${origin}/admin/#/data/Draft/row/${id}`)
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await told(page, 'first was deleted.')
      await page.getByRole('link', { name: 'Deleted rows' }).click()
      await page.getByRole('button', { name: 'Restore first' }).click()
      await page.getByText('first was restored.').waitFor()
      await page.getByText('There are no deleted rows.').waitFor()
      t.match(await api('root', 'GET', `/Drafts/${id}`), { title: 'first' })
      await page.goto(`${origin}/admin/#/Note`)
      await page.getByText('Live', { exact: true }).waitFor()
      t.equal(await page.getByRole('link', { name: 'Deleted rows' }).count(), 0, 'nothing of it where rows are gone')
    })

    await t.test('on a phone and on a desk, light and dark, for those who cannot see it', async t => {
      const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
      const check = async (page: Page, what: string): Promise<void> => {
        t.ok(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), `${what}: nothing stands out`)
        t.ok(await page.evaluate(
          "window.innerWidth > 800 || [...document.querySelectorAll('input, select')].every(field => parseFloat(getComputedStyle(field).fontSize) >= 16)"
        ), 'fields that phones do not zoom in on')
        await page.evaluate(axe)
        const { violations } = await page.evaluate('axe.run()') as {
          violations: Array<{ id: string, nodes: Array<{ html: string }> }>
        }
        t.same(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`), [], what)
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [390, 1280]) {
          // The four of them with FASTBACK_TEST_FULL.
          if (process.env.FASTBACK_TEST_FULL === undefined && (width === 390) !== (colorScheme === 'light')) continue
          const page = await open(t, '', { viewport: { width, height: 800 }, colorScheme })
          const name = `${colorScheme} ${width}`
          await page.getByLabel('Password').waitFor()
          await check(page, `login, ${name}`)
          await logIn(page, 'root')
          await page.locator('.cards').waitFor()
          await check(page, `models, ${name}`)
          await page.goto(`${origin}/admin/#/Note?where=[{"stars":{"gt":2}}]`)
          await page.getByText('Live', { exact: true }).waitFor()
          await page.getByRole('button', { name: 'Columns' }).click()
          await check(page, `columns, ${name}`)
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'Filter' }).click()
          await page.getByRole('button', { name: 'Add a condition' }).click()
          const [{ id, title }] = await api('root', 'GET', '/Notes?filter={"where":{"stars":{"gt":2}},"limit":1}')
          await api('root', 'PATCH', `/Notes/${id}`, { title: `${title} changed` })
          await page.locator('tr.changed').waitFor()
          await api('root', 'PATCH', `/Notes/${id}`, { title })
          await check(page, `list, ${name}`)
          await page.goto(`${origin}/admin/#/Note/new`)
          await field(page, 'authorId').fill('a')
          await page.getByRole('option', { name: 'Ada' }).waitFor()
          await page.keyboard.press('ArrowDown')
          await check(page, `form with a list, ${name}`)
          await page.keyboard.press('Escape')
          await field(page, 'stars').fill('x')
          await page.getByRole('button', { name: 'Create' }).click()
          await page.getByText('must be a number').waitFor()
          await check(page, `form with an error, ${name}`)
          await page.goto(`${origin}/admin/#/Project/row/1`)
          await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
          await page.getByRole('list', { name: 'tags' }).waitFor()
          await page.getByRole('list', { name: 'Rows in memberIds' }).waitFor()
          await check(page, `keys of several kinds, ${name}`)
          const { id: draft } = await api('root', 'POST', '/Drafts', { title: 'one' })
          await page.goto(`${origin}/admin/#/Draft/row/${draft}`)
          await page.getByText('History', { exact: true }).click()
          await page.getByRole('button', { name: 'Revert to 1' }).waitFor()
          await check(page, `history, ${name}`)
          await api('root', 'DELETE', `/Drafts/${draft}`)
          await page.goto(`${origin}/admin/#/Draft/deleted`)
          await page.getByRole('button', { name: 'Restore' }).first().waitFor()
          await check(page, `deleted rows, ${name}`)
          await page.goto(`${origin}/admin/#/User/row/1`)
          await field(page, 'editor').waitFor()
          await page.getByRole('button', { name: 'Delete', exact: true }).click()
          await page.getByRole('dialog').waitFor()
          await check(page, `user with a question, ${name}`)
        }
      }
    })

    t.same(elsewhere, [], 'nothing is asked of any other address')
    t.same(complaints, [], 'no errors, nothing that the content security policy stops')
  }
)
