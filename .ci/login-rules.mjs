// Every rule of packages/docs/rules/login.md is named by a test (its name, or the words of an assertion), or stands
// under "No test of its own" there with the reason. Ends with 1 where one is neither, or both.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const text = readFileSync(path.join(root, 'packages/docs/rules/login.md'), 'utf8')
const [rules, without = ''] = text.split('## No test of its own')
const numbersIn = (from, pattern) => new Set(Array.from(from.matchAll(pattern), ([, number]) => number))
const all = numbersIn(rules, /^- (LG-\d+) /gm)
const excused = numbersIn(without, /\b(LG-\d+)\b/g)

const named = new Set()
for (const folder of ['packages/login/test', 'packages/cli/test', 'packages/boot/test', 'packages/loopback/test']) {
  for (const file of readdirSync(path.join(root, folder)).filter(each => each.endsWith('.test.ts'))) {
    const source = readFileSync(path.join(root, folder, file), 'utf8')
    for (const [, number] of source.matchAll(/\b(LG-\d+)\b/g)) named.add(number)
    for (const [, from, to] of source.matchAll(/\bLG-(\d+) to LG-(\d+)\b/g)) {
      for (let number = Number(from); number <= Number(to); number++) named.add(`LG-${String(number).padStart(2, '0')}`)
    }
  }
}

const faults = [
  ...[...all].filter(number => !named.has(number) && !excused.has(number)).map(number => `${number} has no test and no reason`),
  ...[...excused].filter(number => named.has(number)).map(number => `${number} has a test, and a reason why it has none`),
  ...[...named].filter(number => !all.has(number)).map(number => `a test names ${number}, which is no rule`)
]
for (const fault of faults) console.log(`MISSING ${fault}`)
console.log(`${all.size} rules of login, ${all.size - excused.size} with tests`)
process.exitCode = faults.length === 0 && all.size > 0 ? 0 : 1
