// The error codes of a package's sources, read from its calls of what startUpErrors gave it, and of createError (of
// @fastify/error).
import ts from 'typescript'
import { filesBelow, read } from './files.mjs'

/**
 * Codes in the order of the sources: { code, meaning, message }. The meaning is the first sentence of the comment
 * before the declaration, and where there is none the message.
 */
export function errorCodes (name) {
  const files = filesBelow(`packages/${name}/src`).filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  return files.filter(file => /startUpErrors|createError/.test(read(file))).flatMap(codesOf)
}

function codesOf (file) {
  const text = read(file)
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found = []
  /** What is put before a code, by the function that does so. */
  const prefixes = new Map([['createError', '']])
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer === undefined) continue
      // const startup = startUpErrors('CORE')
      if (calledName(initializer) === 'startUpErrors') {
        prefixes.set(name.text, `FBK_${textOf(initializer.arguments[0])}_`)
        continue
      }
      const prefix = prefixes.get(calledName(initializer))
      const code = prefix === undefined ? undefined : textOf(initializer.arguments[0])
      if (code === undefined) continue
      const meaning = commentOf(statement, text) ?? meaningOf(textOf(initializer.arguments[1]) ?? '')
      found.push({ code: prefix + code, meaning, message: textOf(initializer.arguments[1]) })
    }
  }
  return found
}

/** The name of the function that an expression calls. */
const calledName = node =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? node.expression.text : undefined

/** A text that is written as one literal, or as several with + between them. */
function textOf (node) {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isBinaryExpression(node)) return undefined
  const parts = [textOf(node.left), textOf(node.right)]
  return parts.includes(undefined) ? undefined : parts.join('')
}

/** The first sentence of the comment right before a statement. */
function commentOf (statement, text) {
  const range = ts.getLeadingCommentRanges(text, statement.getFullStart())?.at(-1)
  if (range === undefined || !text.startsWith('/**', range.pos)) return undefined
  // A comment with an empty line behind it is about the file.
  if (/\n\s*\n/.test(text.slice(range.end, statement.getStart()))) return undefined
  const plain = text.slice(range.pos + 3, range.end - 2).replaceAll(/\n\s*\*?\s*/g, ' ').trim()
  return firstSentence(plain)
}

const firstSentence = text => /^.*?[.](?=\s+[A-Z"]|$)/.exec(text)?.[0] ?? text

/**
 * A message as it stands in the source, with dots for what is filled in. The place before it, and a hint behind it, are
 * left out.
 */
function meaningOf (message) {
  const plain = message.replace(/^%s: (?=.*[a-z])/, '').replace(/\.%s$/, '.').replaceAll(/(?:"?%s"?)+/g, '…')
  const text = firstSentence(plain).replace(/…\.$/, '…')
  // Names of code keep their letters.
  return /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
}
