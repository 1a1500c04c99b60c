/** Attacks on the studio's page in a real browser: what others wrote is text there, and nobody sees more than they may. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { axeScript, browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'
import { ApiPage } from '../../packages/explorer/test/helpers/api-page.js'
import { application, password } from '../../packages/studio/test/helpers/application.js'
import { formulas, hostileApplication, html, names, svg } from './studio/hostile-application.js'
import { watchedPage, type Browser, type WatchedPage } from './studio/watched-page.js'

const chromium = browserPath()
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
    }
    await visit('#/data', 'main h2')
    await visit('#/models', 'svg.picture a.box')
    await visit('#/rights', 'table.matrix')
    await visit('#/api', 'main h2')
    await visit('#/activity', 'main table')
    for (const name of names) {
      const part = encodeURIComponent(name)
      await visit(`#/data/${part}`, 'main tbody tr')
      await visit(`#/data/${part}/row/1`, 'aside form, [role=complementary] form')
      await visit(`#/data/${part}/new`, 'aside form, [role=complementary] form')
      await visit(`#/models/${part}`, 'main h2')
      await visit(`#/rights/${part}`, 'main h2')
      await visit(`#/api/${part}`, 'main h2')
      await visit(`#/api/${part}/${encodeURIComponent(`${name}.find`)}`, 'form[aria-label=Request]')
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find anything' }).fill('onerror')
    await page.getByRole('option').first().waitFor()
    await clean(watched, t, 'palette')
    await page.evaluate(axeScript())
    const { violations } = await page.evaluate('axe.run()') as { violations: Array<{ id: string }> }
    t.same(violations.map(({ id }) => id), [])
  })
})
