/** `fastback acl explain`: why a caller may or may not call a method. */
import { aclService, explainAccess as explain, type Explanation, type Question } from '@fastback/acl'
import type { StatementReport } from '@fastback/core'
import { explainWork } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'
import type { ApplicationSource, LoadOptions } from './application.js'
import { withApplication } from './load-application.js'
import { useEmptyStores } from './empty-stores.js'
import { askAsUser } from './query/ask-as-user.js'
import { asNamed } from './query/query-model.js'

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
  /** Of `find` that is allowed: what a request for the first rows sends to the store. */
  readonly list?: ListStatements
}

/** Statements with the values of the rules' condition, or why there are none. */
export type ListStatements = { readonly statements: readonly StatementReport[] } | { readonly none: string }

/** A list without a filter may be long, and says no more. */
const firstRows = { limit: 10 }

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
      const said = await answer()
      const isList = said.enforced && said.allowed && said.method === `${question.model}.find`
      return isList ? { ...said, list: await listOf(fastify, question, said) } : said
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'FBK_SQL_TABLE_MISSING') throw error
      useEmptyStores(registry)
      return { ...(await answer()), withoutTables: (error as Error).message }
    }
  })
}

/** As a request for the list: hooks, default scopes and rules of other models are in it. */
async function listOf (
  fastify: FastifyInstance, { model, userId, principalType, appId, token }: Question, { rows }: Explanation
): Promise<ListStatements> {
  if (appId !== undefined || (token !== undefined && token !== null)) return { none: 'a list is asked for as a user only.' }
  const { registry } = fastify
  const user = userId === undefined ? undefined : { userId: String(userId), model: principalType }
  try {
    const ask = await askAsUser(fastify, registry.getModel(model), firstRows, user)
    const { report } = await explainWork(registry, { where: rows?.where, ...firstRows }, ask, ({ length }) => length)
    const statements = asNamed(report).statements.filter(each => each.model === model)
    return statements.length === 0 ? { none: 'the store has no statements.' } : { statements }
  } catch (error) {
    return { none: (error as Error).message }
  }
}
