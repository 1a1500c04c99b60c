/**
 * The front: three questions are answered by README.md alone, by its headings and by a search in it; its tables are
 * whole.
 * Seen to fail: "run it in production" found the packages' table until the section had the words.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import MiniSearch from 'minisearch'
import t from 'tap'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const text = readFileSync(path.join(root, 'README.md'), 'utf8')

interface Section { readonly id: number, readonly title: string, readonly text: string }
const sections: Section[] = text.split(/^#+ (?=[A-Z])/m).slice(1).map((part, id) => {
  const end = part.indexOf('\n')
  return { id, title: part.slice(0, end), text: part.slice(end) }
})
const titled = (title: string): Section => sections.find(each => each.title === title) as Section

/** What somebody types who has the question, the section that answers, what it must say, and where it leads. */
const questions = [
  ['add a model', 'How do I add a model?', /fastback add model/, 'guides/models.md'],
  ['new model table', 'How do I add a model?', /defineModel/, 'guides/start-command-line.md'],
  ['owners see their rows', 'How do I let owners see their rows?', /\$owner/, 'guides/access-rules.md'],
  ['rows of the owner, lists of the own ones', 'How do I let owners see their rows?', /ownerFromToken/, 'guides/access-rules.md'],
  ['run in production', 'How do I run it in production?', /fastback serve --workers/, 'guides/production.md'],
  ['deploy docker workers', 'How do I run it in production?', /--docker/, 'guides/production.md']
] as const

t.test('three questions are answered by the README alone', async t => {
  const index = new MiniSearch<Section>({ fields: ['title', 'text'], storeFields: ['title'] })
  index.addAll(sections)
  for (const [words, title, answer, guide] of questions) {
    const [first] = index.search(words, { boost: { title: 2 }, prefix: true })
    t.equal(first?.title, title, words)
    const section = titled(title)
    t.match(section.text, answer)
    t.match(section.text, guide)
    // Read within a minute, at 200 words.
    t.ok(section.text.split(/\s+/).length <= 200, `${title}: ${section.text.split(/\s+/).length} words`)
  }
})

t.test('the first screen has the two commands, and links lead somewhere', async t => {
  const screen = text.split('\n').slice(0, 16).join('\n')
  t.match(screen, /^npm start\b/m)
  t.match(screen, /^npm test\b/m)
  const links = Array.from(text.matchAll(/\]\(([^)#]+?)(?:#[^)]*)?\)/g), ([, target]) => target as string)
  const local = links.filter(target => !/^[a-z]+:/.test(target))
  t.ok(local.length > 40, `${local.length} links`)
  t.strictSame(local.filter(target => !existsSync(path.join(root, target))), [])
})

t.test('every row of a table is whole, and the tables have dates', async t => {
  const rows = text.split('\n').filter(line => line.startsWith('|'))
  const cells = (line: string): number => line.split('|').length
  let first = rows[0] as string
  for (const [index, row] of rows.entries()) {
    if (rows[index + 1]?.startsWith('|---') === true) first = row
    t.equal(cells(row), cells(first), row.slice(0, 60))
    t.notMatch(row, /\|\s{2,}\||\?/, 'no cell is open')
  }
  t.match(titled('Beside others').text, /(January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d/)
  t.match(titled('Performance').text, /<!-- bench -->\n\nMeasured on 20\d\d-\d\d-\d\d,/)
})

t.test('the example has some thirty lines', async t => {
  const [, code = ''] = /^```ts\n([\s\S]*?)\n```$/m.exec(text) ?? []
  const lines = code.split('\n').filter(line => line.trim() !== '')
  t.ok(lines.length >= 25 && lines.length <= 35, `${lines.length} lines`)
})
