/**
 * The built site (`npm run site` first): what people look for is found, and the pages are fit to be read.
 * Seen to fail: "cluster workers" found classes of the API alone until the guide had the words; axe named tables whose
 * first heading is empty, and groups at the side that were buttons in buttons.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { chromium } from 'playwright-core'
import t from 'tap'
// @ts-expect-error: a script without types
import { indexOptions, searchOptions } from '../site/search.mjs'
import { looked } from './looked-for.js'

const out = fileURLToPath(new URL('../.site/out/', import.meta.url))
if (!existsSync(path.join(out, 'index.html'))) throw new Error('The site is not built: npm run site')

/** The index of the search, as the page loads it. */
async function index () {
  const chunks = path.join(out, 'assets/chunks')
  const file = readdirSync(chunks).find(name => name.startsWith('@localSearchIndex')) as string
  const { default: json } = await import(pathToFileURL(path.join(chunks, file)).href) as { default: string }
  const fields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] }
  return MiniSearch.loadJSON(json, { ...fields, ...indexOptions, searchOptions })
}

const linksOf = (page: string): string[] =>
  Array.from(readFileSync(path.join(out, page), 'utf8').matchAll(/href="\/([^"#]*)/g), ([, href]) => href as string)
    .map(href => href === '' || href.endsWith('/') ? `${href}index.html` : href)
    .filter(href => href.endsWith('.html'))

t.test('what a LoopBack 3 developer looks for is among the first three that the search finds', async t => {
  const found = await index()
  t.ok(looked.length >= 40, `${looked.length} things`)
  for (const [words, pages] of looked) {
    const first = found.search(words).slice(0, 3).map(({ id }) => String(id))
    const page = first.find(id => pages.some(each => id.startsWith(`/${each}.html`)))
    t.ok(page, `${words}: ${first.join(' ')}`)
  }
})

t.test('every page is at most two clicks from the first one', async t => {
  const once = new Set(linksOf('index.html'))
  const twice = new Set([...once].flatMap(linksOf))
  const far = looked.flatMap(([, pages]) => pages).map(page => `${page}.html`)
    .filter(page => !once.has(page) && !twice.has(page))
  t.strictSame(far, [])
})

const browserPath = process.env.FASTBACK_TEST_BROWSER ?? '/usr/bin/chromium'
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const types: Record<string, string> = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml'
}

t.test('in a browser', { skip: existsSync(browserPath) ? false : 'no Chromium here (FASTBACK_TEST_BROWSER)' }, async t => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url as string, 'http://site')
    const file = path.join(out, pathname.endsWith('/') ? `${pathname}index.html` : decodeURIComponent(pathname))
    if (!file.startsWith(out) || !existsSync(file)) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'text/plain' }).end(readFileSync(file))
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] })
  t.teardown(async () => {
    await browser.close()
    server.close()
  })

  for (const width of [390, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await t.test(`${width} px, ${colorScheme}`, async t => {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
        t.teardown(() => context.close())
        const page = await context.newPage()
        const complaints: string[] = []
        page.on('request', request => {
          if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(origin)) complaints.push(request.url())
        })
        page.on('console', message => { if (message.type() === 'error') complaints.push(message.text()) })
        page.on('pageerror', error => { complaints.push(error.message) })
        const judge = async (what: string) => {
          await page.evaluate(axe)
          const { violations } = await page.evaluate('axe.run()') as { violations: Array<{ id: string, nodes: Array<{ html: string }> }> }
          t.strictSame(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), [], `axe: ${what}`)
          const surplus = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          t.ok(Number(surplus) <= 0, `nothing sticks out: ${what}`)
        }

        await page.goto(`${origin}/`)
        await page.getByRole('heading', { name: 'Fastback', level: 1 }).waitFor()
        t.equal(await page.evaluate('document.documentElement.classList.contains("dark")'), colorScheme === 'dark')
        await judge('home')

        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByRole('searchbox').fill('between')
        await page.locator('#localsearch-list a[href*="/guides/filters.html"]').first().click()
        await page.getByRole('heading', { name: 'Comparing' }).waitFor()
        await judge('a guide')

        const large = width === 390 ? ['errors/requests', 'http'] : ['api/core', 'types/rest', 'settings/options']
        for (const address of ['guides/relations', ...large]) {
          await page.goto(`${origin}/${address}.html`)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await judge(address)
        }
        t.strictSame(complaints, [])
      })
    }
  }
})
