// Whether every rule of a page of packages/docs/rules is named by a test (its name, or the words of an assertion), or
// stands under "No test of its own" there with the reason.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const numbersIn = (from, pattern) => new Set(Array.from(from.matchAll(pattern), ([, number]) => number))

/**
 * Prints what is missing; ends with 1 where a rule has neither a test nor a reason, or both.
 * @param page name of the file
 * @param prefixes those of its numbers: ['SY', 'SYD']
 * @param folders where its tests are
 */
export function checkCited (page, prefixes, folders) {
  const prefix = `(?:${prefixes.join('|')})`
  const [rules, without = ''] = readFileSync(path.join(root, 'packages/docs/rules', page), 'utf8').split('## No test of its own')
  const all = numbersIn(rules, new RegExp(`(?:^- |\\. |, )(${prefix}-\\d+)(?= )`, 'gm'))
  // "SY-60 … SY-63" stands for those between as well.
  const known = numbersIn(rules, new RegExp(`\\b(${prefix}-\\d+)\\b`, 'g'))
  for (const [, kind, from, to] of rules.matchAll(new RegExp(`\\b(${prefix})-(\\d+) … \\1-(\\d+)\\b`, 'g'))) {
    for (let number = Number(from); number <= Number(to); number++) known.add(`${kind}-${String(number).padStart(from.length, '0')}`)
  }
  const excused = numbersIn(without, new RegExp(`\\b(${prefix}-\\d+)\\b`, 'g'))
  const named = new Set()
  for (const file of folders.flatMap(testFiles)) {
    const source = readFileSync(file, 'utf8')
    for (const [, number] of source.matchAll(new RegExp(`\\b(${prefix}-\\d+)\\b`, 'g'))) named.add(number)
    for (const [, kind, from, to] of source.matchAll(new RegExp(`\\b(${prefix})-(\\d+) to \\1-(\\d+)\\b`, 'g'))) {
      for (let number = Number(from); number <= Number(to); number++) {
        const whole = `${kind}-${String(number).padStart(from.length, '0')}`
        // Numbers between two may stand for nothing.
        if (known.has(whole)) named.add(whole)
      }
    }
  }
  const faults = [
    ...[...all].filter(number => !named.has(number) && !excused.has(number)).map(number => `${number} has no test and no reason`),
    ...[...excused].filter(number => named.has(number)).map(number => `${number} has a test, and a reason why it has none`),
    ...[...named].filter(number => !known.has(number)).map(number => `a test names ${number}, which is no rule`)
  ]
  for (const fault of faults) console.log(`MISSING ${fault}`)
  console.log(`${all.size} rules of ${page}, ${all.size - excused.size} with tests`)
  process.exitCode = faults.length === 0 && all.size > 0 ? 0 : 1
}

const testFiles = folder => existsSync(path.join(root, folder))
  ? readdirSync(path.join(root, folder)).filter(each => each.endsWith('.test.ts')).map(each => path.join(root, folder, each))
  : []
