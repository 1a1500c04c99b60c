/** Tells esbuild what becomes part of a built server, what stays in `node_modules`, and where modules find files. */
import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { OnLoadResult, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild'

export interface BundledPackagesOptions {
  /** The built folder: files are named as seen from there, as both may be moved together. */
  readonly out: string
  /** The text of `server.js`, as a module beside this one. */
  readonly server: string
}

/** Plugins that are loaded where a folder needs them, as is all that is imported within a function. */
const taken = /^@fastify\/|^helmet$/

/** Commands of the command line; a server needs one of them. */
const otherCommand = /^\.\/commands\/(?!serve\.js$)/

/** On what `build.resolve` asks: it is answered by esbuild. */
const asked = Symbol('asked')

export function bundledPackages ({ out, server }: BundledPackagesOptions): Plugin {
  const fromOut = (file: string): string => {
    const relative = path.relative(out, file).split(path.sep).join('/')
    return relative.startsWith('.') ? relative : `./${relative}`
  }
  return {
    name: 'house',
    setup (build) {
      const here = build.initialOptions.absWorkingDir as string
      build.onResolve({ filter: /^server$/ }, ({ kind }) =>
        kind === 'entry-point' ? { path: 'server.js', namespace: 'house' } : undefined)
      build.onLoad({ filter: /./, namespace: 'house' }, () => ({ contents: server, resolveDir: here }))
      build.onResolve({ filter: /./ }, async given => await outside(build, given, fromOut))
      build.onLoad({ filter: /\.[cm]?js$/ }, async ({ path: file }) => await inPlace(file, fromOut))
    }
  }
}

/** What is loaded within a function stays where it is installed, unless it is part of the house. */
async function outside (
  build: PluginBuild, given: OnResolveArgs, fromOut: (file: string) => string
): Promise<OnResolveResult | undefined> {
  const { path: name, kind, importer, resolveDir, pluginData } = given
  if (pluginData === asked || kind !== 'dynamic-import' || name.startsWith('node:')) return undefined
  const isHouse = name.startsWith('.') || name.startsWith('@fastback/')
  if ((isHouse && !otherCommand.test(name)) || taken.test(name)) return undefined
  const found = await build.resolve(name, { kind, importer, resolveDir, pluginData: asked })
  // One that is not installed is reported when it is needed, as in a server that was not built.
  return { path: found.errors.length > 0 ? name : fromOut(await realpath(found.path)), external: true }
}

/** A module that looks for files beside itself finds them where it came from. */
async function inPlace (file: string, fromOut: (file: string) => string): Promise<OnLoadResult | undefined> {
  const text = await readFile(file, 'utf8')
  const place = JSON.stringify(fromOut(file))
  if (text.includes('import.meta.url')) return { contents: `const __address = __at(${place});${text}` }
  if (!/\b__(?:dirname|filename)\b/.test(text) || /^(?:import|export)\b/m.test(text)) return undefined
  const dirname = JSON.stringify(fromOut(path.dirname(file)))
  return { contents: `var __filename = __fileURLToPath(__at(${place})), __dirname = __fileURLToPath(__at(${dirname}));${text}` }
}
