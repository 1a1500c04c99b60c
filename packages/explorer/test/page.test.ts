import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { accessReviewIn } from '@fastback/core/remote'
import type { BrowserContext, Page } from 'playwright-core'
import t, { type Test } from 'tap'
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
    const elsewhere: string[] = []

    async function open (
      t: Test,
      options: Parameters<typeof browser.newContext>[0] = {},
      address = '/explorer'
    ): Promise<Page> {
      const context: BrowserContext = await browser.newContext(options)
      t.teardown(() => context.close())
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      page.on('request', request => {
        if (!request.url().startsWith(origin) && !request.url().startsWith('blob:')) elsewhere.push(request.url())
      })
      // A refused request is an error of the console, too; those are what some tests are about.
      page.on('console', message => {
        if (message.type() === 'error' && !message.text().includes('Failed to load resource')) {
          complaints.push(message.text())
        }
      })
      page.on('pageerror', error => {
        complaints.push(error.message)
      })
      await page.goto(origin + address)
      await page.getByRole('heading', { name: 'Note', exact: true }).waitFor()
      return page
    }

    const operation = (page: Page, id: string) => page.locator(`[id="${id}"]`)
    const openOperation = async (page: Page, model: string, id: string) => {
      const place = operation(page, id)
      if (!(await place.isVisible())) await page.getByRole('heading', { name: model, exact: true }).click()
      await place.locator('> summary').click()
      return place
    }
    const run = async (page: Page, id: string): Promise<string> => {
      const place = operation(page, id)
      await place.getByRole('button', { name: 'Run' }).click()
      await place.locator('.status').waitFor()
      return (await place.locator('.status').textContent()) ?? ''
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
      const page = await open(t)
      t.equal(page.url(), `${origin}/explorer/`)
      t.equal(await page.title(), 'Notes – API explorer')
      t.equal(await page.getByRole('status').textContent(), 'Token Not Set')
      const find = await openOperation(page, 'Note', 'Note.find')
      t.match(await run(page, 'Note.find'), '401')
      t.match(await find.locator('.body').textContent(), 'AUTHORIZATION_REQUIRED')
      t.match(await find.locator('.answer').textContent(), 'Set an access token')

      const value = await token()
      await page.getByLabel('accessToken').fill(value)
      await page.getByRole('button', { name: 'Set Access Token' }).click()
      t.equal(await page.getByRole('status').textContent(), 'Token Set')
      t.match(await run(page, 'Note.find'), /^200 OK, \d+ ms, \d+ bytes$/)
      const rows = JSON.parse((await find.locator('.body').textContent()) ?? '')
      t.match(rows, [{ title: 'Milk <b>& eggs</b>', authorId: 1 }])
      t.equal(await find.locator('.body b').count(), 0, 'an answer is text')
      t.notMatch(page.url(), value, 'the token is not in the address')
      await find.getByText('curl', { exact: true }).click()
      t.equal(
        await find.getByLabel('curl').textContent(),
        `curl -X GET '${origin}/api/Notes' \\\n  -H 'Accept: application/json' \\\n  -H "X-Access-Token: $ACCESS_TOKEN"`
      )

      await page.reload()
      await page.getByText('Token Set', { exact: true }).waitFor()
      t.ok(
        await operation(page, 'Note.find').getByRole('button', { name: 'Run' }).isVisible(),
        'the address leads back to the operation'
      )
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByText('Token Not Set', { exact: true }).waitFor()
      t.match(await run(page, 'Note.find'), '401')
      t.equal(
        (await app.inject({ url: '/api/Notes', headers: { 'x-access-token': value } })).statusCode,
        401,
        'the server ended the token'
      )
    })

    await t.test('a login gives the token, a logout takes it', async t => {
      const page = await open(t)
      const login = await openOperation(page, 'Account', 'Account.login')
      t.match(
        JSON.parse(await login.getByLabel('body').inputValue()),
        { email: 'jane@example.com', password: String },
        'there is an example'
      )
      await login.getByLabel('body').fill('{"email":"ann@example.com","password":"ann-secret"}')
      t.match(await run(page, 'Account.login'), '200')
      await login.getByRole('button', { name: 'Use this token' }).click()
      t.equal(await page.getByRole('status').textContent(), 'Token Set')
      t.match(await page.getByLabel('accessToken').inputValue(), /^token-\d+$/)
      await openOperation(page, 'Account', 'Account.logout')
      t.match(await run(page, 'Account.logout'), '204')
      t.equal(await page.getByRole('status').textContent(), 'Token Not Set')
      await page.getByLabel('accessToken').fill('no token')
      await page.getByLabel('accessToken').press('Enter')
      t.match(await page.getByRole('status').textContent(), 'This is no token')
      await page.getByLabel('accessToken').fill('unknown')
      await page.getByLabel('accessToken').press('Enter')
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByText('the server did not end it').waitFor()
    })

    await t.test('the form at the top of the page logs in, keeps the token of the session, and logs out', async t => {
      const page = await open(t)
      const form = page.locator('#sign-in')
      t.ok(await form.isVisible())
      t.equal(await page.locator('#sign-in-as').isVisible(), false, 'one user model is no choice')
      await form.getByLabel('E-mail or user name').fill('ann@example.com')
      await form.getByLabel('Password').fill('wrong')
      await form.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('status').getByText('The login failed: user name or password are wrong').waitFor()
      t.equal(await form.getByLabel('Password').inputValue(), '')
      await form.getByLabel('Password').fill('ann-secret')
      const sent = page.waitForRequest(request => request.url().endsWith('/api/Accounts/login'))
      await form.getByLabel('Password').press('Enter')
      await page.getByText('Token Set', { exact: true }).waitFor()
      t.strictSame((await sent).postDataJSON(), { email: 'ann@example.com', password: 'ann-secret' })
      t.equal(await form.isVisible(), false)
      await openOperation(page, 'Note', 'Note.find')
      t.match(await run(page, 'Note.find'), '200')
      await page.reload()
      await page.getByText('Token Set', { exact: true }).waitFor()
      t.equal(await form.isVisible(), false, 'the session goes on')
      const ended = page.waitForRequest(request => request.url().endsWith('/api/Accounts/logout'))
      await page.getByRole('button', { name: 'Log out' }).click()
      await ended
      await form.waitFor()
      t.match(await run(page, 'Note.find'), '401')
    })

    await t.test('several user models are a choice, and an API without logins has no form', async t => {
      const openWith = async (change: (paths: Record<string, any>) => void): Promise<Page> => {
        const description = (await app.inject('/explorer/openapi.json?version=3.1')).json()
        change(description.paths)
        const page = await browser.newPage()
        t.teardown(() => page.close())
        await page.route('**/openapi.json?*', route => route.fulfill({ json: description }))
        await page.goto(`${origin}/explorer/`)
        await page.getByRole('heading', { name: 'Note', exact: true }).waitFor()
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
      await two.getByRole('button', { name: 'Log in' }).click()
      t.strictSame((await sent).postDataJSON(), { username: 'ann', password: 'ann-secret' })
      await two.getByRole('status').getByText('The login failed').waitFor()
      const none = await openWith(paths => { delete paths['/Accounts/login'] })
      t.equal(await none.locator('#sign-in').isVisible(), false)
    })

    await t.test('parameters and bodies', async t => {
      const page = await open(t, {}, '/explorer/#Author.create')
      const create = operation(page, 'Author.create')
      t.match(
        JSON.parse(await create.getByLabel('body').inputValue()),
        { name: 'name' },
        'the example is there'
      )
      t.strictSame(
        Object.keys(JSON.parse(await create.getByLabel('body').inputValue())), ['name'],
        'what may be left out is not filled in'
      )
      t.ok(await create.getByRole('group', { name: 'Fields' }).getByLabel('email').isVisible(), 'but is offered')
      const [sent] = await Promise.all([
        page.waitForRequest(request => request.method() === 'POST'), run(page, 'Author.create')
      ])
      t.strictSame(sent.postDataJSON(), { name: 'name' }, 'and not sent')
      t.match(await create.locator('.status').textContent(), '200')
      const { id } = JSON.parse((await create.locator('.body').textContent()) ?? '')
      const patch = await openOperation(page, 'Author', 'Author.prototype.patchAttributes')
      t.strictSame(JSON.parse(await patch.getByLabel('body').inputValue()), {}, 'a change begins with none')
      await create.getByLabel('body').fill('{"email":"none"}')
      t.match(await run(page, 'Author.create'), '422')
      t.match(JSON.parse((await create.locator('.body').textContent()) ?? ''), {
        error: { details: [{ code: 'required' }, { path: '.email', code: 'format' }] }
      })

      const byId = await openOperation(page, 'Author', 'Author.findById')
      await byId.getByRole('button', { name: 'Run' }).click()
      t.equal(await byId.locator('.status').count(), 0, 'the path needs an id')
      await byId.getByLabel('id').fill(String(id))
      await byId.getByLabel('filter').fill('{"fields":["name"]}')
      t.match(await run(page, 'Author.findById'), '200')
      t.same(JSON.parse((await byId.locator('.body').textContent()) ?? ''), { name: 'name' })

      await page.getByLabel('accessToken').fill(await token())
      await page.getByRole('button', { name: 'Set Access Token' }).click()
      const search = await openOperation(page, 'Note', 'Note.search')
      await search.getByLabel('words').fill('milk\neggs')
      await search.getByLabel('since').fill('2025-01-31T12:00:00Z')
      await search.getByLabel('done').selectOption('true')
      await search.getByLabel('client').fill('page')
      const [request] = await Promise.all([page.waitForRequest(/search/), run(page, 'Note.search')])
      t.equal(new URL(request.url()).search, '?words=milk&words=eggs&since=2025-01-31T12%3A00%3A00Z&done=true')
      t.match(request.headers(), { client: 'page' })
      await search.locator('summary', { hasText: 'Headers' }).click()
      t.match(await search.getByLabel('Answer headers').textContent(), 'x-total: 0')
      t.notMatch(await search.getByLabel('Answer headers').textContent(), 'connection:', 'hidden by an option')
      await search.getByText('Answers').click()
      t.match(await search.locator('table').textContent(), 'Access needs an access token')

      const download = await openOperation(page, 'Note', 'Note.download')
      await download.getByLabel('year').fill('2025')
      await download.getByRole('button', { name: 'Run' }).click()
      await download.getByText('3 bytes of application/octet-stream').waitFor()
    })

    await t.test('files are chosen, sent, seen and saved', async t => {
      const page = await open(t, {}, '/explorer/#Author.attach')
      const attach = operation(page, 'Author.attach')
      const photo = attach.getByLabel('photo')
      t.strictSame(
        [await photo.getAttribute('accept'), await photo.evaluate((element: any) => element.multiple)],
        ['image/*', false]
      )
      t.equal(
        await attach.locator('.hint').first().textContent(), 'A face Types: image/*. At most 1,048,576 bytes.'
      )
      t.match(await run(page, 'Author.attach'), '400', 'the form is empty')
      const face = Buffer.alloc(900_000, 'f')
      await photo.setInputFiles({ name: 'me "1".png', mimeType: 'image/png', buffer: face })
      await attach.getByLabel('title').fill("it's me")
      await attach.getByLabel('kinds').fill('a\nb')
      await attach.getByLabel('more').setInputFiles([
        { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('1') },
        { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('22') }
      ])
      await page.evaluate(`(() => {
        globalThis.shares = []
        const { set } = Object.getOwnPropertyDescriptor(HTMLProgressElement.prototype, 'value')
        Object.defineProperty(HTMLProgressElement.prototype, 'value', { set (share) { shares.push(share); set.call(this, share) } })
      })()`)
      t.match(await run(page, 'Author.attach'), /^200 OK/)
      t.strictSame(JSON.parse((await attach.locator('.body').textContent()) ?? ''), {
        title: "it's me",
        kinds: ['a', 'b'],
        photo: ['me "1".png', 'image/png', 900_000],
        more: [['one.txt', 1], ['two.txt', 2]]
      })
      t.equal((await page.evaluate('shares') as number[]).at(-1), 1, 'the bar came to its end')
      t.equal(await attach.locator('progress').count(), 0, 'and went')
      await attach.getByText('curl', { exact: true }).click()
      t.match(
        await attach.getByLabel('curl').textContent(),
        "--form-string 'title=it'\\''s me' \\\n  --form-string 'kinds=a' \\\n  --form-string 'kinds=b' \\\n  -F 'photo=@\"me \\\"1\\\".png\";type=image/png'"
      )
      await page.route('**/Authors/attach', async () => {})
      await attach.getByRole('button', { name: 'Run' }).click()
      await attach.getByRole('progressbar', { name: 'Sent' }).waitFor()
      await attach.getByRole('button', { name: 'Stop' }).click()
      await attach.getByText('Stopped').waitFor()

      const show = await openOperation(page, 'Author', 'Author.picture')
      t.match(await run(page, 'Author.picture'), '200')
      await show.getByRole('img', { name: 'Picture: face.png' }).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'), show.getByRole('link', { name: 'Save' }).click()
      ])
      t.equal(download.suggestedFilename(), 'face.png')
    })

    await t.test('a stream grows until it is stopped', async t => {
      const page = await open(t, {}, '/explorer/#Author.createChangeStream.get')
      const stream = operation(page, 'Author.createChangeStream.get')
      t.match(await run(page, 'Author.createChangeStream.get'), '200')
      await app.inject({ method: 'POST', url: '/api/Authors', payload: { name: 'Newcomer' } })
      await stream.getByText('Newcomer').waitFor()
      await stream.getByRole('button', { name: 'Stop' }).click()
      await stream.getByText('Stopped').waitFor()
      t.ok(await stream.getByRole('button', { name: 'Run' }).isEnabled())
    })

    await t.test('with the keyboard alone', async t => {
      const page = await open(t)
      const reach = async (name: string): Promise<void> => {
        for (let tabs = 0; tabs < 40; tabs++) {
          await page.keyboard.press('Tab')
          if (
            (await page.evaluate('(document.activeElement.id || document.activeElement.textContent.trim())')) === name
          ) { return }
        }
        t.fail(`${name} is not reached`)
      }
      await reach('input_accessToken')
      await page.keyboard.type(await token())
      await page.keyboard.press('Enter')
      t.equal(await page.getByRole('status').textContent(), 'Token Set')
      await reach('search')
      await page.keyboard.type('note.find get')
      for (
        let tabs = 0;
        tabs < 10 && (await page.evaluate("document.activeElement.parentElement.id !== 'Note.find'"));
        tabs++
      ) { await page.keyboard.press('Tab') }
      await page.keyboard.press('Enter')
      await reach('Run')
      t.match(
        await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'),
        'solid',
        'one sees where one is'
      )
      await page.keyboard.press('Enter')
      t.match(await operation(page, 'Note.find').locator('.status').textContent(), '200')
      t.equal(await operation(page, 'Author.find').isVisible(), false, 'the search left it out')
    })

    await t.test('schemas are read: of bodies, of answers, of what they lead to', async t => {
      accessReviewIn(app.registry).callersOf = async () => 'owner, admin'
      const page = await open(t, {}, '/explorer/#Author.create')
      const create = operation(page, 'Author.create')
      await create.getByText('May be called by: owner, admin').waitFor()
      await create.getByText('Rules leave: own rows').waitFor()
      await create.getByText('Schema', { exact: true }).click()
      const lines = create.locator('.parameter .properties > li')
      t.match(await lines.allTextContents(), [/^name \* string/])
      t.match((await lines.allTextContents()).join('|'), /zip string.*like \^\\d\{5\}\$/)
      await lines.filter({ hasText: 'home' }).locator('summary').click()
      await lines.filter({ hasText: 'home' }).locator('.properties').waitFor()
      t.match(await lines.filter({ hasText: 'home' }).locator('.properties').textContent(), /street \* string/)
      await create.getByText('Answers', { exact: true }).click()
      await create.locator('.answers th').first().waitFor()
      t.match(
        await create.locator('.answers th').allTextContents(),
        ['200', '400', '401', '406', '409', '413', '415', '422', '431', 'default']
      )
      const refused = create.locator('.answers tr').filter({ hasText: '422' })
      await refused.locator('summary').click()
      await refused.locator('.properties summary').first().click()
      await refused.locator('.properties .properties').first().waitFor()
      t.match(await refused.locator('.properties').first().textContent(), /error \* object.*statusCode \* integer/)
      const done = create.locator('.answers tr').first()
      await done.locator('summary').first().click()
      await done.getByRole('link', { name: 'AuthorRow', exact: true }).click()
      await operation(page, 'schema.AuthorRow').locator('.properties').waitFor()
      t.match(page.url(), /#schema\.AuthorRow$/, 'the link leads to the schema in the list of all')
    })

    await t.test('fields of a body and its JSON say the same', async t => {
      const page = await open(t, {}, '/explorer/#Author.create')
      const create = operation(page, 'Author.create')
      const fields = create.getByRole('group', { name: 'Fields' })
      const body = create.getByLabel('body')
      const json = async (): Promise<any> => JSON.parse(await body.inputValue())
      await fields.getByLabel('name').fill('Ann')
      await fields.getByLabel('email').fill('ann@example.com')
      t.strictSame(await json(), { name: 'Ann', email: 'ann@example.com' })
      await fields.getByLabel('email').fill('')
      t.notOk('email' in await json(), 'an empty field is not sent')
      t.match(await fields.locator('.hint').last().textContent(), 'As JSON, below: home, others, place, size')
      await body.fill('{ "name": "Ben", "email": "ben@example.com", "more": [1] }')
      t.strictSame(
        [await fields.getByLabel('name').inputValue(), await fields.getByLabel('email').inputValue()],
        ['Ben', 'ben@example.com']
      )
      await body.fill('{ "name": ')
      await fields.getByLabel('name').fill('Cem')
      t.equal(await body.inputValue(), '{ "name": ', 'half a JSON is left alone')
      await body.fill('{ "name": "Ben", "more": [1] }')
      await fields.getByLabel('name').fill('Dan')
      t.strictSame(await json(), { name: 'Dan', more: [1] }, 'what has no field stays')

      const note = await openOperation(page, 'Note', 'Note.create')
      const noteFields = note.getByRole('group', { name: 'Fields' })
      await note.getByLabel('body').fill('{}')
      await noteFields.getByLabel('rating').pressSequentially('4.5')
      await noteFields.getByLabel('done').selectOption('true')
      await noteFields.getByLabel('kind').selectOption('work')
      await noteFields.getByLabel('written').fill('2026-01-31T12:00:00')
      t.strictSame(JSON.parse(await note.getByLabel('body').inputValue()), {
        rating: 4.5, done: true, kind: 'work', written: new Date('2026-01-31T12:00:00').toISOString()
      })
    })

    await t.test('a filter is built, sent and read without typing JSON', async t => {
      for (const name of ['Zoe', 'Abe', 'Kim']) {
        await app.inject({ method: 'POST', url: '/api/Authors', payload: { name, zip: '00000' } })
      }
      const page = await open(t, {}, '/explorer/#Author.find')
      const find = operation(page, 'Author.find')
      const builders: string[] = []
      page.on('request', request => { if (request.url().includes('filter-builder')) builders.push(request.url()) })
      await find.getByText('Build', { exact: true }).click()
      const builder = find.getByRole('group', { name: 'Filter builder' })
      await builder.getByRole('button', { name: 'Add a condition', exact: true }).click()
      t.equal(builders.length, 1, 'it is loaded when it is opened')
      await builder.getByLabel('Property').selectOption('place')
      t.strictSame(
        await builder.getByLabel('Operator').locator('option').allTextContents(),
        ['near', 'maxDistance', 'minDistance', 'unit'], 'operators of the type'
      )
      await builder.getByLabel('Property').selectOption('notes (some).title')
      await builder.getByLabel('Operator').selectOption('like')
      await builder.getByLabel('Value').fill('milk%')
      t.strictSame(
        JSON.parse(await find.getByLabel('filter', { exact: true }).inputValue()).where,
        { notes: { some: { title: { like: 'milk%' } } } }, 'a condition on related rows'
      )
      await builder.getByLabel('Property').selectOption('zip')
      await builder.getByLabel('Operator').selectOption('inq')
      await builder.getByLabel('Value').fill('00000, 11111')
      await builder.getByLabel('Order by').selectOption('name')
      await builder.getByLabel('limit').first().fill('2')
      await builder.getByLabel('notes').check()
      await builder.getByRole('button', { name: 'Add a condition on notes' }).click()
      await builder.locator('.scope').getByLabel('Property').selectOption('done')
      await builder.locator('.scope').getByLabel('Value').fill('true')
      const filter = {
        where: { zip: { inq: ['00000', '11111'] } },
        order: 'name ASC',
        limit: 2,
        include: { relation: 'notes', scope: { where: { done: true } } }
      }
      t.strictSame(JSON.parse(await find.getByLabel('filter', { exact: true }).inputValue()), filter)

      await find.locator('summary', { hasText: 'Code' }).click()
      const code = async (name: string): Promise<string> => {
        await find.getByLabel('Code for').selectOption(name)
        return await find.getByLabel('Code', { exact: true }).textContent() ?? ''
      }
      t.strictSame(JSON.parse(await code('JSON')), filter)
      t.strictSame(JSON.parse(new URLSearchParams(await code('query string')).get('filter') ?? ''), filter)
      t.match(await code('curl'), /^curl -X GET 'http.*filter=/)
      t.match(await code('fetch'), /^const answer = await fetch\('http/)
      t.match(await code('typed client'), /await api\.Author\.find\(\{\n {2}filter: \{/)
      t.match(await code('LoopBack'), /await Author\.find\(\{\n {2}where: \{ zip: \{ inq: \[ '00000', '11111' \] \} \}/)
      await find.locator('.code').getByRole('button', { name: 'Copy' }).click()
      await find.locator('.code').getByRole('button', { name: /Copied|Selected/ }).waitFor()

      t.match(await run(page, 'Author.find'), '200')
      const names = async (): Promise<string[]> =>
        JSON.parse(await find.locator('.body').textContent() ?? '').map(({ name }: { name: string }) => name)
      t.strictSame(await names(), ['Abe', 'Kim'])
      await find.getByRole('button', { name: 'Next' }).click()
      await find.getByText('Rows 3 to 3').waitFor()
      t.strictSame(await names(), ['Zoe'])
      await find.getByRole('button', { name: 'Previous' }).click()
      await find.getByText('Rows 1 to 2').waitFor()
      await find.getByRole('button', { name: 'As table' }).click()
      t.match(await find.getByRole('table').locator('tbody tr').allTextContents(), [/Abe/, /Kim/])
      await find.getByRole('button', { name: 'Edit row 2' }).click()
      const patch = operation(page, 'Author.prototype.patchAttributes')
      const body = patch.getByLabel('body')
      await body.waitFor()
      await page.waitForFunction('document.activeElement.name === "body"')
      t.match(JSON.parse(await body.inputValue()), { name: 'Kim' }, 'the fields are filled in')
      await body.fill('{"name":"Kay"}')
      t.match(await run(page, 'Author.prototype.patchAttributes'), '200')
      t.match(JSON.parse(await patch.locator('.body').textContent() ?? ''), { name: 'Kay', zip: '00000' })
      await page.getByRole('heading', { name: 'History' }).click()
      t.match(await page.locator('#history-list li').allTextContents(), [/^PATCH \/Authors\/\d+ 200/, /^GET \/Authors\?/])
    })

    await t.test('search, themes, what was open, and a login that fails', async t => {
      const page = await open(t)
      await page.keyboard.press('/')
      await page.keyboard.type('zebra')
      await page.getByText('Nothing is called "zebra"').waitFor()
      t.equal(await page.locator('section.model:visible').count(), 0)
      await page.keyboard.press('Escape')
      t.equal(await page.getByLabel('Search operations').inputValue(), '')
      t.ok(await page.locator('section.model:visible').count() > 3)
      t.strictSame(
        await page.locator('section.model h2').allTextContents(), ['Account', 'Author', 'Measure', 'NewNote', 'Note', 'Schemas']
      )
      const colour = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
      const light = await colour()
      await page.getByLabel('Theme').selectOption('dark')
      t.not(await colour(), light)
      const dark = await colour()
      await page.getByRole('heading', { name: 'Measure', exact: true }).click()
      await operation(page, 'Measure.find').waitFor()
      await page.reload()
      await operation(page, 'Measure.find').waitFor()
      t.equal(await colour(), dark, 'both are kept')

      const login = await openOperation(page, 'Account', 'Account.login')
      await login.getByLabel('body').fill('{"email":"ann@example.com","password":"wrong"}')
      t.match(await run(page, 'Account.login'), /^4/)
      t.match(await login.locator('.answer .hint').textContent(), /^The login failed: ./)
    })

    await t.test('what is loaded before the first operation is opened', async t => {
      const context = await browser.newContext()
      t.teardown(() => context.close())
      const page = await context.newPage()
      const scripts: number[] = []
      const sizes: Array<Promise<void>> = []
      page.on('requestfinished', request => {
        if (!request.url().endsWith('.js')) return
        sizes.push(request.sizes().then(({ responseBodySize }) => { scripts.push(responseBodySize) }))
      })
      await page.goto(`${origin}/explorer/`)
      await page.getByRole('heading', { name: 'Note', exact: true }).waitFor()
      await Promise.all(sizes)
      const sum = scripts.reduce((all, size) => all + size, 0)
      t.ok(scripts.length > 10 && sum < 60_000, `${scripts.length} scripts of ${sum} bytes, compressed`)
      t.ok(await page.evaluate('document.querySelectorAll("*").length < 200'), 'operations are made when they are looked at')
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
        const page = await open(t, options, '/explorer/#Author.create')
        await run(page, 'Author.create')
        await openOperation(page, 'Author', 'Author.attach')
        await openOperation(page, 'Author', 'Author.picture')
        await run(page, 'Author.picture')
        await page.getByRole('img', { name: 'Picture: face.png' }).waitFor()
        await page.getByRole('heading', { name: 'Schemas' }).click()
        await page.getByText('NewNoteInAuthor', { exact: true }).click()
        const find = await openOperation(page, 'Author', 'Author.find')
        await find.getByText('Build', { exact: true }).click()
        await find.getByRole('button', { name: 'Add a condition', exact: true }).click()
        await find.getByLabel('notes').check()
        await find.locator('summary', { hasText: 'Code' }).click()
        await find.getByText('Answers', { exact: true }).click()
        await find.locator('.answers summary').nth(1).click()
        await run(page, 'Author.find')
        await find.getByRole('button', { name: 'As table' }).click()
        await page.getByRole('heading', { name: 'History' }).click()
        t.ok(
          await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
          'nothing stands out to the side'
        )
        t.ok(
          await page.evaluate(
            "[...document.querySelectorAll('input, select, textarea')].every(field => parseFloat(getComputedStyle(field).fontSize) >= 16 || field.tagName === 'TEXTAREA')"
          ),
          'fields that phones do not zoom in on'
        )
        await page.evaluate(axe)
        const { violations } = (await page.evaluate('axe.run()')) as {
          violations: Array<{ id: string; nodes: Array<{ html: string }> }>
        }
        t.same(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
          []
        )
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

    t.same(elsewhere, [], 'nothing is asked of any other address')
    t.same(complaints, [], 'no errors, nothing that the content security policy stops')
  }
)
