// Every regular expression of a TypeScript or JavaScript file: literals, and those that `RegExp` makes of texts that
// stand in the file. A part of such a text that is only known at run time counts as one letter.
import ts from 'typescript'

/** One expression: { source, flags, line }, lines counted from 1. */
export function expressionsIn (file, text) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const constants = new Map()
  const found = []
  const add = (source, flags, node) => {
    found.push({ source, flags, line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1 })
  }
  const visit = node => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      constants.set(node.name.text, node.initializer)
    }
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      add(node.text.slice(1, end), node.text.slice(end + 1), node)
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(tree) === 'RegExp') {
      const [source, flags] = node.arguments ?? []
      const made = source === undefined ? undefined : textOf(source, constants, tree)
      if (made !== undefined) add(made, (flags && textOf(flags, constants, tree)?.replace(/[^a-z]/g, '')) ?? '', node)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

const unknown = 'x'

/** The text that an expression gives; undefined where nothing of it stands in the file. */
function textOf (node, constants, tree, depth = 0) {
  if (depth > 8) return undefined
  const inner = each => textOf(each, constants, tree, depth + 1)
  const filled = ({ head, templateSpans }, part) =>
    head[part] + templateSpans.map(span => (inner(span.expression) ?? unknown) + span.literal[part]).join('')
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return inner(node.expression)
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'))
  if (ts.isIdentifier(node)) return constants.has(node.text) ? inner(constants.get(node.text)) : undefined
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return inner(node.expression)
  // String.raw`…`
  if (ts.isTaggedTemplateExpression(node)) {
    const { template } = node
    const raw = each => each.rawText ?? each.getText(tree)
    return ts.isNoSubstitutionTemplateLiteral(template)
      ? raw(template).replace(/^`|`$/g, '')
      : filled(template, 'rawText')
  }
  if (ts.isTemplateExpression(node)) return filled(node, 'text')
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [inner(node.left), inner(node.right)]
    return left === undefined && right === undefined ? undefined : (left ?? unknown) + (right ?? unknown)
  }
  return undefined
}
