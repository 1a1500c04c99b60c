/** The explorer of a generated application, in a browser, with real users and real access control. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createServer } from '@fastback/boot'
import { browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'

const chromium = browserPath()

t.test(
  "a user logs in, reads its own record, is refused others' and, logged out, its own",
  { skip: chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
  async t => {
    const folder = mkdtempSync(path.join(tmpdir(), 'fastback-explorer-'))
    t.teardown(() => {
      rmSync(folder, { recursive: true })
    })
    cpSync(fileURLToPath(new URL('../../packages/cli/templates/notes', import.meta.url)), folder, { recursive: true })
    const server = await createServer(folder, { log: false, port: 0, host: '127.0.0.1' })
    t.teardown(() => server.stop())
    const address = await server.start()
    const browser = await launch(chromium as string)
    t.teardown(() => browser.close())
    const page = await browser.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(`${address}/explorer`)
    const users = page.getByRole('heading', { name: 'User', exact: true })
    await users.click()

    const operation = (id: string) => page.locator(`[id="${id}"]`)
    const open = async (id: string): Promise<void> => {
      await operation(id).locator('> summary').click()
    }
    const run = async (id: string): Promise<{ status: string; body: any }> => {
      const place = operation(id)
      await Promise.all([page.waitForResponse(/\/api\//), place.getByRole('button', { name: 'Run' }).click()])
      await place.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
      const text = (await place.locator('.body').count()) > 0 ? await place.locator('.body').textContent() : null
      return { status: (await place.locator('.status').textContent()) ?? '', body: JSON.parse(text ?? 'null') }
    }

    await open('User.create')
    const created: number[] = []
    for (const email of ['ann@example.com', 'ben@example.com']) {
      await operation('User.create')
        .getByLabel('body')
        .fill(JSON.stringify({ email, password: 'a long secret' }))
      const { status, body } = await run('User.create')
      t.match(status, '200')
      created.push(body.id)
    }
    const [ann, ben] = created

    await open('User.login')
    await operation('User.login')
      .getByLabel('body')
      .fill(JSON.stringify({ email: 'ann@example.com', password: 'a long secret' }))
    const { body: token } = await run('User.login')
    await page.getByLabel('accessToken').fill(token.id)
    await page.getByRole('button', { name: 'Set Access Token' }).click()
    t.equal(await page.getByRole('status').textContent(), 'Token Set')

    await open('User.findById')
    const read = async (id: number | undefined) => {
      await operation('User.findById').getByLabel('id').fill(String(id))
      return await run('User.findById')
    }
    t.match(await read(ann), { status: '200', body: { id: ann, email: 'ann@example.com' } })
    t.match(await read(ben), { status: '403', body: { error: { code: 'ACCESS_DENIED' } } })

    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByText('Token Not Set', { exact: true }).waitFor()
    t.match(await read(ann), { status: '401' })
    const again = await server.fastify.inject({
      url: `/api/Users/${String(ann)}`,
      headers: { authorization: token.id }
    })
    t.equal(again.statusCode, 401, 'the token has ended')
  }
)
