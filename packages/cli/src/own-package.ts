/** How an application that this package makes names this package among its dependencies. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface OwnPackage {
  /** What the application's `package.json` says. */
  readonly specifier: string
  /** The checkout of the repository that the package runs from; undefined where npm installed it. */
  readonly checkout?: string
}

/**
 * How an application names another package that this one comes with.
 * @param name a package of this repository, or a dependency of `@fastback/core`
 */
export function packageSpecifier (name: string): string {
  const folder = new URL('../', import.meta.url)
  const { specifier } = ownPackage(folder)
  const core = createRequire(import.meta.url).resolve('@fastback/core/package.json')
  if (!name.startsWith('@fastback/')) return (JSON.parse(readFileSync(core, 'utf8')) as Manifest).dependencies[name] as string
  return linkInCheckout(name) ?? specifier
}

/**
 * What `package.json` says of a package of the checkout that this one runs from; undefined where npm installed it: then
 * the others are on npm as well.
 *
 * ```js
 * linkInCheckout('@fastback/loopback') // 'file:/srv/fastback/packages/loopback'
 * ```
 */
export function linkInCheckout (name: string): string | undefined {
  const { checkout } = ownPackage()
  if (checkout === undefined) return undefined
  return `file:${path.join(checkout, 'packages', name.slice(name.indexOf('/') + 1)).replaceAll(path.sep, '/')}`
}

/**
 * What `npm install` takes for a package: its name, or the folder of one of the checkout that this one runs from.
 *
 * ```js
 * installName('@fastback/oauth2') // '/srv/fastback/packages/oauth2', or '@fastback/oauth2' where npm installed it
 * ```
 */
export const installName = (name: string): string =>
  (name.startsWith('@fastback/') ? linkInCheckout(name)?.slice('file:'.length) : undefined) ?? name

interface Manifest { readonly dependencies: Readonly<Record<string, string>> }

/**
 * Installed by npm, the package is named by its version. In a checkout it is named as a link, which npm follows without
 * copying: the packages of a checkout may be newer than those on npm, or not there at all.
 */
export function ownPackage (folder = new URL('../', import.meta.url)): OwnPackage {
  const root = new URL('../../', folder)
  if (existsSync(new URL('pnpm-workspace.yaml', root))) {
    const [own, checkout] = [folder, root].map(url => path.resolve(fileURLToPath(url))) as [string, string]
    return { specifier: `file:${own.replaceAll(path.sep, '/')}`, checkout }
  }
  const { version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as { version: string }
  return { specifier: `^${version}` }
}
