import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
]

/**
 * The Chromium to test with: what FASTBACK_TEST_BROWSER names, else one in its usual place; undefined where there is
 * none.
 */
export const browserPath = (): string | undefined =>
  process.env.FASTBACK_TEST_BROWSER ?? usual.find(path => existsSync(path))

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
