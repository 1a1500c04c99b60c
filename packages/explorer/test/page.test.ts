// FASTBACK_TEST_FULL: a browser, page by page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { accessReviewIn } from '@fastback/core/remote'
import type { BrowserContext, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { ApiPage, textOf } from './helpers/api-page.js'
import { application } from './helpers/application.js'
import { browserPath, launch } from './helpers/browser.js'

const path = browserPath()

t.test(
  'the page in a browser',
  { skip: path === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
  async t => {
    const { app } = await application({
      explorer: {
        info: { title: 'Notes', version: '1.2.3', description: 'Who wrote what' },
        hiddenHeaders: ['Connection']
      }
    })
    // Before the description is made, which is kept.
    accessReviewIn(app.registry).rowsOf = ({ name, modelName }) =>
      modelName === 'Author' && name === 'create' ? 'own rows' : undefined
    await app.listen({ port: 0, host: '127.0.0.1' })
    const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const browser = await launch(path as string)
    t.teardown(async () => {
      await browser.close()
      await app.close()
    })
    const complaints: string[] = []
    const outside: string[] = []

    async function open (
      t: Test,
      options: Parameters<typeof browser.newContext>[0] = {},
      address = '/explorer'
    ): Promise<ApiPage> {
      const context: BrowserContext = await browser.newContext({ reducedMotion: 'reduce', ...options })
      t.teardown(() => context.close())
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      page.on('request', request => {
        if (!request.url().startsWith(origin) && !request.url().startsWith('blob:')) outside.push(request.url())
      })
      // A refused request is an error of the console, too; those are what some tests are about.
      page.on('console', message => {
        if (message.type() === 'error' && !message.text().includes('Failed to load resource')) {
          complaints.push(`${message.text()} ${JSON.stringify(message.location())}`)
        }
      })
      page.on('pageerror', error => {
        complaints.push(error.message)
      })
      await page.goto(origin + address)
      await page.locator('main h2').waitFor()
      return new ApiPage(page)
    }

    const token = async (): Promise<string> =>
      (
        await app.inject({
          method: 'POST',
          url: '/api/Accounts/login',
          payload: { email: 'ann@example.com', password: 'ann-secret' }
        })
      ).json().id

    await t.test('a token in the accessToken field opens a guarded model, logging out closes it', async t => {
      const api = await open(t)
      const { page } = api
      t.equal(page.url(), `${origin}/explorer/`)
      t.equal(await page.title(), 'Notes – API explorer')
      t.equal(await page.locator('#token-state').textContent(), 'Token Not Set')
      await page.getByRole('link', { name: /^Note \d+$/ }).click()
      await page.getByRole('link', { name: /^find GET$/ }).click()
      t.match(await api.run(), '401')
      t.match(await api.body(), 'AUTHORIZATION_REQUIRED')
      t.match(await api.response.textContent(), 'set an access token')

      const value = await token()
      await api.setToken(value)
      t.match(await api.run(), /^200 OK\d+ ms, \d+ bytes$/)
      t.match(await api.json(), [{ title: 'Milk <b>& eggs</b>', authorId: 1 }])
      t.equal(await api.response.locator('b').count(), 0, 'a response is text')
      t.notMatch(page.url(), value, 'the token is not in the address')
      t.equal(
        await page.getByRole('region', { name: 'Code', exact: true }).textContent(),
        `curl -X GET '${origin}/api/Notes' \\\n  -H 'Accept: application/json' \\\n  -H "X-Access-Token: $ACCESS_TOKEN"`
      )

      await page.reload()
      await page.getByText('Token Set', { exact: true }).waitFor()
      t.ok(await page.getByRole('button', { name: 'Run' }).isVisible(), 'the address leads back to the operation')
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByText('Token Not Set', { exact: true }).waitFor()
      t.match(await api.run(), '401')
      t.equal(
        (await app.inject({ url: '/api/Notes', headers: { 'x-access-token': value } })).statusCode,
        401,
        'the server ended the token'
      )
    })

    await t.test('a login gives the token, a logout takes it', async t => {
      const api = await open(t, {}, '/explorer/#Account.login')
      const { page } = api
      t.match(JSON.parse(await api.written()), { email: 'jane@example.com', password: String }, 'there is an example')
      await api.write('{"email":"ann@example.com","password":"ann-secret"}')
      t.match(await api.run(), '200')
      await page.getByRole('button', { name: 'Use this token' }).click()
      await page.getByText('Token Set', { exact: true }).waitFor()
      t.match(await page.getByLabel('accessToken').inputValue(), /^token-\d+$/)
      await api.open('Account.logout')
      t.match(await api.run(), '204')
      await page.getByText('Token Not Set', { exact: true }).waitFor()
      await page.getByLabel('accessToken').fill('no token')
      await page.getByLabel('accessToken').press('Enter')
      t.match(await page.locator('#token-state').textContent(), 'This is no token')
      await api.setToken('unknown')
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByText('the server did not end it').waitFor()
    })

    await t.test('the log-in window keeps the token of the session, and logging out ends it', async t => {
      const api = await open(t)
      const { page } = api
      await api.logIn('ann@example.com', 'wrong')
      const dialog = page.getByRole('dialog', { name: 'Log in' })
      await dialog.getByRole('alert').getByText('The login failed: user name or password are wrong').waitFor()
      t.equal(await dialog.getByLabel('As', { exact: true }).count(), 0, 'one user model is no choice')
      t.equal(await dialog.getByLabel('Password').inputValue(), '')
      await dialog.getByLabel('Password').fill('ann-secret')
      const sent = page.waitForRequest(request => request.url().endsWith('/api/Accounts/login'))
      await dialog.getByLabel('Password').press('Enter')
      await page.getByText('Token Set', { exact: true }).waitFor()
      t.strictSame((await sent).postDataJSON(), { email: 'ann@example.com', password: 'ann-secret' })
      t.equal(await dialog.count(), 0)
      await api.open('Note.find')
      t.match(await api.run(), '200')
      await page.reload()
      await page.getByText('Token Set', { exact: true }).waitFor()
      const ended = page.waitForRequest(request => request.url().endsWith('/api/Accounts/logout'))
      await page.getByRole('button', { name: 'Log out' }).click()
      await ended
      await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
      t.match(await api.run(), '401')
    })

    await t.test('several user models are a choice, and an API without logins takes tokens alone', async t => {
      const openWith = async (change: (paths: Record<string, any>) => void): Promise<Page> => {
        const description = (await app.inject('/explorer/openapi.json?version=3.1')).json()
        change(description.paths)
        const page = await browser.newPage()
        t.teardown(() => page.close())
        await page.route('**/openapi.json?*', route => route.fulfill({ json: description }))
        await page.goto(`${origin}/explorer/`)
        await page.getByRole('button', { name: 'Log in', exact: true }).click()
        return page
      }
      const two = await openWith(paths => {
        const { post } = paths['/Accounts/login']
        paths['/Authors/login'] = { post: { ...post, operationId: 'Author.login', tags: ['Author'] } }
      })
      t.strictSame(await two.getByLabel('As', { exact: true }).locator('option').allTextContents(), ['Account', 'Author'])
      await two.getByLabel('As', { exact: true }).selectOption('Author')
      await two.getByLabel('E-mail or user name').fill('ann')
      await two.getByLabel('Password').fill('ann-secret')
      const sent = two.waitForRequest(request => request.url().endsWith('/api/Authors/login'))
      await two.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
      t.strictSame((await sent).postDataJSON(), { username: 'ann', password: 'ann-secret' })
      await two.getByRole('alert').getByText('The login failed').waitFor()
      const none = await openWith(paths => { delete paths['/Accounts/login'] })
      t.equal(await none.getByLabel('Password').count(), 0)
      await none.getByText('Use a token').click()
      await none.getByLabel('Access token').fill('abc')
      await none.getByRole('button', { name: 'Use it' }).click()
      await none.getByText('Token Set', { exact: true }).waitFor()
    })

    await t.test('parameters and bodies', async t => {
      const api = await open(t, {}, '/explorer/#Author.create')
      const { page, form } = api
      t.ok(await page.getByRole('group', { name: 'Fields' }).getByLabel('email').isVisible(), 'what may be left out is offered')
      t.strictSame(JSON.parse(await api.written()), { name: 'name' }, 'and not filled in')
      const [sent] = await Promise.all([page.waitForRequest(request => request.method() === 'POST'), api.run()])
      t.strictSame(sent.postDataJSON(), { name: 'name' }, 'and not sent')
      t.match(await api.status.textContent(), '200')
      const { id } = await api.json()
      await api.open('Author.prototype.patchAttributes')
      t.strictSame(JSON.parse(await api.written()), {}, 'a change begins with none')
      await api.open('Author.create')
      await api.write('{"email":"none"}')
      t.match(await api.run(), '422')
      t.match(await api.json(), { error: { details: [{ code: 'required' }, { path: '.email', code: 'format' }] } })

      await api.open('Author.findById')
      await page.getByRole('button', { name: 'Run' }).click()
      t.equal(await api.status.count(), 0, 'the path needs an id')
      await form.getByLabel('id').fill(String(id))
      await api.editor('filter').fill('{"fields":["name"]}')
      t.match(await api.run(), '200')
      t.same(await api.json(), { name: 'name' })

      await api.setToken(await token())
      await api.open('Note.search')
      await form.getByLabel('words').fill('milk\neggs')
      await form.getByLabel('since').fill('2025-01-31T12:00:00Z')
      await form.getByLabel('done').selectOption('true')
      await form.getByLabel('client').fill('page')
      const [request] = await Promise.all([page.waitForRequest(/search/), api.run()])
      t.equal(new URL(request.url()).search, '?words=milk&words=eggs&since=2025-01-31T12%3A00%3A00Z&done=true')
      t.match(request.headers(), { client: 'page' })
      await page.locator('summary', { hasText: 'Headers' }).click()
      const headers = await page.getByRole('region', { name: 'Response headers' }).textContent()
      t.match(headers, 'x-total: 0')
      t.notMatch(headers, 'connection:', 'hidden by an option')
      await page.getByText('Responses', { exact: true }).click()
      t.match(await page.locator('.responses table').textContent(), 'Access needs an access token')

      await api.open('Note.download')
      await form.getByLabel('year').fill('2025')
      await api.run()
      await page.getByText('3 bytes of application/octet-stream').waitFor()
    })

    await t.test('files are chosen, sent, seen and saved', async t => {
      const api = await open(t, {}, '/explorer/#Author.attach')
      const { page, form } = api
      const photo = form.getByLabel('photo')
      t.strictSame(
        [await photo.getAttribute('accept'), await photo.evaluate((element: any) => element.multiple)],
        ['image/*', false]
      )
      t.equal(await form.locator('.hint').first().textContent(), 'A face Types: image/*. At most 1,048,576 bytes.')
      t.match(await api.run(), '400', 'the form is empty')
      const face = Buffer.alloc(900_000, 'f')
      await photo.setInputFiles({ name: 'me "1".png', mimeType: 'image/png', buffer: face })
      await form.getByLabel('title').fill("it's me")
      await form.getByLabel('kinds').fill('a\nb')
      await form.getByLabel('more').setInputFiles([
        { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('1') },
        { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('22') }
      ])
      t.match(await api.run(), /^200 OK/)
      t.strictSame(await api.json(), {
        title: "it's me",
        kinds: ['a', 'b'],
        photo: ['me "1".png', 'image/png', 900_000],
        more: [['one.txt', 1], ['two.txt', 2]]
      })
      t.equal(await page.getByRole('progressbar').count(), 0, 'the bar went')
      t.match(
        await page.getByRole('region', { name: 'Code', exact: true }).textContent(),
        "--form-string 'title=it'\\''s me' \\\n  --form-string 'kinds=a' \\\n  --form-string 'kinds=b' \\\n  -F 'photo=@\"me \\\"1\\\".png\";type=image/png'"
      )
      await page.route('**/Authors/attach', async () => {})
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByRole('progressbar', { name: 'Sent' }).waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByText('Stopped').waitFor()

      await api.open('Author.picture')
      t.match(await api.run(), '200')
      await page.getByRole('img', { name: 'Picture: face.png' }).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'), page.getByRole('link', { name: 'Save' }).click()
      ])
      t.equal(download.suggestedFilename(), 'face.png')
    })

    await t.test('a stream grows until it is stopped', async t => {
      const api = await open(t, {}, '/explorer/#Author.createChangeStream.get')
      const { page } = api
      t.match(await api.run(), '200')
      await app.inject({ method: 'POST', url: '/api/Authors', payload: { name: 'Newcomer' } })
      await page.getByText('Newcomer').first().waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByText('Stopped').waitFor()
      t.ok(await page.getByRole('button', { name: 'Run' }).isEnabled())
    })

    await t.test('with the keyboard alone', async t => {
      const api = await open(t)
      const { page } = api
      const reach = async (name: string): Promise<void> => {
        for (let tabs = 0; tabs < 60; tabs++) {
          await page.keyboard.press('Tab')
          const at = await page.evaluate('document.activeElement.id || document.activeElement.getAttribute("aria-label") || document.activeElement.textContent.trim()')
          if (at === name) return
        }
        t.fail(`${name} is not reached`)
      }
      await page.keyboard.press('Tab')
      t.equal(await page.evaluate('document.activeElement.textContent'), 'To the content')
      await page.keyboard.press('Enter')
      await reach('input_accessToken')
      await page.keyboard.type(await token())
      await page.keyboard.press('Enter')
      await page.getByText('Token Set', { exact: true }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find anything' }).waitFor()
      await page.keyboard.type('note.find get')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Run' }).waitFor()
      await reach('Run')
      t.match(
        await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'),
        'solid',
        'one sees where one is'
      )
      await page.keyboard.press('Enter')
      t.match(await api.came(), '200')
      await page.locator('main').focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor({ state: 'detached' })
    })

    await t.test('schemas are read: of bodies, of responses, of what they lead to', async t => {
      accessReviewIn(app.registry).callersOf = async () => 'owner, admin'
      const api = await open(t, {}, '/explorer/#Author.create')
      const { page, form } = api
      await page.getByText('May be called by: owner, admin').waitFor()
      await page.getByText('Rules leave: own rows').waitFor()
      await api.tab('Schema')
      const lines = form.locator('.properties > li')
      t.match(await lines.allTextContents(), [/^name \* string/])
      t.match((await lines.allTextContents()).join('|'), /zip string.*like \^\\d\{5\}\$/)
      const home = lines.filter({ hasText: 'home' })
      await home.locator('summary').click()
      await home.locator('.properties').waitFor()
      t.match(await home.locator('.properties').textContent(), /street \* string/)
      await page.getByText('Responses', { exact: true }).click()
      t.match(
        await page.locator('.responses th').allTextContents(),
        ['200', '400', '401', '406', '409', '413', '415', '422', '431', 'default']
      )
      const refused = page.locator('.responses tr').filter({ hasText: '422' })
      await refused.locator('summary').click()
      await refused.locator('.properties summary').first().click()
      await refused.locator('.properties .properties').first().waitFor()
      t.match(await refused.locator('.properties').first().textContent(), /error \* object.*statusCode \* integer/)
      const done = page.locator('.responses tr').first()
      await done.locator('summary').first().click()
      await done.getByRole('link', { name: 'AuthorRow', exact: true }).click()
      await page.getByRole('heading', { name: 'AuthorRow' }).waitFor()
      t.match(page.url(), /~schemas\/AuthorRow$/, 'the link leads to the schema')
      await api.tab('JSON')
      t.match(JSON.parse(await page.getByRole('region', { name: 'AuthorRow' }).textContent() ?? ''), { type: 'object' })
    })

    await t.test('fields of a body and its JSON say the same', async t => {
      const api = await open(t, {}, '/explorer/#Author.create')
      const { page } = api
      const fields = page.getByRole('group', { name: 'Fields' })
      const json = async (): Promise<any> => {
        const value = JSON.parse(await api.written())
        await api.tab('Fields')
        return value
      }
      await fields.getByLabel('name').fill('Ann')
      await fields.getByLabel('email').fill('ann@example.com')
      t.strictSame(await json(), { name: 'Ann', email: 'ann@example.com' })
      await fields.getByLabel('email').fill('')
      t.notOk('email' in await json(), 'an empty field is not sent')
      t.match(await fields.locator('.hint').last().textContent(), 'As JSON: home, others, place, size')
      await api.write('{ "name": "Ben", "email": "ben@example.com", "more": [1] }')
      await api.tab('Fields')
      t.strictSame(
        [await fields.getByLabel('name').inputValue(), await fields.getByLabel('email').inputValue()],
        ['Ben', 'ben@example.com']
      )
      await api.write('{ "name": ')
      await api.tab('Fields')
      await page.getByText('The JSON is not an object as it stands').waitFor()
      t.equal(await api.written(), '{ "name": ', 'half a JSON is left alone')
      await api.write('{ "name": "Ben", "more": [1] }')
      await api.tab('Fields')
      await fields.getByLabel('name').fill('Dan')
      t.strictSame(await json(), { name: 'Dan', more: [1] }, 'what has no field stays')

      await api.open('Note.create')
      await api.write('{}')
      await api.tab('Fields')
      await fields.getByLabel('rating').pressSequentially('4.5')
      await fields.getByLabel('done').selectOption('true')
      await fields.getByLabel('kind').selectOption('work')
      await fields.getByLabel('written').fill('2026-01-31T12:00:00')
      t.strictSame(await json(), {
        rating: 4.5, done: true, kind: 'work', written: new Date('2026-01-31T12:00:00').toISOString()
      })
    })

    await t.test('the schema completes the JSON', async t => {
      const api = await open(t, {}, '/explorer/#Author.create')
      await api.write('{ }')
      const editor = api.editor('body')
      await editor.press('Control+End')
      await editor.press('ArrowLeft')
      await editor.press('ArrowLeft')
      await editor.pressSequentially('\n"em')
      await api.page.getByRole('option', { name: '"email"' }).waitFor()
      // Proposals are not taken in their first moment, when somebody may be typing on.
      await api.page.waitForTimeout(150)
      await editor.press('Enter')
      t.match(await textOf(editor), /"email": /)
    })

    await t.test('a filter is built, sent and read without typing JSON', async t => {
      for (const name of ['Zoe', 'Abe', 'Kim']) {
        await app.inject({ method: 'POST', url: '/api/Authors', payload: { name, zip: '00000' } })
      }
      const api = await open(t, {}, '/explorer/#Author.find')
      const { page } = api
      const written = async (): Promise<any> => {
        // The editor shows what was chosen a moment later.
        await page.waitForTimeout(60)
        return JSON.parse(await textOf(api.editor('filter')))
      }
      await page.getByRole('button', { name: 'Build' }).click()
      const builder = page.getByRole('group', { name: 'Filter builder' })
      await builder.getByRole('button', { name: 'Add a condition', exact: true }).click()
      await builder.getByLabel('Property').selectOption('notes (some).title')
      await builder.getByLabel('Operator').selectOption('like')
      await builder.getByLabel('Value').fill('milk%')
      t.strictSame(
        (await written()).where, { notes: { some: { title: { like: 'milk%' } } } }, 'a condition on related rows'
      )
      await builder.getByLabel('Property').selectOption('zip')
      await builder.getByLabel('Operator').selectOption('inq')
      await builder.getByLabel('Value').fill('00000, 11111')
      await builder.getByLabel('Order by').selectOption('name')
      await builder.getByLabel('limit').first().fill('2')
      await builder.getByLabel('notes').check()
      await builder.getByRole('button', { name: 'Add a condition on notes' }).click()
      await builder.locator('.scope').getByLabel('Property').selectOption('done')
      await builder.locator('.scope').getByLabel('Value').selectOption('true')
      const filter = {
        where: { zip: { inq: ['00000', '11111'] } },
        order: 'name ASC',
        limit: 2,
        include: { relation: 'notes', scope: { where: { done: true } } }
      }
      t.strictSame(await written(), filter)

      const code = async (name: string): Promise<string> => {
        await page.getByLabel('Code for').selectOption(name)
        return await page.getByRole('region', { name: 'Code', exact: true }).textContent() ?? ''
      }
      t.strictSame(JSON.parse(await code('JSON')), filter)
      t.strictSame(JSON.parse(new URLSearchParams(await code('query string')).get('filter') ?? ''), filter)
      t.match(await code('curl'), /^curl -X GET 'http.*filter=/)
      t.match(await code('fetch'), /^const response = await fetch\('http/)
      t.match(await code('typed client'), /await api\.Author\.find\(\{\n {2}filter: \{/)
      t.match(await code('Python'), /^import requests\n\nresponse = requests\.request\("GET", "http.*filter=/)
      t.match(await code('LoopBack'), /await Author\.find\(\{\n {2}where: \{ zip: \{ inq: \[ '00000', '11111' \] \} \}/)
      const panel = page.getByRole('region', { name: 'Request as code' })
      await panel.getByRole('button', { name: 'Copy' }).click()
      await panel.getByRole('button', { name: /Copied|Not allowed here/ }).waitFor()

      t.match(await api.run(), '200')
      const names = async (): Promise<string[]> => (await api.json()).map(({ name }: { name: string }) => name)
      t.strictSame(await names(), ['Abe', 'Kim'])
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('Rows 3 to 3').waitFor()
      t.strictSame(await names(), ['Zoe'])
      await page.getByRole('button', { name: 'Previous' }).click()
      await page.getByText('Rows 1 to 2').waitFor()
      await page.getByRole('button', { name: 'As table' }).click()
      t.match(await page.locator('table.rows tbody tr').allTextContents(), [/Abe/, /Kim/])
      await page.getByRole('button', { name: 'Edit row 2' }).click()
      await page.getByRole('heading', { name: 'prototype.patchAttributes' }).waitFor()
      t.match(JSON.parse(await api.written()), { name: 'Kim' }, 'the fields are filled in')
      await api.write('{"name":"Kay"}')
      t.match(await api.run(), '200')
      t.match(await api.json(), { name: 'Kay', zip: '00000' })
      await page.getByRole('link', { name: 'History' }).click()
      await page.getByRole('heading', { name: 'History' }).waitFor()
      t.match(await page.locator('.history-list li').allTextContents(), [/^PATCH \/Authors\/\d+200/, /^GET \/Authors\?/])
      await page.getByRole('link', { name: /^GET \/Authors\?/ }).first().click()
      await page.getByRole('heading', { name: 'find', exact: true }).waitFor()
      t.strictSame((await written()).limit, 2, 'the fields are as they were')
    })

    await t.test('search, themes, and a login that fails', async t => {
      const api = await open(t)
      const { page } = api
      const list = page.getByRole('navigation', { name: 'Operations' })
      await page.keyboard.press('/')
      await page.keyboard.type('zebra')
      await list.getByRole('status').getByText('Nothing is called "zebra"').waitFor()
      await page.keyboard.press('Escape')
      t.equal(await page.getByLabel('Search operations').inputValue(), '')
      t.match(
        await list.locator('> ul > li > a').allTextContents(),
        [/^Account/, /^Author/, /^Measure/, /^NewNote/, /^Note/, 'Schemas', 'OAuth 2.0', 'History']
      )
      const colour = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
      const light = await colour()
      await page.getByRole('button', { name: /^Theme/ }).click()
      await page.getByRole('menuitemradio', { name: 'Dark' }).click()
      t.not(await colour(), light)
      const dark = await colour()
      await page.reload()
      await page.locator('main h2').waitFor()
      t.equal(await colour(), dark, 'it is kept')

      await api.open('Account.login')
      await api.write('{"email":"ann@example.com","password":"wrong"}')
      t.match(await api.run(), /^4/)
      t.match(await api.response.locator('.notice').textContent(), /^The login failed: ./)
    })

    await t.test('what is loaded before the first operation is opened', async t => {
      const context = await browser.newContext()
      t.teardown(() => context.close())
      const page = await context.newPage()
      const sizes: Array<Promise<number>> = []
      page.on('requestfinished', request => {
        if (!/\.(?:js|css|svg|html)$|\/$/.test(request.url())) return
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
      })
      await page.goto(`${origin}/explorer/`)
      await page.locator('main h2').waitFor()
      const sum = (await Promise.all(sizes)).reduce((all, size) => all + size, 0)
      t.ok(sizes.length > 4 && sum < 75_000, `${sizes.length} files of ${sum} bytes, compressed`)
      t.ok(await page.evaluate('document.querySelectorAll("*").length < 260'), 'operations are made when they are looked at')
    })

    await t.test('on a phone, in the dark, for those who cannot see it', async t => {
      const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
      const all = [
        { viewport: { width: 390, height: 740 }, hasTouch: true, colorScheme: 'dark' as const },
        {},
        { viewport: { width: 360, height: 740 }, hasTouch: true },
        { colorScheme: 'dark' as const }
      ]
      for (const options of process.env.FASTBACK_TEST_FULL === undefined ? all.slice(0, 2) : all) {
        const api = await open(t, options, '/explorer/')
        const { page } = api
        const look = async (step: string): Promise<void> => {
          t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${step}: nothing stands out to the side`)
          t.ok(await page.evaluate(
            "matchMedia('(min-width: 50.01rem)').matches || [...document.querySelectorAll('input, select')].every(field => parseFloat(getComputedStyle(field).fontSize) >= 16)"
          ), `${step}: fields that phones do not zoom in on`)
          await page.evaluate(axe)
          const { violations } = (await page.evaluate('axe.run()')) as {
            violations: Array<{ id: string; nodes: Array<{ html: string }> }>
          }
          t.same(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`), [], step)
        }
        await look('overview')
        await api.open('Author.create')
        await api.run()
        await look('create')
        await api.open('Author.picture')
        await api.run()
        await page.getByRole('img', { name: 'Picture: face.png' }).waitFor()
        await look('picture')
        await api.open('Author.find')
        await page.getByRole('button', { name: 'Build' }).click()
        await page.getByRole('button', { name: 'Add a condition', exact: true }).click()
        await page.getByLabel('notes').check()
        await page.getByText('Responses', { exact: true }).click()
        await page.locator('.responses summary').nth(1).click()
        await api.run()
        await page.getByRole('button', { name: 'As table' }).click()
        await look('list')
        await page.evaluate("location.hash = '#/api/~schemas/NewNoteInAuthor'")
        await page.getByRole('heading', { name: 'NewNoteInAuthor' }).waitFor()
        await look('schema')
        await page.evaluate("location.hash = '#/api/~history'")
        await page.getByRole('heading', { name: 'History' }).waitFor()
        await look('history')
        await page.evaluate("location.hash = '#/api/Author'")
        await page.getByRole('heading', { name: 'Author', exact: true }).waitFor()
        if (options.viewport !== undefined) await page.getByRole('button', { name: 'Open the menu' }).click()
        await look('model')
        await page.getByRole('button', { name: 'Log in', exact: true }).click()
        await page.getByText('Use a token').click()
        await look('login')
      }
    })

    await t.test('when there is no description', async t => {
      const context = await browser.newContext()
      t.teardown(() => context.close())
      const page = await context.newPage()
      await page.route('**/openapi.json*', route => route.fulfill({ status: 503, body: '' }))
      await page.goto(`${origin}/explorer/`)
      t.match(await page.getByRole('alert').textContent(), 'The description could not be read: 503')
    })

    t.same(outside, [], 'nothing is requested of any other address')
    t.same(complaints, [], 'no errors, nothing that the content security policy stops')
  }
)
