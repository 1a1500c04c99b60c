// The page of all errors: those at the start from the declarations, those of requests from where they are made.
import ts from 'typescript'
import { errorCodes } from '../../../../.ci/docs/error-codes.mjs'
import { filesBelow, packages, read } from '../../../../.ci/docs/files.mjs'

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

/** Errors that a file makes with a status: [{ code, status, message }]. */
function requestErrorsOf (file) {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
  const found = []
  const visit = node => {
    const args = ts.isNewExpression(node) || ts.isCallExpression(node) ? [...node.arguments ?? []] : []
    const status = args.find(each => ts.isNumericLiteral(each) && /^[45]\d\d$/.test(each.text))?.text
    const code = status === undefined ? undefined : codeIn(args)
    if (code !== undefined && !code.startsWith('FBK_')) {
      const message = args.map(textOf).find(text => text.includes(' ')) ?? ''
      found.push({ code, status, message: shown(message) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Codes of requests, each once, with every status and message that it comes with. */
function requestErrors () {
  const byCode = new Map()
  for (const name of packages()) {
    for (const { code, status, message } of sources(name).flatMap(requestErrorsOf)) {
      const entry = byCode.get(code) ?? { code, statuses: new Set(), messages: new Set(), packages: new Set() }
      entry.statuses.add(status)
      if (message !== '') entry.messages.add(message)
      entry.packages.add(name)
      byCode.set(code, entry)
    }
  }
  return [...byCode.values()].sort((a, b) => a.code.localeCompare(b.code))
}

const packageLink = name => `[\`@fastback/${name}\`](/packages/${name}.md)`

const start = name => {
  const known = new Map()
  for (const each of errorCodes(name)) if (!known.has(each.code)) known.set(each.code, each)
  const codes = [...known.values()]
  if (codes.length === 0) return ''
  const entries = codes.map(({ code, meaning, message }) =>
    `### ${code}\n\n${meaning}\n\n${message === undefined ? '' : `It says: “${shown(message)}”\n`}`)
  return `## @fastback/${name}\n\nMore: ${packageLink(name)}.\n\n${entries.join('\n')}`
}

/** @returns pages by name */
export function errorPages () {
  const requests = requestErrors().map(({ code, statuses, messages, packages: by }) => {
    const says = [...messages].map(each => `It says: “${each}”`).join('\n\n')
    return `### ${code}\n\nStatus ${[...statuses].sort().join(' or ')}. From ${[...by].map(packageLink).join(', ')}.\n\n${says}\n`
  })
  return new Map([
    ['errors/index.md', `# Errors

After this page you know where an error comes from, and what to do about it. Every error of Fastback has a code that does
not change. Messages say what is wrong, where, and what to do.

| You see | It is | Look at |
|---|---|---|
| \`FBK_…\` in the log or on the terminal | something in the code, the folder or the settings: the application does not start, or a call cannot be done | [errors at the start](/errors/start.md) |
| \`error.code\` in an answer, with a status of 400 to 499 | something in the request | [errors of requests](/errors/requests.md) |
| a status of 500 without a code | a fault of the server. The answer tells nothing more; the log has it, under the \`X-Request-Id\` of the answer | the log |
| \`VALIDATION_FAILED\`, status 422 | data that the model refuses: \`error.details\` has a line for each fault | [validation](/guides/validation.md) |
| \`AUTHORIZATION_REQUIRED\`, status 401 | no rule lets this caller in | [access rules](/guides/access-rules.md) |

\`fastback doctor\` looks for the usual causes in an application and says what mends them.
`],
    ['errors/start.md', `# Errors at the start

Every code that begins with \`FBK_\`: what it means and what its message says. “…” stands for what the message fills in: the file, the model, the name that is near.

${packages().map(start).filter(text => text !== '').join('\n')}`],
    ['errors/requests.md', `# Errors of requests

Every code that an answer can have in \`error.code\`, with its status and its message. “…” stands for what the message fills in.

${requests.join('\n')}`]
  ])
}
