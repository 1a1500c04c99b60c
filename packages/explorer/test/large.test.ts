// FASTBACK_TEST_FULL: a browser, and a hundred models.
/** What the page takes for a hundred related models, in a browser. */
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { Page } from 'playwright-core'
import { browserPath, launch } from './helpers/browser.js'
import { relatedModels } from './helpers/related-models.js'

const path = browserPath()
const skip = path === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false

/** A page of a new browser, and the address of the explorer of so many models. */
async function open (t: Test, models: number): Promise<{ page: Page, url: string }> {
  const app = await relatedModels(t, models)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await launch(path as string)
  t.teardown(() => browser.close())
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/explorer/`
  return { page: await browser.newPage(), url }
}

t.test(
  'a hundred related models are listed within a second of the processor and 10 MB',
  { skip },
  async t => {
    const { page, url } = await open(t, 100)
    page.setDefaultTimeout(60_000)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.goto(url)
    await page.getByRole('heading', { name: 'Model99', exact: true }).waitFor()
    await session.send('HeapProfiler.collectGarbage')
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (name: string): number => metrics.find(metric => metric.name === name)?.value ?? Infinity
    t.equal(await page.locator('main a.card').count(), 100, 'each has a card')
    const painted = 'performance.getEntriesByName("first-contentful-paint").map(each => each.startTime)'
    const [paint] = await page.evaluate(painted) as number[]
    t.comment(`first paint after ${Math.round(paint ?? NaN)} ms`)
    t.ok(of('TaskDuration') < 1, `${of('TaskDuration')} s of the page's thread`)
    t.ok(of('JSHeapUsedSize') < 10_000_000, `${of('JSHeapUsedSize')} bytes`)
  }
)

t.test(
  'the page paints its frame before it has the description',
  { skip },
  async t => {
    const { page, url } = await open(t, 3)
    let release = (): void => {}
    const released = new Promise<void>(resolve => { release = resolve })
    let requests = 0
    await page.route('**/openapi.json*', async route => {
      requests++
      await released
      await route.continue()
    })
    await page.goto(url, { waitUntil: 'commit' })
    await page.getByText('Reading the API…').waitFor()
    await page.waitForFunction('performance.getEntriesByName("first-contentful-paint").length === 1')
    t.equal(await page.getByRole('heading', { name: 'Model2', exact: true }).count(), 0, 'nothing of the API is there')
    release()
    await page.getByRole('heading', { name: 'Model2', exact: true }).waitFor()
    t.equal(await page.getByText('Reading the API…').count(), 0, 'the frame has made way')
    t.equal(requests, 1, 'the description that was preloaded is the one that is read')
  }
)
