// Before `npm test`: makes JavaScript of all tests, in `.tests` of each package, for `all.mjs`. What a test imports of
// the sources of its package it gets from `dist`, as everybody else does, so that its process needs no loader: Node 20
// asks a thread of its own about each module then, which was half of what a small test file cost. (`npx tap FILE` runs
// one file as it is, with its sources as they are.)
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from '../packages/test-loader/compiled.js'

export { root }

const compiledFolder = '.tests'
const isTest = file => file.endsWith('.test.ts') || file.endsWith('.long.ts')
const folders = [...readdirSync(path.join(root, 'packages')).map(name => `packages/${name}`), 'test-fixtures']
const { compilerOptions: { target, verbatimModuleSyntax } } =
  JSON.parse(readFileSync(path.join(root, 'tsconfig.base.json'), 'utf8'))
// Compiled tests name the files of this checkout: those of a copy are made anew.
const settings = readFileSync(path.join(root, 'tsconfig.base.json')) + readFileSync(fileURLToPath(import.meta.url)) + root

/**
 * Compiles what is new.
 * @returns {Promise<Map<string, string>>} the compiled tests by their sources, both from the root:
 * `packages/x/test/y.test.ts`. Those of minutes (`y.long.ts`) are left out
 */
export async function compileTests () {
  const tests = new Map()
  const changed = []
  for (const folder of folders) {
    const kept = new Set()
    for (const file of sourcesOf(folder)) {
      const compiled = compiledPath(file)
      kept.add(compiled)
      if (!isCurrent(file)) changed.push(file)
      if (file.endsWith('.test.ts')) tests.set(file, compiled)
    }
    for (const old of filesOf(path.join(folder, compiledFolder))) if (!kept.has(old)) rmSync(path.join(root, old))
  }
  if (changed.length > 0) await compile(changed)
  return tests
}

function sourcesOf (folder) {
  return [...filesOf(`${folder}/src`), ...filesOf(`${folder}/test`)]
    .filter(file => isOfTests(file) && !/\.d\.m?ts$/.test(file))
}

/** What runs in tests only: `src/x.test.ts`, and all of the folder `test`. The other sources are in `dist`. */
function isOfTests (file) {
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
function compiledPath (file) {
  const [, folder, rest] = /^(packages\/[^/]+|test-fixtures)\/(.*)$/.exec(file)
  return `${folder}/${compiledFolder}/${rest.replace(/ts$/, 'js')}`
}

/** The last line of a compiled file says what it was made of: the others stay where the source map has them. */
function stampOf (file) {
  const source = readFileSync(path.join(root, file), 'utf8')
  return `\n// ${createHash('sha1').update(`${settings}\0${source}`).digest('hex')}\n`
}

function isCurrent (file) {
  const compiled = path.join(root, compiledPath(file))
  return existsSync(compiled) && readFileSync(compiled, 'utf8').endsWith(stampOf(file))
}

/** Each file by itself: whatever it imports is another module, under the name that `addressOf` gives it. */
async function compile (files) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    // As deep as the compiled files, so that source maps lead to the sources from there.
    outbase: '.',
    outdir: compiledFolder,
    write: false,
    metafile: true,
    bundle: true,
    plugins: [{ name: 'addresses', setup: onlyAddresses }],
    treeShaking: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.10',
    sourcemap: 'inline',
    define: { 'import.meta': 'importMeta' },
    tsconfigRaw: { compilerOptions: { target, verbatimModuleSyntax } },
    logLevel: 'warning'
  })
  const texts = new Map(outputFiles.map(({ path: file, text }) => [path.relative(root, file), text]))
  for (const [name, { entryPoint }] of Object.entries(metafile.outputs)) {
    const target = path.join(root, compiledPath(entryPoint))
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, metaOf(entryPoint) + texts.get(name) + stampOf(entryPoint))
  }
}

function onlyAddresses ({ onResolve }) {
  onResolve({ filter: /.*/ }, ({ path: name, importer, kind }) => {
    if (kind === 'entry-point') return undefined
    const isRelative = name.startsWith('.')
    return { path: isRelative || name === 'tap' ? addressOf(path.relative(root, importer), name) : name, external: true }
  })
}

/** What a test has as `import.meta`: that of its source, so that it finds what lies beside it. On the first line. */
function metaOf (file) {
  const url = pathToFileURL(path.join(root, file)).href
  const dirname = path.dirname(path.join(root, file))
  return `const importMeta = { url: ${JSON.stringify(url)}, dirname: ${JSON.stringify(dirname)}, ` +
    'resolve: name => name.startsWith(".") ? new URL(name, importMeta.url).href : import.meta.resolve(name) }; '
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
  const found = !isSource ? meant : isOfTests(source) ? compiledPath(source) : meant.replace('/src/', '/dist/')
  return pathToFileURL(path.join(root, found)).href
}
