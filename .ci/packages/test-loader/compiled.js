import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const cache = path.join(root, 'node_modules/.cache/tests')
const { version } = createRequire(import.meta.url)('typescript/package.json')
const settings = `${version} ${readFileSync(path.join(root, 'tsconfig.base.json'))}`

/** Where the JavaScript of a file is kept: named by what it is made of, so that nothing old is ever taken. */
export const place = (file, source) =>
  path.join(cache, createHash('sha1').update(`${settings}\0${file}\0${source}`).digest('hex') + '.js')

/** The JavaScript of a file, with its source map. */
export async function compiled (file) {
  const source = await readFile(file, 'utf8')
  const target = place(file, source)
  const kept = await readFile(target, 'utf8').catch(() => undefined)
  if (kept !== undefined) return kept
  transpile ??= await transpiler()
  const made = transpile(file, source)
  // In one step: another test may read it at the same time.
  await mkdir(cache, { recursive: true })
  const stage = `${target}.${process.pid}`
  await writeFile(stage, made)
  await rename(stage, target)
  return made
}

let transpile

/** Leaves out the types; `npm run types` checks them. The compiler is loaded when a file is new to the cache. */
async function transpiler () {
  const { default: ts } = await import('typescript')
  const compilerOptions = moduleOptions(ts)
  return (fileName, source) => ts.transpileModule(source, { fileName, compilerOptions }).outputText
}

/** Those of all packages, for modules whose source map is within. */
function moduleOptions (ts) {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.base.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  return { ...options, module: ts.ModuleKind.ESNext, sourceMap: false, inlineSourceMap: true }
}
