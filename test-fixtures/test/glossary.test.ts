/**
 * Names and documents use the words of packages/docs/glossary.md: its section "What is refused" lists what they do not.
 * Seen to fail: before the names and documents were brought over.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(file => file !== '' && !/^(?:\.changeset|test-fixtures\/(?:apps|fuzz-seeds|projects))\/|CHANGELOG/.test(file))

const [, refused = ''] = read('packages/docs/glossary.md').split('## What is refused')
const [inNames = [], inTexts = []] = ['In exported names', 'In documents'].map(start => {
  const [, from = ''] = refused.split(start)
  const [list = ''] = from.slice(from.indexOf(':\n')).split('\n\n')
  return Array.from(list.matchAll(/`([^`]+)`/g), ([, word]) => word as string)
})

/** `HeldAnswers` and `held-answers.ts` are held, answers. */
const wordsOf = (name: string): string[] => name.split(/(?<=[a-z0-9])(?=[A-Z])|[-_.]/).map(word => word.toLowerCase())

t.test('the lists are there', async t => {
  t.ok(inNames.length > 15, String(inNames))
  t.ok(inTexts.length > 8, String(inTexts))
  t.ok(files.length > 2000)
})

t.test('exported names', async t => {
  const exported = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
  const found = files
    .filter(file => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file) && !/\.(?:test|long)\.ts$/.test(file))
    .flatMap(file => Array.from(read(file).matchAll(exported), ([, name]) => ({ file, name: name as string })))
  t.ok(found.length > 3000, String(found.length))
  t.strictSame(found.filter(({ name }) => wordsOf(name).some(word => inNames.includes(word))), [])
})

t.test('names of files and folders', async t => {
  const parts = new Set(files
    .filter(file => /^(?:packages\/[^/]+\/(?:src|test)|test-fixtures\/(?:src|test)|\.ci)\//.test(file))
    .flatMap(file => file.split('/').slice(1)))
  t.ok(parts.size > 1000)
  t.strictSame([...parts].filter(part => wordsOf(part).some(word => inNames.includes(word))), [])
})

t.test('documents and comments', async t => {
  const refusedText = new RegExp(`\\b(?:${inTexts.join('|')})\\b`, 'i')
  const comments = (text: string) => text.split('\n').map(line => /^\s*(?:\/\*\*|\*|\/\/)/.test(line) ? line : '')
  const prose = (text: string) => text.replace(/^```[^]*?^```/gm, block => block.replace(/[^\n]/g, '')).split('\n')
  const found = files
    .filter(file => /\.(?:ts|tsx|mjs|js|md)$/.test(file) && /^(?:packages|test-fixtures|\.ci)\/|^[A-Z]+\.md$/.test(file))
    .filter(file => !/^packages\/(?:cli\/src\/add|docs\/rules|docs\/glossary)/.test(file))
    .flatMap(file => (file.endsWith('.md') ? prose : comments)(read(file))
      .flatMap((line, i) => refusedText.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : []))
  t.strictSame(found, [])
})
