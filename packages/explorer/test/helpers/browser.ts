import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser } from 'playwright-core'

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
]

/**
 * The Chromium to test with: what FASTBACK_TEST_BROWSER names, else one in its usual place; undefined where there is
 * none. A browser takes as long as all else of a test, so that `npm test` uses none that nobody named.
 */
export function browserPath (): string | undefined {
  const { FASTBACK_TEST_BROWSER: named, FASTBACK_TEST_FULL: isFull, FASTBACK_TESTS: tests } = process.env
  return named ?? (isFull === undefined && tests === undefined ? undefined : usual.find(path => existsSync(path)))
}

/** Without a sandbox, so that it also starts in containers; it sees nothing but the server of the test. */
export async function launch (executablePath: string): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync'
    ]
  })
}

/** The script that looks for what keeps people out of a page. */
export const axeScript = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
