// FASTBACK_TEST_FULL: a browser.
/** In a real browser: rows in IndexedDB, tabs that share them, a line that goes and comes (SYD-30 to SYD-34). */
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import { browserPath, launch } from '../../explorer/test/helpers/browser.js'
import { serve, until, type Loose } from './support.js'

const path = browserPath()
const many = 50_000

t.test('in a browser', { skip: path === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false }, async t => {
  const served = await serve(t, [{ name: 'Row' }])
  const { models: { Note, Row }, baseUrl } = served
  const origin = new URL(baseUrl).origin
  const { outputFiles: [bundle] } = await build({
    stdin: {
      contents: `export { createClient } from '@fastback/client'
        export { indexedDbStore } from '@fastback/client/indexeddb'`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url))
    },
    bundle: true,
    format: 'iife',
    globalName: 'fastback',
    write: false
  })
  const browser = await launch(path as string)
  t.teardown(async () => { await browser.close() })
  const context = await browser.newContext()
  // As a service worker would: the page is there without a line.
  const html = `<!doctype html><title>Notes</title><script>${bundle?.text ?? ''}
    window.make = options => {
      const client = window.client = fastback.createClient({
        baseUrl: '/api', models: { Note: {}, Tag: {} }, store: fastback.indexedDbStore({ name: 'notes' }), retry: { first: 20, most: 100 }, ...options
      })
      window.seen = []
      client.Note?.live({ order: 'title' }, rows => { window.seen.push(rows.map(row => row.title).join()) })
      return client.ready()
    }
  </script>`
  const open = async (context: BrowserContext, options: object = {}): Promise<Page> => {
    const page = await context.newPage()
    page.on('pageerror', error => { t.fail(error.message) })
    await page.route(`${origin}/page`, async route => { await route.fulfill({ contentType: 'text/html', body: html }) })
    await page.goto(`${origin}/page`)
    await page.evaluate(async options => { await (globalThis as Loose).make(options) }, options)
    return page
  }
  /** What an expression of the page gives. */
  const ask = async (page: Page, text: string): Promise<Loose> => await page.evaluate(text)

  await t.test('SYD-31: without a line: write, reload, and agree when it is back', async t => {
    await Note.create({ id: 'a', title: 'of the server' })
    const page = await open(context)
    await until(async () => (await ask(page, 'seen')).at(-1) === 'of the server')
    await context.setOffline(true)
    await ask(page, 'client.Note.create({ id: "b", title: "offline" })')
    await ask(page, 'client.Note.patch("a", { rank: 4 })')
    await until(async () => (await ask(page, 'client.state.value.status')) === 'offline')
    await page.reload()
    await page.evaluate(async () => { await (globalThis as Loose).make({}) })
    t.same((await ask(page, 'client.Note.find({ order: "id" })')).map(({ title }: Loose) => title), ['of the server', 'offline'])
    await until(async () => await ask(page, 'client.state.value.pending') === 2)
    await context.setOffline(false)
    await until(async () => await ask(page, 'client.state.value.pending') === 0)
    t.match((await Note.findById('b'))?.title, 'offline')
    t.match((await Note.findById('a'))?.rank, 4)
    await page.close()
  })

  await t.test('SYD-32: two tabs: one store, one sync at a time, one stream for both', async t => {
    const before = served.asked.filter(each => each.endsWith('Notes/sync/live')).length
    const one = await open(context)
    const two = await open(context)
    await until(() => served.asked.filter(each => each.endsWith('Notes/sync/live')).length > before)
    await ask(one, 'client.Note.create({ id: "c", title: "by one" })')
    await until(async () => (await ask(two, 'seen')).at(-1) === 'by one,of the server,offline')
    await Promise.all([one, two].map(async (page, tab) => {
      await ask(page, `Promise.all(Array.from({ length: 20 }, (_, n) => client.Note.create({ title: 'tab ${tab} ' + n })))`)
    }))
    t.equal(await ask(one, 'client.Note.count()'), 43)
    await until(async () => await Note.count() === 43)
    await until(async () => await ask(one, 'client.state.value.pending') === 0 && await ask(two, 'client.state.value.pending') === 0)
    t.equal(await ask(two, 'client.state.value.conflicts'), 0)
    t.equal(served.asked.filter(each => each.endsWith('Notes/sync/live')).length, before + 1, 'the other tab listens by the first')
    await Note.destroyAll({ title: { like: 'tab%' } })
    await until(async () => (await ask(two, 'seen')).at(-1) === 'by one,of the server,offline')
    await one.close()
    await until(() => served.asked.filter(each => each.endsWith('Notes/sync/live')).length > before + 1)
    t.pass('and takes over when that is closed')

    const three = await open(context)
    await ask(three, 'client.signOut()')
    await t.rejects(ask(two, 'client.Note.find()'), /signed out/, 'SYD-34: every tab is')
    await two.close()
    const next = await open(context, { user: 'bob', automatic: false })
    t.same(await ask(next, 'client.Note.find()'), [])
    await ask(next, 'client.signOut()')
    await next.close()
    await three.close()
  })

  await t.test(`${many} rows`, async t => {
    for (let n = 0; n < many; n += 5_000) {
      await Row.create(Array.from({ length: 5_000 }, (_, i) => ({ id: `row${String(n + i).padStart(6, '0')}`, title: `row ${(n + i) * 7919 % many}`, rank: (n + i) % 100 })))
    }
    const page = await open(context, { models: { Row: {} }, automatic: false, name: 'many' })
    const timed = async (text: string): Promise<[milliseconds: number, result: Loose]> => await ask(page, `(async () => {
      const begun = performance.now()
      const result = await (${text})
      return [Math.round(performance.now() - begun), Array.isArray(result) ? result.length : result]
    })()`)
    const [pull] = await timed('client.sync()')
    await page.reload()
    await page.evaluate(async () => { await (globalThis as Loose).make({ models: { Row: {} }, automatic: false, name: 'many' }) })
    const [first, count] = await timed('client.Row.find({ limit: 50 })')
    const [sorted, best] = await timed('client.Row.find({ where: { rank: { lt: 10 } }, order: "title", limit: 50 })')
    const [again] = await timed('client.Row.find({ where: { rank: { lt: 20 } }, order: "title", limit: 50 })')
    const [written] = await timed('client.Row.patch("row000001", { title: "x" })')
    t.comment(`pull of ${many} rows: ${pull} ms; first list of 50: ${first} ms; by another order, all rows read: ${sorted} ms; once they are: ${again} ms; a write: ${written} ms`)
    t.same([count, best, await ask(page, 'client.Row.count()')], [50, 50, many])
    await page.close()
  })
})
