// Prints every security rule with the tests that try to break it; `npm run security-rules`.
// The rules are read from ../shared/spec/security.md and security-second.md where they are there (FASTBACK_SECURITY_RULES names another folder), else from the tests.
// Ends with 1 when a rule has no test on a socket, a test names a rule that is not there, or does not say how it was seen to fail.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const specification = path.resolve(root, process.env.FASTBACK_SECURITY_RULES ?? '../shared/spec')
const onSockets = 'test-fixtures/test/security'

/** The rules, in their order: number → first sentence. */
const rules = new Map()
for (const file of ['security.md', 'security-second.md'].map(name => path.join(specification, name)).filter(existsSync)) {
  for (const [, number, text] of readFileSync(file, 'utf8').matchAll(/^- (S-\d+) (.*)$/gm)) rules.set(number, text)
}
const known = rules.size > 0

const tests = new Map()
const faults = []
for (const file of testFiles()) {
  const text = readFileSync(path.join(root, file), 'utf8')
  for (const match of text.matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1)[^\n])*)\1,?[^\n]*\n(.*)/g)) {
    const [, , name, nextLine] = match
    const numbers = name.match(/\bS-\d+\b/g) ?? []
    if (numbers.length === 0) continue
    const place = `${file}:${text.slice(0, match.index).split('\n').length}`
    const socket = file.startsWith(`${onSockets}/`)
    if (socket && !/^\s*\/\/ Seen to fail: \S/.test(nextLine)) faults.push(`${place}: the test's first line must say "// Seen to fail: …"`)
    for (const number of new Set(numbers)) {
      if (known && !rules.has(number)) faults.push(`${place}: there is no rule ${number}`)
      tests.set(number, [...tests.get(number) ?? [], { place, name, socket }])
    }
  }
}
if (!known) for (const number of [...tests.keys()].sort()) rules.set(number, '')

for (const [number, text] of rules) {
  console.log(`${number} ${text.length > 120 ? `${text.slice(0, 119)}…` : text}`)
  const found = tests.get(number) ?? []
  for (const { place, name } of found) console.log(`  ${place}  ${name}`)
  if (!found.some(({ socket }) => socket)) faults.push(`${number} has no test in ${onSockets}`)
}
const counted = [...tests.values()].reduce((sum, found) => sum + found.length, 0)
console.log(`\n${rules.size} rules${known ? '' : ' (of the tests: their texts are not here)'}, ${counted} tests`)
for (const fault of faults) console.log(`MISSING ${fault}`)
process.exitCode = faults.length === 0 ? 0 : 1

function testFiles () {
  const folders = [onSockets, 'test-fixtures/test', ...readdirSync(path.join(root, 'packages')).flatMap(name => [`packages/${name}/test`, `packages/${name}/src`])]
  const files = folders.filter(folder => existsSync(path.join(root, folder))).flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.test.ts')).map(file => `${folder}/${file}`))
  return [...new Set(files)].sort()
}
