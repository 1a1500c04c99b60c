// The errors of requests, read from where the sources make them: code, statuses, messages.
import { STATUS_CODES } from 'node:http'
import ts from 'typescript'
import { filesBelow, packages, read } from './files.mjs'

const sources = name => filesBelow(`packages/${name}/src`).filter(file => /(?<!\.(?:test|long))\.ts$/.test(file))

/** A text as documents show it: what is filled in is "…". */
export const shown = text => text.replaceAll(/\$\{[^}]*\}+|%[sdo]/g, '…').replaceAll(/\s+/g, ' ')

const textOf = node => ts.isStringLiteralLike(node)
  ? node.text
  : ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(span => `\${}${span.literal.text}`).join('')
    : ts.isBinaryExpression(node) ? `${textOf(node.left)}${textOf(node.right)}` : ''

const capitals = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/

/** The code that a call names: as an argument, or as a member `code` of one. */
function codeIn (args) {
  for (const each of args) {
    if (ts.isStringLiteral(each) && capitals.test(each.text)) return each.text
    const member = ts.isObjectLiteralExpression(each) && each.properties.find(({ name }) => name?.getText() === 'code')
    const value = member ? member.initializer : undefined
    if (value !== undefined && ts.isStringLiteral(value)) return value.text
  }
}

const isStatus = node => ts.isNumericLiteral(node) && /^[45]\d\d$/.test(node.text)

/** 'UnprocessableEntityError' → '422' */
const statusByName = name => Object.keys(STATUS_CODES)
  .find(status => status >= '400' && `${STATUS_CODES[status].replaceAll(/[^A-Za-z]/g, '')}Error` === name)

/** Functions that make an error of one status: `const later = (message, code) => new RequestError(503, …)`. */
function makersOf (source) {
  return source.statements.flatMap(statement => {
    const declarations = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement]
    return declarations.flatMap(each => {
      const status = each.name === undefined ? null : /RequestError\(\s*([45]\d\d)\b/.exec(each.getText())
      return status === null ? [] : [[each.name.getText(), status[1]]]
    })
  })
}

/** What an error is made of: arguments of a call, or an object with code and status. */
function partsOf (node, makers) {
  if (ts.isObjectLiteralExpression(node)) {
    const member = name => node.properties.find(each => each.name?.getText() === name)?.initializer
    const [given, message, name] = [member('statusCode') ?? member('status'), member('message'), member('name')]
    const status = given !== undefined && isStatus(given) ? given.text : statusByName(name === undefined ? '' : textOf(name))
    return { args: [node, ...(message === undefined ? [] : [message])], status }
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined
  const args = [...node.arguments ?? []]
  const status = args.find(isStatus)?.text
  if (status !== undefined) return { args, status }
  const hasCode = args.some(each => ts.isStringLiteral(each) && capitals.test(each.text))
  return hasCode && ts.isIdentifier(node.expression) ? { args, status: makers.get(node.expression.text) } : undefined
}

/** Errors that a package makes with a status: [{ code, status, message }]. */
function requestErrorsOf (name) {
  const trees = sources(name).map(file => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true))
  const makers = new Map(trees.flatMap(makersOf))
  const found = []
  const visit = node => {
    const { args = [], status } = partsOf(node, makers) ?? {}
    const code = status === undefined ? undefined : codeIn(args)
    if (code !== undefined && !code.startsWith('FBK_')) {
      const message = args.map(textOf).find(text => text.includes(' ')) ?? ''
      found.push({ code, status, message: shown(message) })
    }
    ts.forEachChild(node, visit)
  }
  trees.forEach(visit)
  return found
}

/** Codes of requests, each once, with every status and message that it comes with. */
export function requestErrors () {
  const byCode = new Map()
  for (const name of packages()) {
    for (const { code, status, message } of requestErrorsOf(name)) {
      const entry = byCode.get(code) ?? { code, statuses: new Set(), messages: new Set(), packages: new Set() }
      entry.statuses.add(status)
      if (message !== '') entry.messages.add(message)
      entry.packages.add(name)
      byCode.set(code, entry)
    }
  }
  return [...byCode.values()].sort((a, b) => a.code.localeCompare(b.code))
}
