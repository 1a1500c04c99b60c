/** The explorer of a generated application, in a browser, with real users and real access control. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createServer } from '@fastback/boot'
import { ApiPage } from '../../packages/explorer/test/helpers/api-page.js'
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
    const api = new ApiPage(page)
    const run = async (): Promise<{ status: string; body: any }> =>
      ({ status: await api.run(), body: await api.json() })

    await page.getByRole('link', { name: /^User \d+$/ }).click()
    await page.getByRole('link', { name: /^create POST$/ }).click()
    const created: number[] = []
    for (const email of ['ann@example.com', 'ben@example.com']) {
      await api.write(JSON.stringify({ email, password: 'a long secret' }))
      const { status, body } = await run()
      t.match(status, '200')
      created.push(body.id)
    }
    const [ann, ben] = created

    await api.open('User.login')
    await api.write(JSON.stringify({ email: 'ann@example.com', password: 'a long secret' }))
    const { body: token } = await run()
    await api.setToken(token.id)

    await api.open('User.findById')
    const read = async (id: number | undefined) => {
      await api.form.getByLabel('id').fill(String(id))
      return await run()
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
