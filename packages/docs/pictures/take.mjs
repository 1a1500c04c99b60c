// Takes the pictures of READMEs and guides from real pages, in light and in dark, and makes the one that moves: node
// packages/docs/pictures/take.mjs, after a build. FASTBACK_TEST_BROWSER names the browser.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { freePort } from '../../../test-fixtures/free-port.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'fastback-pictures-'))
cpSync(path.join(root, 'test-fixtures/apps/shop'), folder, { recursive: true })

const port = await freePort()
const url = `http://127.0.0.1:${port}`
let server = await serve()
const browser = await chromium.launch({
  executablePath: process.env.FASTBACK_TEST_BROWSER ?? '/usr/bin/chromium', args: ['--no-sandbox']
})

async function serve () {
  const child = spawn(process.execPath, [
    path.join(root, '.ci/fastback.mjs'), 'serve', folder, '--port', String(port), '--host', '127.0.0.1'
  ], { stdio: 'ignore', env: { ...process.env, NODE_ENV: 'development' } })
  while (!await fetch(url).then(() => true, () => false)) await wait(200)
  return child
}

async function stop () {
  server.kill()
  await once(server, 'exit')
}

/** A page of the studio as somebody sees it who is logged in as ann. */
async function open (colorScheme, { width = 1280, height = 800 } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${url}/studio/#/models`)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('button', { name: 'as ann' }).click()
  await page.getByText('ann', { exact: true }).waitFor()
  return page
}

/** Shows an address of the studio, and waits until what it reads is there. */
async function show (page, hash) {
  await page.evaluate(to => { window.location.hash = to }, hash)
  await page.waitForTimeout(1200)
}

/** What each picture shows: how one gets there, by the name of its file. */
const pictures = {
  'packages/studio/docs/models': page => show(page, '#/models'),
  'packages/admin/docs/admin': page => show(page, '#/data/Customer/row/7'),
  async 'packages/explorer/docs/explorer' (page) {
    await show(page, '#/api/Order/Order.find')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.locator('.response .status').waitFor()
  },
  'packages/studio/docs/rights': page => show(page, '#/rights/Customer/matrix?method=find&role=%24authenticated'),
  async 'packages/studio/docs/activity' (page) {
    const filter = encodeURIComponent(JSON.stringify({ where: { note: 'x' } }))
    for (let times = 0; times < 400; times++) await fetch(`${url}/api/Orders?filter=${filter}`)
    await show(page, '#/activity')
    await page.getByRole('region', { name: 'Requests' }).getByText('Order.find').first().click()
    await page.getByRole('button', { name: /^db SELECT/ }).click()
    await page.getByRole('button', { name: 'How would the database find the rows?' }).click()
    await page.waitForTimeout(500)
  }
}

for (const colorScheme of ['light', 'dark']) {
  const page = await open(colorScheme)
  for (const [name, reach] of Object.entries(pictures)) {
    await reach(page)
    await page.mouse.move(640, 799)
    await page.waitForTimeout(300)
    await page.screenshot({ path: path.join(root, `${name}${colorScheme === 'light' ? '' : '-dark'}.png`) })
  }
  await page.context().close()
}

// The one that moves: a model is made, its API is seen, its rights are seen.
const size = { width: 1080, height: 640 }
const frames = []
const page = await open('light', size)
const take = async () => {
  await page.mouse.move(size.width - 1, size.height - 1)
  frames.push(await page.screenshot({ type: 'jpeg', quality: 70 }))
}
await show(page, '#/models')
await take()
await page.getByRole('button', { name: 'Model', exact: true }).click()
const dialog = page.getByRole('dialog')
await dialog.locator('#new-name').fill('Review')
for (const [index, [name, type]] of [['stars', 'number'], ['text', 'string']].entries()) {
  await dialog.getByRole('button', { name: 'Add a property' }).click()
  await dialog.getByLabel(`Name of property ${index + 1}`).fill(name)
  await dialog.getByLabel(`Type of property ${index + 1}`).selectOption(type)
}
await take()
await dialog.getByRole('button', { name: 'See the change' }).click()
await dialog.getByRole('button', { name: /^Write/ }).waitFor()
await take()
await dialog.getByRole('button', { name: /^Write/ }).click()
await page.locator('.toast').waitFor()
await stop()
server = await serve()
const after = async hash => {
  await page.goto(`${url}/studio/${hash}`)
  await page.reload()
  await page.waitForTimeout(1200)
}
await after('#/models')
await take()
await after('#/api/Review/Review.create')
await page.getByRole('group', { name: 'Fields' }).getByLabel('stars').fill('5')
await page.getByRole('group', { name: 'Fields' }).getByLabel('text').fill('As it should be')
await take()
await page.getByRole('button', { name: 'Run' }).click()
await page.locator('.response .status').waitFor()
await take()
await after('#/rights/Review')
await take()
writeFileSync(path.join(root, 'packages/docs/pictures/studio.svg'), moving(frames, size))

await browser.close()
await stop()
rmSync(folder, { recursive: true })

/** An SVG that shows one frame after the other, without a script. */
function moving (images, { width, height }) {
  const each = 2.2
  const all = images.length * each
  const share = 100 / images.length
  const style = `image{opacity:0;animation:f ${all}s infinite step-end}@keyframes f{0%{opacity:1}${share.toFixed(3)}%{opacity:0}}`
  const shown = images.map((image, index) =>
    `<image width="${width}" height="${height}" style="animation-delay:${(index * each - all).toFixed(1)}s" ` +
    `href="data:image/jpeg;base64,${image.toString('base64')}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" aria-label="A model is made in the studio; its API is tried; its rights are seen"><style>${style}</style>${shown.join('')}</svg>\n`
}
