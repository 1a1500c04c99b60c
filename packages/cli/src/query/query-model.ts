/** `fastback query`: rows of a model by a filter, and how the database finds them. */
import { aclService } from '@fastback/acl'
import type { ModelClass, QueryReport } from '@fastback/core'
import { explainWork } from '@fastback/core/remote'
import type { ApplicationSource, LoadOptions } from '../application.js'
import { UnqueriedModelError } from '../errors.js'
import { withApplication } from '../load-application.js'
import { askAsUser } from './ask-as-user.js'

export interface QueryOptions extends LoadOptions {
  /** Id of the user who asks, over REST. Default: the application itself asks, which may see everything. */
  readonly userId?: string | undefined
  /** The user's model, where there are several. */
  readonly userModel?: string | undefined
  /** Whether to tell how the rows are found. */
  readonly explain?: boolean | undefined
}

export interface Queried {
  /** Rows as clients see them: without hidden properties. */
  readonly rows: readonly unknown[]
  readonly report?: QueryReport
}

interface Found { toJSON (): unknown }

/**
 * The rows of a filter, from the databases of an application that does not listen; with `explain` also how they are
 * found: statements, plans, what index is missing.
 *
 * ```js
 * const { rows } = await queryModel('my-app', 'Note', { where: { done: false } })
 * const { report } = await queryModel('my-app', 'Note', { order: 'title' }, { userId: '1', explain: true })
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws FBK_CORE_UNKNOWN_MODEL, FBK_CLI_NOT_ASKED; RequestError 400 for a filter that cannot be; with `userId` what
 * the API refuses, FBK_AUTH_UNKNOWN_USER
 */
export async function queryModel (
  source: ApplicationSource, model: string, filter: unknown, options: QueryOptions = {}
): Promise<Queried> {
  const { explain = false, userId, userModel, env } = options
  return await withApplication(source, { env, stores: 'all' }, async ({ fastify, registry, useStores }) => {
    const Model = registry.getModel(model)
    useStores()
    // What was looked up before is no rule: boot scripts made it in memory.
    const { rules, roles } = aclService(registry)
    rules.clear()
    roles.clear()
    const ask = userId === undefined
      ? async () => await findAll(Model, filter)
      : await askAsUser(fastify, Model, filter, { userId, model: userModel })
    if (!explain) return { rows: await ask() }
    const { result: rows, report } = await explainWork(registry, filter, ask, ({ length }) => length)
    return { rows, report: asNamed(report) }
  })
}

/** By `find` of the model, with scopes, hooks and whatever functions the application has put there. */
async function findAll (Model: ModelClass, filter: unknown): Promise<unknown[]> {
  const { find } = Model as unknown as { find?: (filter: unknown) => Promise<Found[]> }
  if (find === undefined) throw new UnqueriedModelError(Model.modelName, 'it has no function "find".')
  return (await find.call(Model, filter)).map(found => found.toJSON())
}

/**
 * Data sources by the names that the folder has for them: of a folder they stand beside those in memory.
 *
 * ```js
 * asNamed(report).statements[0]?.dataSource // 'db'
 * ```
 */
export const asNamed = (report: QueryReport): QueryReport => ({
  ...report,
  statements: report.statements.map(each => ({ ...each, dataSource: each.dataSource.replace(/ \(stored\)$/, '') }))
})
