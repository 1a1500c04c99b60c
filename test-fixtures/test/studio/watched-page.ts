/** A page of the studio in a real browser, with everything that it must never do noted. */
import type { launch } from '../../../packages/explorer/test/helpers/browser.js'

export type Browser = Awaited<ReturnType<typeof launch>>
export type Page = Awaited<ReturnType<Browser['newPage']>>

export interface WatchedPage {
  readonly page: Page
  /** Errors, dialogs, what is against the policy of the page, requests to other origins. */
  readonly faults: readonly string[]
  /** Addresses of everything that was asked for. */
  readonly addresses: readonly string[]
  /** Shows a part of the studio. */
  go (hash: string): Promise<void>
  /** The longest task of the page's thread since the last call, in milliseconds; 0 for none over 50. */
  longest (): Promise<number>
}

const observe = `
  window.longTasks = []
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })`

/** @param address origin of the server */
export async function watchedPage (browser: Browser, address: string): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  await context.addInitScript(observe)
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const faults: string[] = []
  const addresses: string[] = []
  page.on('pageerror', error => { faults.push(error.message) })
  page.on('dialog', dialog => {
    faults.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  })
  page.on('console', message => {
    const text = message.text()
    if (message.type() === 'error' && !text.includes('Failed to load resource')) faults.push(text)
  })
  page.on('request', request => {
    const url = request.url()
    addresses.push(url)
    if (!url.startsWith(`${address}/`) && !url.startsWith(`blob:${address}/`)) faults.push(url)
  })
  return {
    page,
    faults,
    addresses,
    async go (hash) { await page.goto(`${address}/studio/${hash}`) },
    async longest () {
      // The observer is told of a task after it.
      await page.waitForTimeout(100)
      return await page.evaluate('Math.max(0, ...window.longTasks.splice(0))')
    }
  }
}
