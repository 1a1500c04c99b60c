// The page of all errors: those at the start from the declarations, those of requests from where they are made.
import { STATUS_CODES } from 'node:http'
import ts from 'typescript'
import { errorCodes } from '../../../../.ci/docs/error-codes.mjs'
import { filesBelow, packages, read } from '../../../../.ci/docs/files.mjs'
import { cures } from './cures.mjs'

const sources = name => filesBelow(`packages/${name}/src`).filter(file => /(?<!\.(?:test|long))\.ts$/.test(file))

/** A text as the page shows it: what is filled in is "…". */
const shown = text => text.replaceAll(/\$\{[^}]*\}+|%[sdo]/g, '…').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')

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
function requestErrors () {
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

/** What to do, where the message alone does not say it. */
const cureOf = code => cures[code] === undefined ? '' : `What to do: ${cures[code]}\n`

const packageLink = name => `[\`@fastback/${name}\`](/packages/${name}.md)`

const start = name => {
  const known = new Map()
  for (const each of errorCodes(name)) if (!known.has(each.code)) known.set(each.code, each)
  const codes = [...known.values()]
  if (codes.length === 0) return ''
  const entries = codes.map(({ code, meaning, message }) =>
    `### ${code}\n\n${meaning}\n\n${message === undefined ? '' : `It says: “${shown(message)}”\n`}\n${cureOf(code)}`)
  return `## @fastback/${name}\n\nMore: ${packageLink(name)}.\n\n${entries.join('\n')}`
}

/** @returns pages by name */
export function errorPages () {
  const requests = requestErrors().map(({ code, statuses, messages, packages: by }) => {
    const says = [...messages].map(each => `It says: “${each}”`).join('\n\n')
    return `### ${code}\n\nStatus ${[...statuses].sort().join(' or ')}. From ${[...by].map(packageLink).join(', ')}.\n\n${says}\n\n${cureOf(code)}`
  })
  const all = packages().flatMap(errorCodes).concat(requestErrors())
  const unknown = Object.keys(cures).filter(code => !all.some(each => each.code === code))
  if (unknown.length > 0) throw new Error(`cures.mjs has codes that there are not: ${unknown.join(', ')}`)
  return new Map([
    ['errors/index.md', `# Errors

After this page you know where an error comes from, and what to do about it. Every error of Fastback has a code that does
not change. Messages say what is wrong, where, and what to do.

| You see | It is | Look at |
|---|---|---|
| \`FBK_…\` in the log or on the terminal | something in the code, the folder or the settings: the application does not start, or a call cannot be done | [errors at the start](/errors/start.md) |
| \`error.code\` in an answer, with a status of 400 to 499 | something in the request | [errors of requests](/errors/requests.md) |
| a status of 500 without a code | a fault of the server. The answer tells nothing more; the log has it, under the \`X-Request-Id\` of the answer | the log |
| \`FBK_AUDIT_…\` from \`fastback audit\` | something that the application leaves open | [audit](/packages/boot.md#audit) |
| \`VALIDATION_FAILED\`, status 422 | data that the model refuses: \`error.details\` has a line for each fault | [validation](/guides/validation.md) |
| \`AUTHORIZATION_REQUIRED\`, status 401 | no rule lets this caller in | [access rules](/guides/access-rules.md) |

\`fastback doctor\` looks for the usual causes in an application and says what mends them.
`],
    ['errors/start.md', `# Errors at the start

Every code that begins with \`FBK_\`: what it means and what its message says. “…” stands for what the message fills in: the file, the model, the name that is near.

${packages().map(start).filter(text => text !== '').join('\n')}`],
    ['errors/requests.md', `# Errors of requests

The codes that answers have in \`error.code\`, read from where the sources make them, with status and message. “…” stands for what the message fills in.

## All codes

${requests.join('\n')}`]
  ])
}
