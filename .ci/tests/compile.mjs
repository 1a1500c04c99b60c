// Before `npm test`: makes JavaScript of all tests, in `.tests` of each package, for `all.mjs`. What a test imports of
// the sources of its package it gets from `dist`, as everybody else does, so that its process needs no loader: Node 20
// asks a thread of its own about each module then, which was half of what a small test file cost. (`npx tap FILE` runs
// one file as it is, with its sources as they are.)
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { moduleOptions, root } from '../packages/test-loader/compiled.js'

export { root }

const compiledRoom = '.tests'
const isTest = file => file.endsWith('.test.ts') || file.endsWith('.long.ts')
const rooms = [...readdirSync(path.join(root, 'packages')).map(name => `packages/${name}`), 'test-fixtures']

/** The compiler is loaded when a file is new or has changed. */
let typescript
const ts = () => (typescript ??= createRequire(import.meta.url)('typescript'))
// Compiled tests name the files of this checkout: those of a copy are made anew.
const settings = readFileSync(path.join(root, 'tsconfig.base.json')) + readFileSync(fileURLToPath(import.meta.url)) + root

/**
 * Compiles what is new.
 * @returns the compiled tests by their sources, both from the root: `packages/x/test/y.test.ts`. Those of minutes
 * (`y.long.ts`) are left out
 */
export function compileTests () {
  const tests = new Map()
  for (const room of rooms) {
    const kept = new Set()
    for (const file of sourcesOf(room)) {
      const target = placeOf(file)
      kept.add(target)
      compile(file, target)
      if (file.endsWith('.test.ts')) tests.set(file, target)
    }
    for (const old of filesOf(path.join(room, compiledRoom))) if (!kept.has(old)) rmSync(path.join(root, old))
  }
  return tests
}

function sourcesOf (room) {
  return [...filesOf(`${room}/src`), ...filesOf(`${room}/test`)].filter(file => inTests(file) && !/\.d\.m?ts$/.test(file))
}

/** What runs in tests only: `src/x.test.ts`, and all of the folder `test`. The other sources are in `dist`. */
function inTests (file) {
  return /\.m?ts$/.test(file) && (isTest(file) || /^(packages\/[^/]+|test-fixtures)\/test\//.test(file))
}

function filesOf (folder) {
  const dir = path.join(root, folder)
  if (!existsSync(dir)) return []
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile() && !each.parentPath.includes('node_modules'))
    .map(each => path.relative(root, path.join(each.parentPath, each.name)))
}

/** `packages/x/test/y.test.ts` → `packages/x/.tests/test/y.test.js` */
function placeOf (file) {
  const [, room, rest] = /^(packages\/[^/]+|test-fixtures)\/(.*)$/.exec(file)
  return `${room}/${compiledRoom}/${rest.replace(/ts$/, 'js')}`
}

function compile (file, target) {
  const source = readFileSync(path.join(root, file), 'utf8')
  // Last, so that the lines stay where the source map has them.
  const stamp = `\n// ${createHash('sha1').update(`${settings}\0${source}`).digest('hex')}\n`
  const place = path.join(root, target)
  if (existsSync(place) && readFileSync(place, 'utf8').endsWith(stamp)) return
  const { outputText } = ts().transpileModule(source, {
    fileName: path.join(root, file),
    compilerOptions: { ...moduleOptions(ts()), sourceRoot: path.dirname(path.join(root, file)) + path.sep },
    transformers: { before: [context => tree => inPlace(file, tree, context)] }
  })
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, metaOf(file) + outputText + stamp)
}

/** What a test has as `import.meta`: that of its source, so that it finds what lies beside it. On the first line. */
function metaOf (file) {
  const url = pathToFileURL(path.join(root, file)).href
  const dirname = path.dirname(path.join(root, file))
  return `const importMeta = { url: ${JSON.stringify(url)}, dirname: ${JSON.stringify(dirname)}, ` +
    'resolve: name => name.startsWith(".") ? new URL(name, importMeta.url).href : import.meta.resolve(name) }; '
}

/** Names of modules as seen from the compiled file. */
function inPlace (file, tree, context) {
  const {
    factory, isCallExpression, isExportDeclaration, isImportDeclaration, isMetaProperty, isStringLiteral,
    visitEachChild, visitNode, SyntaxKind
  } = ts()
  const named = name => factory.createStringLiteral(addressOf(file, name.text), true)
  const visit = node => {
    if (isMetaProperty(node)) return factory.createIdentifier('importMeta')
    const name = isImportDeclaration(node) || isExportDeclaration(node) ? node.moduleSpecifier : undefined
    if (name?.text.startsWith('.') || name?.text === 'tap') {
      const { modifiers, attributes } = node
      return isImportDeclaration(node)
        ? factory.updateImportDeclaration(node, modifiers, node.importClause, named(name), attributes)
        : factory.updateExportDeclaration(node, modifiers, node.isTypeOnly, node.exportClause, named(name), attributes)
    }
    if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      if (argument !== undefined && isStringLiteral(argument) && argument.text.startsWith('.')) {
        return factory.updateCallExpression(node, node.expression, undefined, [named(argument)])
      }
    }
    return visitEachChild(node, visit, context)
  }
  return visitNode(tree, visit)
}

/**
 * Where a test at `file` finds what it calls `name`: a compiled test or helper, a built source, or a file as it is.
 * `tap` is what several files can share.
 */
function addressOf (file, name) {
  if (name === 'tap') return new URL('tap.mjs', import.meta.url).href
  const meant = path.join(path.dirname(file), name)
  const source = meant.replace(/js$/, 'ts')
  const isSource = /\.m?js$/.test(meant) && existsSync(path.join(root, source)) && !source.endsWith('.d.ts')
  const place = !isSource ? meant : inTests(source) ? placeOf(source) : meant.replace('/src/', '/dist/')
  return pathToFileURL(path.join(root, place)).href
}
