/** `fastback acl explain`: why a caller may or may not call a method. */
import { aclService, explainAccess as explain, type Explanation, type Question } from '@fastback/acl'
import type { ApplicationSource, LoadOptions } from './application.js'
import { withApplication } from './load-application.js'
import { useEmptyStores } from './empty-stores.js'

export interface AccessExplanation extends Explanation {
  /**
   * Whether the application asks for access control at all (`app.enableAuth()`, `@fastback/acl`). Without it nothing is
   * refused.
   */
  readonly enforced: boolean
  /**
   * Why stored rules, roles and the row at hand are not in it: the message about the first table that is missing.
   * Undefined where all were read.
   */
  readonly withoutTables?: string
}

/**
 * The decision about a method of a model, with the rules that were looked at. Boot scripts of a folder run with the
 * models in memory, so that they write nothing; then roles, mappings, stored rules and the row at hand are read from
 * the databases.
 *
 * ```js
 * await explainAccess('my-app', { model: 'Note', method: 'patchAttributes', id: 1, userId: 2 })   // { allowed: false,
 * reason: 'DENY for ROLE $everyone', … }
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws FBK_CORE_UNKNOWN_MODEL, FBK_ACL_UNKNOWN_METHOD, and the coded errors of `@fastback/boot` and the connectors
 */
export async function explainAccess (
  source: ApplicationSource,
  question: Question,
  options: LoadOptions = {}
): Promise<AccessExplanation> {
  return await withApplication(source, { ...options, stores: 'all' }, async ({ fastify, registry, useStores }) => {
    const answer = async (): Promise<AccessExplanation> => {
      // What was looked up before is no rule: boot scripts made it in memory.
      const { rules, roles } = aclService(registry)
      rules.clear()
      roles.clear()
      return { ...(await explain(registry, question)), enforced: fastify.hasRequestDecorator('authorizedRoles') }
    }
    useStores()
    try {
      return await answer()
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'FBK_SQL_TABLE_MISSING') throw error
      useEmptyStores(registry)
      return { ...(await answer()), withoutTables: (error as Error).message }
    }
  })
}
