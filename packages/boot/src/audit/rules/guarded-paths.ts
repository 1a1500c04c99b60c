/** Guards that stand on paths, and the models whose routes are below them. */
import { restRoutes } from '@fastback/rest'
import { withoutEndSlashes } from '@fastback/core/remote'
import { usedPaths } from '../../app/middleware.js'
import type { FindingLocation } from '../finding.js'
import type { PublishedModel, FolderSubject } from '../subject.js'
import { entriesOf } from './middleware.js'
import { providerOf } from './oauth2.js'

export interface PathGuard {
  /** As it is named in the file. */
  readonly name: string
  /** Literal ones; `/` for everything. */
  readonly paths: readonly string[]
  readonly place: FindingLocation
}

const oauthNames = ['@fastback/oauth2#authenticate', 'loopback-component-oauth2#authenticate']

/** Where tokens of the OAuth provider are asked for. */
export function oauthGuards (subject: FolderSubject): PathGuard[] {
  const provider = providerOf(subject)
  if (provider === undefined || !provider.settings.resourceServer) return []
  return [
    ...provider.settings.authenticate.map(({ paths }) => ({
      name: 'authenticate',
      paths: literals([paths].flat()),
      place: provider.place('authenticate')
    })),
    ...entriesOf(subject, ...oauthNames).map(entry => ({
      name: entry.written,
      paths: literals(entry.paths),
      place: entry.place()
    }))
  ]
}

/** Middleware of the folder's own that stands on paths. Whether it guards them, only its author knows. */
export function ownGuards (subject: FolderSubject): PathGuard[] {
  const own = subject.configuration.middleware.entries.filter(
    ({ written, paths }) => /^\.{0,2}\//.test(written) && paths.length > 0
  )
  const used = (subject.app as { [usedPaths]?: ReadonlyArray<ReadonlyArray<string | RegExp>> })[usedPaths] ?? []
  const place = {
    file: subject.configuration.folder.name(subject.configuration.folder.path('boot')),
    key: '',
    line: undefined
  }
  const listed = new Set(own.map(({ paths }) => literals(paths).join()))
  return [
    ...own.map(entry => ({
      name: entry.written,
      paths: literals(entry.paths),
      place: subject.sources.config('middleware', [entry.phase, entry.written])
    })),
    // What middleware.json puts on paths goes the same way as `app.use` of a boot script.
    ...used
      .map(literals)
      .filter(paths => !listed.has(paths.join()))
      .map(paths => ({ name: 'app.use', paths, place }))
  ]
}

const literals = (paths: ReadonlyArray<string | RegExp>): string[] =>
  paths.length === 0 ? ['/'] : paths.filter((path): path is string => typeof path === 'string')

/** The models that have routes below a guard's paths. */
export function modelsBelow ({ registry, models }: FolderSubject, { paths }: PathGuard): PublishedModel[] {
  const prefixes = paths.map(path => withoutEndSlashes(path.toLowerCase()))
  const isBelow = (path: string): boolean => prefixes.some(prefix => path === prefix || path.startsWith(`${prefix}/`))
  const below = new Set<unknown>()
  for (const { method, prefix, path } of restRoutes(registry)) {
    if (isBelow(`${prefix}${path}`.toLowerCase())) below.add(method.model)
  }
  return models.filter(({ Model }) => below.has(Model))
}
