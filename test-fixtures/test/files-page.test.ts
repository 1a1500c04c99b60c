/** Uploads with progress that go on after a cut, downloads and deletions in a browser: the template `files`. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import t, { type Test } from 'tap'
import { ApiPage } from '../../packages/explorer/test/helpers/api-page.js'
import { browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'
import { serveTemplate } from './template-server.js'

const chromium = browserPath()

interface Proxy {
  readonly address: string
  /** Breaks all connections once so many more bytes went to the server, and takes no other. */
  cutAfter (bytes: number): void
  /** Takes connections again. */
  mend (): void
}

/** Stands between the browser and the server, and breaks connections. */
async function proxyTo (t: Test, target: string): Promise<Proxy> {
  const { port } = new URL(target)
  const sockets = new Set<Socket>()
  let left = Infinity
  let isBroken = false
  const proxy = createServer(client => {
    if (isBroken) {
      client.destroy()
      return
    }
    const server = connect(Number(port), '127.0.0.1')
    const end = (): void => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    client.on('data', chunk => {
      left -= chunk.length
      if (!server.write(chunk)) {
        client.pause()
        server.once('drain', () => client.resume())
      }
      if (left > 0) return
      left = Infinity
      isBroken = true
      // What was carried arrives before the browser learns of the cut.
      setTimeout(() => { for (const socket of sockets) socket.destroy() }, 50)
      client.pause()
    })
    server.pipe(client)
  })
  await new Promise<void>(resolve => { proxy.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return {
    address: `http://127.0.0.1:${(proxy.address() as { port: number }).port}`,
    cutAfter (bytes) { left = bytes },
    mend () { isBroken = false }
  }
}

t.test(
  'a user uploads, goes on after a cut, downloads and deletes, on the page and in the explorer',
  { skip: chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
  async t => {
    const { folder, address } = await serveTemplate(t, 'files')
    const proxy = await proxyTo(t, address)
    const size = 12_000_000
    const large = path.join(folder, 'large größe.bin')
    writeFileSync(large, Buffer.alloc(size, 'fastback '))
    const browser = await launch(chromium as string)
    t.teardown(() => browser.close())
    const page = await browser.newPage({ acceptDownloads: true })
    page.setDefaultTimeout(20_000)
    const faults: string[] = []
    page.on('console', message => {
      if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text())
    })
    page.on('pageerror', error => { faults.push(error.message) })
    const sent: Array<[verb: string, offset: string | undefined]> = []
    page.on('request', request => {
      if (request.url().includes('/resumable') && request.method() !== 'GET') sent.push([request.method(), request.headers()['upload-offset']])
    })
    const stored = (): string[] => readdirSync(path.join(folder, 'data/files/1')).sort()

    await t.test('the page', async t => {
      await page.goto(proxy.address)
      await page.getByLabel('E-mail').fill('ann@example.com')
      await page.getByLabel('Password').fill('a long secret')
      await page.getByRole('button', { name: 'Register' }).click()
      await page.getByLabel('Add files').waitFor()

      proxy.cutAfter(6_000_000)
      await page.getByLabel('Add files').setInputFiles(large)
      const upload = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
      await upload.getByRole('button', { name: 'Resume' }).waitFor()
      const progress = upload.getByRole('progressbar')
      const half = Number(await progress.getAttribute('value'))
      t.equal(half, 4 * 1024 * 1024, 'it tells how far it is')
      t.strictSame(stored(), [], 'half a file is no file')
      proxy.mend()
      await upload.getByRole('button', { name: 'Resume' }).click()
      const row = page.getByRole('row', { name: 'large größe.bin' })
      await row.waitFor()
      t.equal(await upload.count(), 0)
      t.match(sent.map(([verb]) => verb).join(' '), /^POST PATCH PATCH (HEAD )+PATCH PATCH$/)
      const offsets = sent.filter(([verb]) => verb === 'PATCH').map(([, offset]) => Number(offset))
      t.strictSame(offsets.slice(0, 2), [0, half])
      t.ok(Number(offsets[2]) > half, `it went on at ${offsets[2]}`)

      const [download] = await Promise.all([
        page.waitForEvent('download'), row.getByRole('button', { name: 'Download' }).click()
      ])
      t.equal(download.suggestedFilename(), 'large größe.bin')
      t.ok(readFileSync(await download.path()).equals(readFileSync(large)), 'what went in comes out')
      await row.getByRole('button', { name: 'Delete' }).click()
      await row.waitFor({ state: 'detached' })
      t.strictSame(stored(), [])
    })

    await t.test('the explorer', async t => {
      const token = JSON.parse(await page.evaluate('sessionStorage.getItem("files.token")')) as { id: string }
      await page.goto(`${proxy.address}/explorer`)
      const api = new ApiPage(page)
      await api.setToken(token.id)
      await api.open('Folder.upload')
      await api.form.getByLabel('container').fill('1')
      await api.form.getByLabel('file').setInputFiles(large)
      await api.form.getByLabel('Goes on after a cut').check()
      proxy.cutAfter(6_000_000)
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByRole('button', { name: 'Resume' }).waitFor()
      t.strictSame(stored(), [])
      proxy.mend()
      await page.getByRole('button', { name: 'Resume' }).click()
      t.match(await api.came(), '204')
      const [name] = stored()
      const headers = page.getByRole('region', { name: 'Response headers', includeHidden: true })
      t.match(await headers.textContent({ timeout: 1_000 }), `upload-file: ${name}`)
      t.equal(readFileSync(path.join(folder, 'data/files/1', name as string)).length, size)

      await api.open('Folder.download')
      await api.form.getByLabel('container').fill('1')
      await api.form.getByLabel('file').fill(name as string)
      await page.getByRole('button', { name: 'Run' }).click()
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /save/i }).click()])
      t.ok(readFileSync(await download.path()).equals(readFileSync(large)))

      await api.open('Document.deleteById')
      await api.form.locator('[name=id]').fill('2')
      t.match(await api.run(), '200')
      t.strictSame(stored(), [])
    })
    t.strictSame(faults, [], 'nothing against the policy of the page, and no error')
  }
)
