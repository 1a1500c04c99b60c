// The tables of errors in the READMEs of the packages: written between <!-- errors --> and <!-- /errors -->, and
// compared with the sources.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { errorCodes } from './error-codes.mjs'
import { documents, exists, filesBelow, lineAt, packages, read, root } from './files.mjs'

const begin = '<!-- errors -->'
const end = '<!-- /errors -->'
const stale = 'the table of errors is not what the sources say; run "node .ci/docs.mjs --write"'

/** Whether a code is written out somewhere in the sources, as those of `fastback audit` are. */
function writtenOut () {
  const codes = new Set()
  for (const name of packages()) {
    for (const file of filesBelow(`packages/${name}/src`)) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
      for (const [code] of read(file).matchAll(/\bFBK_[A-Z0-9]+(?:_[A-Z0-9]+)+\b/g)) codes.add(code)
    }
  }
  return codes
}

export function checkErrorTables ({ write }) {
  const faults = []
  const declared = new Set(writtenOut())
  for (const name of packages()) {
    const codes = errorCodes(name)
    for (const { code } of codes) declared.add(code)
    const file = `packages/${name}/README.md`
    if (codes.length === 0 || !exists(file)) continue
    const text = read(file)
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from === -1 || to < from) {
      faults.push(`${file}: there is no place for the table of errors: ${begin} and ${end}`)
      continue
    }
    const wanted = `${text.slice(0, from + begin.length)}\n${tableOf(codes)}\n${text.slice(to)}`
    if (wanted === text) continue
    if (write) writeFileSync(path.join(root, file), wanted)
    else faults.push(`${file}:${lineAt(text, from)}: ${stale}`)
  }
  for (const file of documents()) {
    const text = read(file)
    for (const { 0: code, index } of text.matchAll(/\bFBK_[A-Z0-9]+(?:_[A-Z0-9]+)+\b/g)) {
      if (!declared.has(code)) faults.push(`${file}:${lineAt(text, index)}: no source has the code ${code}`)
    }
  }
  return faults
}

function tableOf (codes) {
  const known = new Set()
  const rows = codes.filter(({ code }) => !known.has(code) && known.add(code)).map(({ code, meaning }) =>
    `| \`${code}\` | ${meaning.replaceAll('|', '\\|')} |`)
  return ['| Code | Meaning |', '|---|---|', ...rows].join('\n')
}
