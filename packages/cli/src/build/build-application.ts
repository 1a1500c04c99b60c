/** `fastback build`: the server of a folder as a few files, which start faster than the packages they are made of. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { layoutOf } from '../model-files/layout.js'
import { loadEsbuild } from './esbuild.js'
import { bundledPackages } from './bundled-packages.js'
import { importsModules } from './imports-modules.js'
import { packageEntries, type PackageEntry } from './packages.js'

export interface BuildOptions {
  /** The folder that is written. Default: `.fastback` in the application's. */
  readonly out?: string | undefined
}

export interface Built {
  /** What Node runs: `node .fastback/server.js`, with the options of `fastback serve`. */
  readonly server: string
  /** How many files were written. */
  readonly files: number
}

/**
 * Writes a server that serves the folder as `fastback serve` does. The framework and what it always loads is within;
 * definitions, configuration and code of the folder are read where they are, at each start.
 *
 * ```js
 * const { server } = await buildApplication('my-app')
 * console.log(server) // '/srv/my-app/.fastback/server.js'
 * ```
 * @throws FBK_CLI_NO_FOLDER; FBK_CLI_ESBUILD_MISSING
 */
export async function buildApplication (dir: string, options: BuildOptions = {}): Promise<Built> {
  const root = path.resolve(dir)
  layoutOf(root)
  const out = path.resolve(root, options.out ?? '.fastback')
  const { build } = loadEsbuild(root)
  const entries = packageEntries(fileURLToPath(new URL('../../package.json', import.meta.url)))
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const { outputFiles } = await build({
    absWorkingDir: path.dirname(fileURLToPath(import.meta.url)),
    entryPoints: [{ in: 'server', out: 'server' }, ...entries.map(({ file, out }) => ({ in: file, out }))],
    outdir: out,
    chunkNames: 'part-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Of a package that has both, the form that esbuild can take apart.
    mainFields: ['module', 'main'],
    conditions: ['unbundled'],
    define: { 'import.meta.url': '__address' },
    banner: { js: banner },
    logLevel: 'error',
    // Packages say that importing them alone does nothing, and some import a sibling for its types.
    logOverride: { 'ignored-bare-import': 'silent' },
    plugins: [bundledPackages({ out, server: serverText(root, out, entries) })]
  })
  await writeFile(path.join(out, 'package.json'), '{ "type": "module", "private": true }\n')
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)))
  return { server: path.join(out, 'server.js'), files: outputFiles.length + 1 }
}

/** Modules of CommonJS within ask for Node's own by `require`; all that look for files beside themselves, by `__at`. */
const banner = [
  'import { createRequire as __createRequire } from \'node:module\'',
  'import { fileURLToPath as __fileURLToPath } from \'node:url\'',
  'const require = __createRequire(import.meta.url)',
  'const __at = file => new URL(file, import.meta.url).href'
].join('\n')

/** What `server.js` is made of. The folder is named as seen from there: both may be moved together. */
function serverText (root: string, out: string, entries: readonly PackageEntry[]): string {
  const places = Object.fromEntries(entries.map(({ name, out }) => [name, `./${out}.js`]))
  const dir = `${path.relative(out, root).split(path.sep).join('/')}/`
  return `
    import module from 'node:module'
    import { fileURLToPath } from 'node:url'
    module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE ?? fileURLToPath(__at('./.cache')))
    const [{ main }, { useBuilt }] = await Promise.all([import('../main.js'), import('./built-names.js')])
    useBuilt(${JSON.stringify(places)}, __at('./'), ${String(importsModules(root))})
    process.exitCode = await main(['serve', fileURLToPath(__at(${JSON.stringify(dir)})), ...process.argv.slice(2)])
  `
}
