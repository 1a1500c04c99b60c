// Whether a text can make a regular expression of a package take more than its share of time (S-92);
// `npm run expressions`. Each expression of the packages' sources is judged by automata. What takes time that grows
// exponentially is a fault. What takes the square of the text's length, or more, is one as well, unless a comment on
// the line or just above says how long a text can be there, and why:
//   // Bounded: at most 255 characters, a name of the catalogue.
// A verdict takes a second or two, so they are kept in .ci/expressions/verdicts.json: only what is new is judged.
// `npm run expressions -- --write` puts it there; `node .ci/expressions.mjs FILE...` judges other files.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expressionsIn } from './expressions/find.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
/** Steps of a match that are no trouble: some 50 ms. */
const mostSteps = 1e8
/** Lines above an expression in which its comment may stand. */
const above = 4
const note = /\/\/ Bounded: at most ([\d,]+) characters, \S/

const args = process.argv.slice(2).filter(arg => arg !== '--write')
const files = args.length > 0 ? args : sources()
const kept = path.join(root, '.ci/expressions/verdicts.json')
const found = new Map()
const notes = new Map()
for (const file of files) {
  const text = readFileSync(path.resolve(root, file), 'utf8')
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) if (note.test(line)) notes.set(`${file}:${index + 1}`, false)
  for (const { source, flags, line } of expressionsIn(file, text)) {
    const key = `/${source}/${flags}`
    if (!found.has(key)) found.set(key, { source, flags, places: [] })
    found.get(key).places.push({ file, line, ...noteOf(file, lines, line) })
  }
}

const verdicts = await judgeAll([...found.keys()])
const faults = []
for (const [key, { places }] of found) {
  const { degree, attack } = verdicts[key]
  if (degree === 1) continue
  const grows = degree === undefined
    ? 'was not judged in time: make it simpler'
    : degree === 'exponential' ? 'takes exponential time' : `takes the length's power of ${degree}`
  for (const { file, line, most, at } of places) {
    if (at !== undefined) notes.set(at, true)
    if (most !== undefined && degree !== 'exponential' && most ** (degree ?? 2) <= mostSteps) continue
    const noted = most === undefined ? '' : `, and ${most} characters are too many`
    faults.push(`${file}:${line}: ${key} ${grows}${noted}${attack === undefined ? '' : `, for example on ${attack}`}`)
  }
}
for (const [at, isUsed] of notes) {
  if (!isUsed) faults.push(`${at}: the expression beside is linear: take the comment away`)
}
const places = [...found.values()].reduce((sum, each) => sum + each.places.length, 0)
console.log(`${places} expressions in ${files.length} files, ${found.size} different`)
for (const fault of faults) console.log(`FAULT ${fault}`)
process.exitCode = faults.length === 0 && places > 0 ? 0 : 1

/** The sources of all packages, their pages' scripts and templates with them, and without tests. */
function sources () {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', 'packages']
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(file => /^packages\/[^/]+\/(?:src|templates)\/.*\.(?:ts|js|mjs|cjs)$/.test(file))
    .filter(file => !/\.(?:test|long|test-d|d)\.ts$/.test(file) && existsSync(path.join(root, file)))
}

/** What a comment beside says of the text's length. */
function noteOf (file, lines, line) {
  for (let at = line; at >= Math.max(1, line - above); at--) {
    const match = note.exec(lines[at - 1] ?? '')
    if (match !== null) return { most: Number(match[1].replaceAll(',', '')), at: `${file}:${at}` }
  }
  return {}
}

/** Verdicts by expression: those that are kept, and new ones, by two workers. */
async function judgeAll (keys) {
  const { version } = createRequire(import.meta.url)('recheck/package.json')
  const { checker, linear = [], others = {} } = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {}
  const all = {}
  if (checker === version) {
    for (const key of linear) all[key] = { degree: 1 }
    Object.assign(all, others)
  }
  // The longest first: they may take the most time.
  const waiting = keys.filter(key => all[key] === undefined).sort((a, b) => a.length - b.length)
  if (waiting.length > 0) console.log(`${waiting.length} expressions are new, and judged`)
  const workers = Array.from({ length: Math.min(waiting.length, os.availableParallelism(), 4) }, async () => {
    const worker = new Worker(new URL('./expressions/judge.mjs', import.meta.url))
    while (waiting.length > 0) {
      const key = waiting.pop()
      const { source, flags } = found.get(key)
      const { degree, attack } = await new Promise((resolve, reject) => {
        worker.removeAllListeners()
        worker.once('message', resolve).once('error', reject)
        worker.postMessage({ source, flags })
      })
      all[key] = { degree: degree === Infinity ? 'exponential' : degree, attack }
    }
    await worker.terminate()
  })
  await Promise.all(workers)
  if (process.argv.includes('--write')) {
    // In the order of their text: what one adds, and another, is put together without a conflict.
    const known = keys.filter(key => all[key].degree !== undefined).sort()
    writeFileSync(kept, `${JSON.stringify({
      checker: version,
      linear: known.filter(key => all[key].degree === 1),
      others: Object.fromEntries(known.filter(key => all[key].degree !== 1).map(key => [key, all[key]]))
    }, undefined, 2)}\n`)
  }
  return all
}
