// Whether each value that a published package exports says what it does and shows it: a docstring with a block of code.
// Types are left out, and the errors: their table in the README says when they are thrown.
// Seen to fail: nearest.ts without its example.
import path from 'node:path'
import ts from 'typescript'
import { lineAt, packages, read, root } from './files.mjs'

/** The sources of what package.json exports: `./dist/entries/remote.js` is `src/entries/remote.ts`. */
export function entryPoints () {
  return packages().flatMap(name => {
    const folder = `packages/${name}`
    const { private: isPrivate, exports = {} } = JSON.parse(read(`${folder}/package.json`))
    if (isPrivate) return []
    return Object.entries(exports).flatMap(([entry, target]) => {
      const { default: bundled, unbundled: built = bundled } =
        typeof target === 'string' ? { default: target } : target.import ?? target
      if (!built.startsWith('./dist/')) return []
      return [{ entry: path.posix.join(name, entry), file: `${folder}/src/${built.slice(7).replace(/\.js$/, '.ts')}` }]
    })
  })
}

/**
 * Values that are called or made: { entry, name, file, line, signature, text }, where `text` is the docstring. What a
 * entry passes on from another package is looked at there.
 */
export function exportedValues () {
  const entries = entryPoints()
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.base.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const files = entries.map(({ file }) => path.join(root, file))
  const program = ts.createProgram(files, { ...options, noEmit: true, composite: false, incremental: false })
  const checker = program.getTypeChecker()
  return entries.flatMap(({ entry, file }) => {
    const source = program.getSourceFile(path.join(root, file))
    return checker.getExportsOfModule(checker.getSymbolAtLocation(source))
      .filter(({ declarations }) => !declarations.some(ts.isTypeOnlyExportDeclaration))
      .flatMap(exported => valuesOf(entry, exported, checker))
  })
}

/** What an export stands for, if it is called; of a namespace its members that are. */
function valuesOf (entry, exported, checker, prefix = '') {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const name = prefix + exported.name
  if (name === 'errors' || (symbol.flags & ts.SymbolFlags.Value) === 0) return []
  if (symbol.flags & ts.SymbolFlags.ValueModule) {
    // A module may export itself, as its default.
    if (prefix.length > 0 || name === 'default') return []
    return checker.getExportsOfModule(symbol).flatMap(each => valuesOf(entry, each, checker, `${name}.`))
  }
  const { valueDeclaration: declaration } = symbol
  const source = declaration.getSourceFile()
  const file = path.relative(root, source.fileName).replaceAll(path.sep, '/')
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration)
  if (!/^packages\/[^/]+\/src\//.test(file) || !isCalled(type) || makesErrors(type)) return []
  const line = lineAt(source.text, declaration.getStart())
  const signature = signatureOf(name, type, declaration, checker)
  return [{ entry, name, file, line, signature, text: docstring(symbol) }]
}

/** How a value is called or made: one line for each signature. */
function signatureOf (name, type, declaration, checker) {
  const write = signature => checker.signatureToString(signature, declaration, ts.TypeFormatFlags.NoTruncation)
  const calls = type.getCallSignatures().map(signature => `${name}${write(signature)}`)
  const makes = type.getConstructSignatures().map(signature => `new ${name}${write(signature)}`)
  return [...new Set([...calls, ...makes])].join('\n')
}

export const isCalled = type => type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0

const makesErrors = type => type.getConstructSignatures().some(signature => {
  const made = signature.getReturnType()
  return made.getProperty('stack') !== undefined && made.getProperty('message') !== undefined
})

/** All docstrings of what has this name: signatures of a function, a type and its constructor. */
const docstring = ({ declarations }) => declarations
  .flatMap(declaration => ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc))
  .map(each => each.getText())
  .join('\n')

const example = /^\s*\* ```[jt]s$[^]*?^\s*\* ```$/m

/** One fault for each declaration, by the first name that it is exported under. */
export function checkEntryPoints () {
  const faults = new Map()
  for (const { name, file, line, text } of exportedValues()) {
    const place = `${file}:${line}`
    if (example.test(text) || faults.has(place)) continue
    faults.set(place, `${place}: ${name} is exported, and its docstring has no example (a block marked js)`)
  }
  return [...faults.values()]
}
