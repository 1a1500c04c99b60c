// Makes `bundle` of each package from its `dist`: one ES module for each entry point, and chunks that they share, so
// that a start loads some dozens of files and not a thousand. Node takes 0.3 to 0.5 ms of the processor for each
// module, whatever is in it. What the entry points are is read from package.json: an entry of `exports` or `imports`
// whose condition "unbundled" names the file in `dist` and "default" the one in `bundle`.
//
// With `node --conditions=unbundled` the files in `dist` are used, of all packages. Tests run so, as a unit test loads
// single files of its package: beside a bundle these would be a second copy.
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Trees of many small ES modules: they become part of core's bundle, and the others' come to them through its entry
 * point.
 */
const within = new Map([
  ['@sinclair/typebox', '@fastback/core/typebox'],
  ['@sinclair/typebox/errors', undefined],
  ['uuid', undefined]
])

export async function bundlePackages () {
  const names = (await readdir(path.join(root, 'packages'))).sort()
  await Promise.all(names.map(name => bundlePackage(path.join(root, 'packages', name))))
}

async function bundlePackage (folder) {
  if (!existsSync(path.join(folder, 'package.json'))) return
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  const entryPoints = entryPointsOf(manifest)
  if (entryPoints.size === 0) return
  const { outputFiles } = await build({
    write: false,
    absWorkingDir: folder,
    entryPoints: [...entryPoints].map(([out, file]) => ({ in: file, out })),
    outdir: 'bundle',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': '__address' },
    banner: { js: 'const __at = file => new URL(file, import.meta.url).href' },
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    // Packages say that importing them alone does nothing, and some import a sibling for its types.
    logOverride: { 'ignored-bare-import': 'silent' },
    plugins: [packagesOutside(manifest.name), addressesAsBuilt(path.join(folder, 'dist'))]
  })
  const target = path.join(folder, 'bundle')
  await rm(target, { recursive: true, force: true })
  await mkdir(target)
  await Promise.all(outputFiles.map(file => writeFile(file.path, withOwnNames(file.text))))
}

/** esbuild writes `var Note = class _Note` of a class that names itself; its name is seen, in errors and by code. */
function withOwnNames (text) {
  const names = [...text.matchAll(/^var (\w+) = class _\1\b/gm)].map(([, name]) => name)
  return names.reduce((result, name) => result.replace(new RegExp(`(?<![\\w.])_${name}\\b`, 'g'), name), text)
}

/** Files in `dist` by the names of their bundles. @throws where two files would have the same bundle */
function entryPointsOf ({ name, exports = {}, imports = {} }) {
  const entryPoints = new Map()
  for (const target of [...Object.values(exports), ...Object.values(imports)]) {
    const { unbundled, default: bundled } = target.import ?? target
    if (unbundled === undefined) continue
    const out = /^\.\/bundle\/([\w-]+)\.js$/.exec(bundled)?.[1]
    if (out === undefined || (entryPoints.get(out) ?? unbundled) !== unbundled) {
      throw new Error(`${name}: "${bundled}" must be ./bundle/NAME.js, and of one file only`)
    }
    entryPoints.set(out, unbundled)
  }
  return entryPoints
}

/** Other packages stay what they are, in the application's node_modules. */
function packagesOutside (name) {
  return {
    name: 'packages outside',
    setup (build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path: named, kind, importer }) => {
        if (kind === 'entry-point') return
        // What is taken in may take in more of its own package.
        if (within.has(named) && name === '@fastback/core') return
        if (importer.includes('/node_modules/') && !named.startsWith('node:')) return
        return { path: within.get(named) ?? named, external: true }
      })
    }
  }
}

/** A module that looks for a file beside itself still finds it, beside its file in `dist`. */
function addressesAsBuilt (dist) {
  return {
    name: 'addresses as built',
    setup (build) {
      build.onLoad({ filter: /\.js$/ }, async ({ path: file }) => {
        if (!file.startsWith(dist + path.sep)) return
        const text = await readFile(file, 'utf8')
        if (!text.includes('import.meta.url')) return
        const address = `../dist/${path.relative(dist, file).split(path.sep).join('/')}`
        // On the first line, so that the lines stay where the source map has them.
        return { contents: `const __address = __at('${address}');${text}`, loader: 'js' }
      })
    }
  }
}
