// The types that packages export, as the compiler has written them down: interfaces, types, members of classes,
// constants. Read from what was built, so that types which are worked out stand there as what they are.
import path from 'node:path'
import ts from 'typescript'
import { entryPoints, isCalled } from './entries.mjs'
import { root } from './files.mjs'

const declarationOf = file => path.join(root, file.replace('/src/', '/dist/').replace(/\.ts$/, '.d.ts'))

/**
 * @returns { entry, owner, name, code, text, mentions }, each type once: at the first entry point that has it. `text`
 * is the docstring, `mentions` are the exported types that it names, as { owner, name }. What an entry point passes on
 * from another package is { entry, owner, name } with that package as its owner, and nothing else.
 */
export function exportedTypes () {
  const entries = entryPoints()
  const program = ts.createProgram(entries.map(({ file }) => declarationOf(file)), {
    module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, target: ts.ScriptTarget.ES2023,
    noEmit: true, skipLibCheck: true
  })
  const checker = program.getTypeChecker()
  const known = new Map()
  const found = entries.flatMap(({ entry, file }) => {
    const source = program.getSourceFile(declarationOf(file))
    return checker.getExportsOfModule(checker.getSymbolAtLocation(source)).flatMap(exported => {
      const symbol = original(exported, checker)
      const declarations = (symbol.declarations ?? []).filter(each => isShown(each, checker))
      const owner = ownerOf(declarations[0])
      if (owner === undefined || exported.name === 'default') return []
      const isHere = entry.split('/')[0] === owner
      if (!isHere) return [{ entry, owner, name: exported.name }]
      if (known.has(symbol)) return []
      known.set(symbol, { owner, name: exported.name })
      return [{ entry, owner, name: exported.name, symbol, declarations }]
    })
  })
  return found.map(({ symbol, declarations, ...each }) => symbol === undefined
    ? each
    : {
        ...each,
        code: declarations.map(declaration => codeOf(declaration, each.name, checker)).join('\n\n'),
        text: declarations.flatMap(docsOf).join('\n'),
        mentions: mentionsOf(declarations, checker).map(other => known.get(other))
          .filter(other => other !== undefined && other.name !== each.name)
      })
}

const original = (symbol, checker) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

const ownerOf = declaration =>
  /packages\/([^/]+)\/dist\//.exec(declaration?.getSourceFile().fileName.replaceAll(path.sep, '/') ?? '')?.[1]

/** Functions stand on the page of what is called, and errors in their tables. */
function isShown (declaration, checker) {
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) return true
  if (ts.isClassDeclaration(declaration) || ts.isEnumDeclaration(declaration)) return true
  return ts.isVariableDeclaration(declaration) && !isCalled(checker.getTypeAtLocation(declaration))
}

const docsOf = declaration => ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc).map(each => each.getText())

/** A declaration without what is nobody else's: private members, and words that say that it is exported. */
function codeOf (declaration, name, checker) {
  const text = ts.isTypeAliasDeclaration(declaration) && isWorkedOut(declaration.type)
    ? `type ${name} = ${workedOut(declaration, checker)}`
    : ts.isClassDeclaration(declaration)
      ? withoutPrivate(declaration)
      : ts.isVariableDeclaration(declaration) ? `const ${declaration.getText()}` : declaration.getText()
  return text.replace(/^export (?:default )?/, '').replace(/^declare /, '')
    .replaceAll(/^( {4})+/gm, indent => indent.slice(indent.length / 2)).replaceAll(/;$/gm, '')
}

/** `Static<typeof OptionsSchema>` tells nothing to a reader: what it stands for does. */
const isWorkedOut = node => /\bStatic</.test(node.getText())

function workedOut (declaration, checker) {
  const { NoTruncation, InTypeAlias, MultilineObjectLiterals, IgnoreErrors } = ts.NodeBuilderFlags
  const type = checker.getTypeAtLocation(declaration)
  const flags = NoTruncation | InTypeAlias | MultilineObjectLiterals | IgnoreErrors
  const node = checker.typeToTypeNode(type, declaration, flags)
  return ts.createPrinter().printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile())
}

function withoutPrivate (declaration) {
  const text = declaration.getText()
  const from = declaration.getStart()
  const hidden = declaration.members.filter(member =>
    (member.name !== undefined && ts.isPrivateIdentifier(member.name)) ||
    (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0)
  return hidden.toReversed().reduce(
    (left, member) => left.slice(0, member.getFullStart() - from) + left.slice(member.getEnd() - from), text)
}

/** What declarations name, each once, in the order in which it stands there. */
function mentionsOf (declarations, checker) {
  const symbols = new Set()
  const visit = node => {
    const { parent } = node
    if (ts.isIdentifier(node) && (ts.isTypeReferenceNode(parent) || ts.isExpressionWithTypeArguments(parent))) {
      const symbol = checker.getSymbolAtLocation(node)
      if (symbol !== undefined) symbols.add(original(symbol, checker))
    }
    ts.forEachChild(node, visit)
  }
  declarations.forEach(visit)
  return [...symbols]
}
