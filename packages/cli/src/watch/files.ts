/** Tells when the files change that an application is made of, and not those that it writes. */
import { existsSync, readdirSync, readFileSync, statSync, watch, type FSWatcher } from 'node:fs'
import path from 'node:path'

/** What a start reads. Declarations are for editors. */
const ofApplications = /(?<!\.d)\.(?:[cm]?js|[cm]?ts|jsx|tsx|json|ya?ml|env|sql|node)$/

const leftOut = new Set(['node_modules', 'coverage', 'data', 'log', 'logs', 'tmp', 'temp', 'storage', 'uploads'])

/** Milliseconds in which several changes are one: editors write a file in steps. */
const pause = 30

export interface WatchedFiles {
  close (): void
}

/**
 * Watches a folder with all below it, except `node_modules`, folders for data, logs and temporary files, hidden ones,
 * and the places that its data sources name.
 * @param further files outside of it, or hidden ones
 * @param changed gets the paths of the changed files
 */
export function watchFiles (
  dir: string,
  further: readonly string[],
  changed: (files: readonly string[]) => void
): WatchedFiles {
  const root = path.resolve(dir)
  const stored = placesOfData(root)
  const watchers = new Map<string, FSWatcher>()
  const versions = new Map<string, string>()
  const found = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const isWatched = (file: string): boolean => further.includes(file) || ofApplications.test(file)
  const isLeftOut = (folder: string, name: string): boolean =>
    name.startsWith('.') || leftOut.has(name) || stored.has(path.join(folder, name))

  const look = (file: string): void => {
    const version = versionOf(file)
    if (versions.get(file) === version) return
    if (version === undefined) versions.delete(file)
    else versions.set(file, version)
    found.add(file)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const files = [...found].map(each => path.relative(root, each))
      found.clear()
      changed(files)
    }, pause)
  }

  const enter = (folder: string, first: boolean): void => {
    if (watchers.has(folder)) return
    const watcher = watch(folder, (_, name) => {
      if (name !== null) meet(folder, name, false)
    })
    const leave = (): void => {
      watcher.close()
      watchers.delete(folder)
    }
    watcher.on('error', leave)
    watchers.set(folder, watcher)
    for (const name of readdirSync(folder)) meet(folder, name, first)
  }

  const meet = (folder: string, name: string, first: boolean): void => {
    const file = path.join(folder, name)
    if (!further.includes(file) && isLeftOut(folder, name)) return
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats?.isDirectory() === true) enter(file, first)
    else if (isWatched(file)) {
      if (first) versions.set(file, versionOf(file) ?? '')
      else look(file)
    }
  }

  enter(root, true)
  for (const file of further) {
    if (file.startsWith(root + path.sep)) continue
    const watcher = watch(path.dirname(file), (_, name) => { if (name === path.basename(file)) look(file) })
    watchers.set(file, watcher)
  }
  return {
    close () {
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
    }
  }
}

/** Undefined of a file that is not there. */
function versionOf (file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.mtimeMs} ${stats.size} ${stats.ino}`
}

/** Paths that settings of data sources name: what the application keeps there is not what it is made of. */
function placesOfData (root: string): ReadonlySet<string> {
  const places = new Set<string>()
  for (const folder of [root, path.join(root, 'server')]) {
    const files = existsSync(folder) ? readdirSync(folder).filter(name => /^datasources(?:\.[\w.-]+)?\.json$/.test(name)) : []
    for (const file of files) {
      for (const value of settingsIn(path.join(folder, file))) {
        const named = value.replace(/^sqlite:(?:\/\/)?/, '').replace(/\$\{DATA_DIR\}/, process.env.DATA_DIR ?? 'data')
        for (const place of [path.resolve(root, named), path.resolve(folder, named)]) {
          if (place.startsWith(root + path.sep) && place !== folder) places.add(place)
        }
      }
    }
  }
  return places
}

function settingsIn (file: string): string[] {
  try {
    const sources = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return Object.values(sources).flatMap(source => typeof source === 'object' && source !== null
      ? Object.entries(source).flatMap(([key, value]: [string, unknown]) => typeof value === 'string' && key !== 'connector' ? [value] : [])
      : [])
  } catch {
    // The start says what is wrong with it.
    return []
  }
}
