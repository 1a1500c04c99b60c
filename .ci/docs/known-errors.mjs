// Every error code with what is to be said of it: the pages of errors and what `fastback explain` reads are made of
// this.
import ts from 'typescript'
import { advice } from './error-advice.mjs'
import { errorCodes } from './error-codes.mjs'
import { exists, filesBelow, packages, read } from './files.mjs'
import { requestErrors, shown } from './request-errors.mjs'

/**
 * @returns { code, kind, packages, statuses, meaning, says, cause, cure }, by code. `kind` is 'start', 'request',
 * 'audit' or 'browser'; what is not known is left out.
 * @throws Error for advice to a code that there is not, and for a code of which nothing is said
 */
export function knownErrors () {
  const found = new Map()
  const add = entry => { if (!found.has(entry.code)) found.set(entry.code, entry) }
  for (const name of packages()) {
    for (const { code, meaning, message } of errorCodes(name)) {
      const says = message === undefined ? [] : [shown(message)]
      // A message that is filled in altogether says nothing here.
      add({ code, kind: 'start', packages: [name], meaning, says: says.filter(text => /[a-z]{2}/.test(text)) })
    }
  }
  for (const { code, statuses, messages, packages: by } of requestErrors()) {
    add({ code, kind: 'request', packages: [...by], statuses: [...statuses].sort().map(Number), says: [...messages] })
  }
  auditRules().forEach(add)
  tabled().forEach(add)
  for (const [code, [cause, cure]] of Object.entries(advice)) {
    const entry = found.get(code)
    if (entry === undefined) throw new Error(`error-advice.mjs has a code that there is not: ${code}`)
    Object.assign(entry, { cause, cure })
  }
  const silent = [...found.values()]
    .filter(({ meaning, says, cause }) => (meaning ?? cause) === undefined && says.length === 0)
  if (silent.length > 0) {
    throw new Error(`nothing is said of ${silent.map(({ code }) => code).join(', ')}: see error-advice.mjs`)
  }
  return [...found.values()].sort((a, b) => a.code.localeCompare(b.code))
}

/** What `fastback audit` finds, from the rules: { code: 'FBK_AUDIT_…', title: '…', why: '…' }. */
function auditRules () {
  return filesBelow('packages/boot/src/audit/rules').filter(file => !file.endsWith('.test.ts')).flatMap(file => {
    const rules = []
    const visit = node => {
      if (ts.isObjectLiteralExpression(node)) {
        const member = name => node.properties.find(each => each.name?.getText() === name)?.initializer
        const [code, title, why] = ['code', 'title', 'why'].map(member)
        if (code?.text?.startsWith('FBK_AUDIT_') === true && title !== undefined) {
          const meaning = [`${title.text}.`, why?.text].filter(text => text !== undefined).join(' ')
          rules.push({ code: code.text, kind: 'audit', packages: ['boot'], meaning, says: [] })
        }
      }
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true))
    return rules
  })
}

/** Codes of browsers, which are made in no one way: the tables of the packages have them. */
const tabled = () => packages().filter(name => exists(`packages/${name}/README.md`)).flatMap(name =>
  Array.from(read(`packages/${name}/README.md`).matchAll(/^\| `(FBK_[A-Z0-9_]+)` \| ([^|]+) \|$/gm), ([, code, meaning]) =>
    ({ code, kind: 'browser', packages: [name], meaning, says: [] })))
