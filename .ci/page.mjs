// Makes the page of `packages/ui` from `src/page`: modules for browsers that share their chunks, with the libraries
// they are made of, the styles, the icons that are used as one sprite, the licences of the libraries, and
// `files.json`, the list of what a server may send. Called by the build.
import { readFile, readdir, mkdir, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('../packages/ui', import.meta.url))
const source = path.join(folder, 'src/page')
const target = path.join(folder, 'page')

export async function bundlePage () {
  const { outputFiles, metafile } = await build({
    write: false,
    metafile: true,
    absWorkingDir: folder,
    entryPoints: ['src/page/main.tsx', 'src/page/models/picture/layout-worker.ts'],
    outdir: 'page',
    entryNames: '[name]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome119', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning'
  })
  const styles = await build({
    write: false, absWorkingDir: folder, entryPoints: ['src/page/styles/page.css'], outdir: 'page', bundle: true, minify: true,
    target: ['chrome119', 'firefox120', 'safari17.5'], logLevel: 'warning'
  })
  const files = new Map([...outputFiles, ...styles.outputFiles].map(file => [path.basename(file.path), file.contents]))
  files.set('icon.svg', await readFile(path.join(folder, 'assets/icon.svg')))
  files.set('index.html', await startPage(metafile))
  files.set('icons.svg', await sprite())
  files.set('licences.txt', await licencesOf(Object.keys(metafile.inputs)))
  await rm(target, { recursive: true, force: true })
  await mkdir(target)
  await Promise.all([...files].map(([name, contents]) => writeFile(path.join(target, name), contents)))
  await writeFile(path.join(target, 'files.json'), JSON.stringify([...files.keys()].sort()))
}

/** The page names what its first script imports: a browser would find one file after the other. */
async function startPage ({ outputs }) {
  const imported = new Set()
  const follow = file => {
    for (const { path: name, kind } of outputs[file].imports) {
      if (kind !== 'import-statement' || imported.has(name)) continue
      imported.add(name)
      follow(name)
    }
  }
  follow('page/main.js')
  const links = [...imported].map(file => `<link rel="modulepreload" href="${path.basename(file)}">`)
  const html = await readFile(path.join(folder, 'assets/index.html'), 'utf8')
  return html.replace('<!-- preloaded -->', links.join('\n'))
}

/** The icons that sources name, by `<Icon name="…"/>` and the type `IconName`, as symbols of one file. */
async function sprite () {
  const require = createRequire(path.join(folder, 'package.json'))
  const list = await readFile(path.join(source, 'components/icon-names.ts'), 'utf8')
  const names = [...list.matchAll(/'([a-z0-9-]+)'/g)].map(([, name]) => name)
  const symbols = await Promise.all(names.map(async name => {
    const svg = await readFile(require.resolve(`lucide-static/icons/${name}.svg`), 'utf8')
    const inner = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>')).replace(/\s*\n\s*/g, '')
    return `<symbol id="${name}" viewBox="0 0 24 24">${inner}</symbol>`
  }))
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`
}

/** The licence texts of the packages whose code is in the bundle. */
async function licencesOf (inputs) {
  const folders = new Set(['lucide-static', ...inputs.flatMap(file => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [])])
  const texts = await Promise.all([...folders].sort().map(async each => {
    const dir = each === 'lucide-static'
      ? path.dirname(createRequire(path.join(folder, 'package.json')).resolve('lucide-static/package.json'))
      : path.join(folder, each)
    const { name, version, license } = JSON.parse(await readFile(path.join(dir, 'package.json'), 'utf8'))
    const file = (await readdir(dir)).find(name => /^licen[cs]e/i.test(name))
    const text = file === undefined ? '' : `\n${(await readFile(path.join(dir, file), 'utf8')).trim()}\n`
    return `${name} ${version} (${license})\n${text}`
  }))
  return texts.join('\n----\n\n')
}

if (existsSync(process.argv[1]) && fileURLToPath(import.meta.url) === path.resolve(process.argv[1])) await bundlePage()
