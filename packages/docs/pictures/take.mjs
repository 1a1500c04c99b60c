// Takes the picture of the explorer that the root README shows, from the template `notes` as it is:
// node packages/docs/pictures/take.mjs (after `npm run build`; FASTBACK_TEST_BROWSER names a Chromium elsewhere)
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const here = name => fileURLToPath(new URL(name, import.meta.url))
const { chromium } = createRequire(here('../../explorer/package.json'))('playwright-core')
const { serve } = await import('../../cli/bundle/index.js')

const folder = mkdtempSync(path.join(tmpdir(), 'fastback-picture-'))
cpSync(here('../../cli/templates/notes'), folder, { recursive: true })
const served = await serve(folder, { log: false, port: 0, host: '127.0.0.1' })
const executablePath = process.env.FASTBACK_TEST_BROWSER ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: 'light' })
  await page.goto(`${served.explorerUrl}#Note.find`)
  const operation = page.locator('[id="Note.find"]')
  await operation.getByLabel('filter', { exact: true }).fill('{"where":{"done":false},"include":"category","order":"title"}')
  await operation.getByRole('button', { name: 'Run' }).click()
  await operation.locator('.status').filter({ hasText: '200' }).waitFor()
  await operation.getByRole('button', { name: 'As table' }).click()
  await operation.evaluate(element => { element.scrollIntoView({ block: 'start' }) })
  await page.mouse.wheel(0, -60)
  await page.waitForTimeout(300)
  await page.screenshot({ path: here('explorer.png') })
} finally {
  await browser.close()
  await served.close()
  rmSync(folder, { recursive: true })
}
