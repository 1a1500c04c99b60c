import type { BootExtension } from '@fastback/core'
import { loadPackage } from './load/package.js'
import { settled, type Steps } from './steps.js'

/** In the order that they are registered in: pages that ask who the caller is come after what reads tokens. */
const installed = [
  '@fastback/health/boot', '@fastback/oauth2/boot', '@fastback/login/boot', '@fastback/push/boot', '@fastback/auth',
  '@fastback/acl', '@fastback/events/boot', '@fastback/graphql/boot', '@fastback/mcp/boot', '@fastback/admin/boot',
  '@fastback/studio/boot'
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
