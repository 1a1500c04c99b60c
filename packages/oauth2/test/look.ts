/** Looks at pages in a browser: axe, both schemes, both widths. */
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Test } from 'tap'
import { browserPath, launch } from '../../explorer/test/helpers/browser.js'

export const executable = browserPath()
export const skip = executable === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false
/** A folder for pictures of the pages, for who wants to look at them. */
export const pictures = process.env.FASTBACK_TEST_PICTURES

const axe = readFileSync(
  createRequire(new URL('../../explorer/package.json', import.meta.url)).resolve('axe-core/axe.min.js'), 'utf8'
)

export type Chromium = Awaited<ReturnType<typeof launch>>
export type Page = Awaited<ReturnType<Chromium['newPage']>>

/** Looks at a page in both schemes and both widths. */
export async function look (t: Test, page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate(axe)
      const { violations } = await page.evaluate('axe.run()') as {
        violations: Array<{ id: string, nodes: Array<{ html: string }> }>
      }
      const seen = `${name}, ${colorScheme}, ${width}`
      t.strictSame(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`), [], seen)
      t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, `${seen}: no scrolling sideways`)
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true })
        await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}-${width}.png`), fullPage: true })
      }
    }
  }
}
