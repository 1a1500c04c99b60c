import type { BootExtension } from '@fastback/core'
import { loadPackage } from './load/package.js'
import { settled, type Steps } from './steps.js'

const installed = [
  '@fastback/admin/boot', '@fastback/graphql/boot', '@fastback/health/boot', '@fastback/oauth2/boot', '@fastback/login/boot',
  '@fastback/push/boot', '@fastback/auth', '@fastback/acl'
]

/**
 * The extensions that are installed with boot.
 *
 * ```js
 * const extensions = await perform(loadExtensions())
 * ```
 */
export function * loadExtensions (): Steps<BootExtension[]> {
  const extensions: BootExtension[] = []
  for (const name of installed) {
    const module = yield * settled(loadPackage<{ readonly boot?: BootExtension }>(name))
    if (module.boot !== undefined) extensions.push(module.boot)
  }
  return extensions
}
