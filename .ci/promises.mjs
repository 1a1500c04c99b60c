// Whether what the documents promise of protection is tried by a test: packages/docs/rules/promises.md has each promise
// with its number, the document and the words. `npm run security-rules` runs this after the rules, and it ends with 1
// when words do not stand in their document, a number is named by no test, a test names a number that is not
// there, or a part of "What is promised" in SECURITY.md has no number.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const read = file => readFileSync(path.join(root, file), 'utf8')
const folded = text => text.replace(/\s+/g, ' ')

const promises = Array.from(
  read('packages/docs/rules/promises.md').matchAll(/^\| (P-\d+) \| (\S+) \| (.*) \|$/gm),
  ([, number, file, words]) => ({ number, file, words: words.replaceAll('&#124;', '|') })
)
const numbers = new Set(promises.map(({ number }) => number))
const faults = []

for (const { number, file, words } of promises) {
  if (!existsSync(path.join(root, file))) faults.push(`${number}: there is no ${file}`)
  else if (!folded(read(file)).includes(words)) faults.push(`${number}: ${file} does not say "${words}"`)
}

const named = new Map()
for (const file of testFiles()) {
  for (const [, , name] of read(file).matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1)[^\n])*)\1/g)) {
    for (const [number] of name.matchAll(/\bP-\d+\b/g)) named.set(number, [...named.get(number) ?? [], file])
  }
}
for (const number of numbers) if (!named.has(number)) faults.push(`${number} is named by no test`)
for (const [number, files] of named) {
  if (!numbers.has(number)) faults.push(`${files[0]} names ${number}, which is no promise`)
}

const [, promised] = /## What is promised\n([^]*?)\nEach of these/.exec(read('SECURITY.md')) ?? []
let left = folded(promised ?? '')
for (const { file, words } of promises) if (file === 'SECURITY.md') left = left.replace(words, '.')
for (const part of left.split(/[.;:*]/)) {
  if ((part.match(/\w{2,}/g) ?? []).length > 3) faults.push(`SECURITY.md promises without a number: "${part.trim()}"`)
}

for (const fault of faults) console.log(`MISSING ${fault}`)
console.log(`${numbers.size} promises in ${promises.length} places`)
process.exitCode = faults.length === 0 && numbers.size > 0 && promised !== undefined ? 0 : 1

function testFiles () {
  const packages = readdirSync(path.join(root, 'packages'))
  const folders = ['test-fixtures/test', ...packages.flatMap(name => [`packages/${name}/test`, `packages/${name}/src`])]
  return folders
    .filter(folder => existsSync(path.join(root, folder)))
    .flatMap(folder => readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.test.ts'))
      .map(file => `${folder}/${file}`))
}
