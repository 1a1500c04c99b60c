/** `fastback audit`: what an application leaves open. */
import { audit as auditOf, type AuditOptions, type AuditReport } from '@fastback/boot/audit'
import type { ApplicationSource } from './application.js'
import { useEmptyStores } from './empty-stores.js'
import { NoRegistryError } from './errors.js'
import { withSource } from './load-application.js'

/**
 * What an application leaves open: of a folder all that its files say, of an application in code what its models, rules
 * and settings say (`leftOut` names the rules that need a folder).
 *
 * ```js
 * const { findings } = await audit('my-app', { severity: 'medium' })
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws FBK_CLI_NO_REGISTRY, FBK_BOOT_INVALID_CONFIG for a wrong setting `audit`; the coded errors of an application
 * that cannot be loaded
 */
export async function audit (
  source: ApplicationSource,
  { env = 'production', ...options }: AuditOptions = {}
): Promise<AuditReport> {
  return await withSource(source, { env }, async given => {
    if (typeof given !== 'string') {
      await given.after()
      if (!given.hasDecorator('registry')) throw new NoRegistryError()
      // Stored rules are no part of it. An application that somebody else made goes on with its own rows.
      if (typeof source === 'string') useEmptyStores(given.registry)
    }
    return await auditOf(given, { env, ...options })
  })
}
