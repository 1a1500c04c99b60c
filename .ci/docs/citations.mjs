// Whether what is cited is there: rule numbers (S-01, O-001, B-1.1, R-1.1, ST-01, LG-01, PU-01), sections of the
// rules, headings of specification.md.
import { citing, lineAt, read } from './files.mjs'

const folder = 'packages/docs/rules'
const sectioned = ['behaviour.md', 'request-parsing.md', 'oauth2.md']

/** Numbers that a heading, a row of a table or an item begins with. */
function declaredNumbers () {
  const found = new Set()
  for (const [file, pattern] of [
    ['security.md', /^### (S-\d+) /gm],
    ['oauth2.md', /^\| <a id="o-\d+"><\/a>(O-\d+) \|/gm],
    ['behaviour.md', /^- (B-\d+\.\d+) /gm],
    ['request-parsing.md', /^- (R-\d+\.\d+) /gm],
    ['storage.md', /^- (S[TSD]-\d+) /gm],
    ['login.md', /^- (LG-\d+) /gm],
    ['push.md', /^- (PU-\d+) /gm]
  ]) {
    for (const [, number] of read(`${folder}/${file}`).matchAll(pattern)) found.add(number)
  }
  return found
}

const headings = (file, pattern) =>
  new Set(Array.from(read(`${folder}/${file}`).matchAll(pattern), ([, name]) => name.toLowerCase()))

/** A comment's text without the marks at the beginning of its lines; positions stay where they are. */
const unmarked = text => text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, gap => ' '.repeat(gap.length))

const files = sectioned.map(name => name.replace('.', '\\.')).join('|')
const number = '(\\d+(?:\\.\\d+)?)'
const sectionNumbers = `sections?\\s+(?<from>${number})(?:\\s+(?:to|and)\\s+(?<to>${number}))?`
const sectionPatterns = [
  new RegExp(`(?<file>${files})[\`,\\s(]*${sectionNumbers}`, 'g'),
  new RegExp(`${sectionNumbers}\\s+of\\s+\`?(?<file>${files})`, 'g')
]

export function checkCitations () {
  const known = declaredNumbers()
  const sections = new Map(sectioned.map(name => [name, headings(name, /^#{2,3} (\d+(?:\.\d+)?) /gm)]))
  const statements = headings('specification.md', /^#{2,3} (.+)$/gm)
  const faults = []
  for (const file of citing()) {
    const text = read(file)
    const flat = file.endsWith('.md') ? text.replaceAll('\n', ' ') : unmarked(text)
    const fault = (at, what) => { faults.push(`${file}:${lineAt(text, at)}: ${what}`) }

    const cites = /\b(?:S-\d{2,3}|S[TSD]-\d{1,2}|O-\d{3}|LG-\d{2,3}|PU-\d{2}|[BR]-\d+\.\d+)\b/g
    for (const { 0: cited, index } of flat.matchAll(cites)) {
      if (!known.has(cited)) fault(index, `there is no rule ${cited} in ${folder}`)
    }
    for (const pattern of sectionPatterns) {
      for (const { index, groups: { file: name, from, to } } of flat.matchAll(pattern)) {
        for (const section of [from, to]) {
          if (section === undefined || sections.get(name).has(section)) continue
          fault(index, `${name} has no section ${section}`)
        }
      }
    }
    if (file.startsWith('packages/docs/') || file.startsWith('.ci/docs')) continue
    for (const { 1: statement, index } of flat.matchAll(/\bspecification,\s+([A-Z][^;.)]*|base models)/g)) {
      const name = statement.replaceAll(/\s+/g, ' ').trim()
      if (!statements.has(name.toLowerCase())) fault(index, `specification.md has no heading "${name}"`)
    }
    // What is outside of the repository cannot be read by anyone who has only the repository.
    const outside = /\bNOTES-[a-z]+\b|\bsecurity-second\.md\b/g
    for (const { 0: cited, index } of flat.matchAll(outside)) fault(index, `${cited} is not in this repository`)
  }
  return faults
}
