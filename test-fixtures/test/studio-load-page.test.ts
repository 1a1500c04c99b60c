// FASTBACK_TEST_FULL: a browser, and a hundred models.
/**
 * What large applications cost the page's thread: no action holds it up for long. With CI_LONG a table has a
 * million rows, and the bound is that of a quiet machine.
 */
import t from 'tap'
import { browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'
import { ApiPage } from '../../packages/explorer/test/helpers/api-page.js'
import { largeApplication, models } from './studio/large-application.js'
import { watchedPage } from './studio/watched-page.js'

const chromium = browserPath()
const isFull = process.env.CI_LONG !== undefined
const rows = isFull ? 1_000_000 : 20_000
/** Milliseconds of one task: machines that test are busy. */
const most = isFull ? 100 : 1000

t.test(
  `no action on ${models} models, ${rows} rows and a thousand columns holds up the page`,
  { skip: chromium === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false },
  async t => {
    const address = await largeApplication(t, rows)
    const browser = await launch(chromium as string)
    t.teardown(() => browser.close())
    const watched = await watchedPage(browser, address)
    const { page } = watched
    page.setDefaultTimeout(15_000)
    const api = new ApiPage(page)
    /** Does something, and looks for what shows that it is done. */
    const takes = async (action: string, act: () => Promise<unknown>, ...shown: readonly string[]): Promise<void> => {
      await watched.longest()
      await act()
      for (const each of shown) await page.locator(each).first().waitFor()
      const longest = await watched.longest()
      t.comment(`${action}: ${longest === 0 ? 'less than 50' : Math.round(longest)} ms`)
      t.ok(longest <= most, `${action}: ${longest} ms`)
    }
    const go = (hash: string) => async () => { await watched.go(hash) }
    // The code of the parts is loaded by the first visit, as it is for people who work with the page.
    await takes('first visit', go('#/data'), 'main h2', 'nav[aria-label=Models] a')
    await takes('letters in the sidebar', async () => { await page.getByLabel('Find a model').pressSequentially('model9') })
    await takes('the palette', async () => { await page.keyboard.press('Control+k') }, 'dialog.palette')
    const palette = page.getByRole('combobox', { name: 'Find anything' })
    await takes('letters in the palette', async () => { await palette.pressSequentially('new model99') }, '#command-0')
    await page.keyboard.press('Escape')
    await takes('the picture', go('#/models'), 'svg.model-picture a.box')
    t.equal(await page.locator('svg.model-picture a.box').count(), models + 3)
    await takes('a model of the picture', async () => { await page.locator('svg.model-picture a.box').nth(7).focus() })
    await takes('a larger picture', async () => {
      for (let times = 0; times < 6; times++) await page.getByRole('button', { name: 'Larger' }).click()
    })
    await takes('a moved picture', async () => {
      await page.locator('svg.model-picture').focus()
      for (let times = 0; times < 5; times++) await page.keyboard.press('ArrowRight')
    })
    await takes('a model', go('#/models/Model42'), 'main h2')
    await takes('a model of a thousand columns', go('#/models/Wide'), 'main h2')
    await takes('rights', go('#/rights'), 'table.matrix tbody tr')
    await takes('operations', go('#/api'), 'main h2')
    await takes('letters in the operations', async () => {
      await page.getByRole('complementary', { name: 'Menu' }).getByRole('searchbox').pressSequentially('model99')
    })
    await takes('many rows', go('#/data/Reading'), 'main tbody tr')
    await takes('the next page of them', async () => { await page.getByRole('button', { name: /next/i }).first().click() }, 'main tbody tr')
    await takes('rows of a thousand columns', go('#/data/Wide'), 'main tbody tr')
    await takes('one of them', go('#/data/Wide/row/1'), '[role=complementary] form, aside form')
    await takes('a new one', go('#/data/Wide/new'), '[role=complementary] form, aside form')
    await takes('rows of a thousand members', go('#/data/Deep'), 'main tbody tr')
    await takes('an object of them', async () => { await page.getByTitle('Show more').first().click() }, '.json-members')
    await takes('the row of it', go('#/data/Deep/row/1'), '[role=complementary] form, aside form')
    await takes('an operation of a thousand columns', go('#/api/Wide/Wide.create'), 'form[aria-label=Request]')
    await takes('an operation', go('#/api/Wide/Wide.find'), 'form[aria-label=Request]')
    await takes('its response', async () => { t.match(await api.run(), '200') })
    await takes('its response as a table', async () => { await page.getByRole('button', { name: 'As table' }).click() }, 'table.rows')
    t.same(watched.faults, [])
  }
)
