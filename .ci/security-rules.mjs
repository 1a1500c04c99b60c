// Prints every security rule with the tests that try to break it; `npm run security-rules`.
// The rules are the headings "### S-01 …" of packages/docs/rules/security.md.
// Ends with 1 when a rule has no test on a socket, a test names a rule that is not there, or does not say how it was
// seen to fail.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const onSockets = 'test-fixtures/test/security'

/** The rules, in their order: number → name. */
const rules = new Map()
for (const [, number, name] of readFileSync(path.join(root, 'packages/docs/rules/security.md'), 'utf8').matchAll(
  /^### (S-\d+) (.*)$/gm
)) { rules.set(number, name) }

const tests = new Map()
const faults = []
for (const file of testFiles()) {
  const text = readFileSync(path.join(root, file), 'utf8')
  for (const match of text.matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1)[^\n])*)\1,?[^]{0,120}?=> \{?\n(.*)/g)) {
    const [, , name, nextLine] = match
    const numbers = name.match(/\bS-\d+\b/g) ?? []
    if (numbers.length === 0) continue
    const place = `${file}:${text.slice(0, match.index).split('\n').length}`
    const socket = file.startsWith(`${onSockets}/`)
    if (socket && !/^\s*\/\/ Seen to fail: \S/.test(nextLine)) {
      faults.push(`${place}: the test's first line must say "// Seen to fail: …"`)
    }
    for (const number of new Set(numbers)) {
      if (!rules.has(number)) faults.push(`${place}: there is no rule ${number}`)
      tests.set(number, [...tests.get(number) ?? [], { place, name, socket }])
    }
  }
}

for (const [number, name] of rules) {
  console.log(`${number} ${name}`)
  const found = tests.get(number) ?? []
  for (const { place, name: test } of found) console.log(`  ${place}  ${test}`)
  if (!found.some(({ socket }) => socket)) faults.push(`${number} has no test in ${onSockets}`)
}
const counted = [...tests.values()].reduce((sum, found) => sum + found.length, 0)
console.log(`\n${rules.size} rules, ${counted} tests`)
for (const fault of faults) console.log(`MISSING ${fault}`)
process.exitCode = faults.length === 0 && rules.size > 0 ? 0 : 1

function testFiles () {
  const folders = [
    onSockets,
    'test-fixtures/test',
    ...readdirSync(path.join(root, 'packages')).flatMap(name => [`packages/${name}/test`, `packages/${name}/src`])
  ]
  const files = folders
    .filter(folder => existsSync(path.join(root, folder)))
    .flatMap(folder =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.test.ts'))
        .map(file => `${folder}/${file}`)
    )
  return [...new Set(files)].sort()
}
