/** `fastback migrate --row-security`: policies of the databases that say what rules say of rows. */
import { aclService } from '@fastback/acl'
import { rowPolicies } from '@fastback/acl/review'
import type { DataSource, ModelClass, ModelRegistry, PlannedChange, UnsaidPolicy } from '@fastback/core'
import type { ApplicationSource, LoadOptions } from '../application.js'
import { NoPoliciesError, UnsaidPoliciesError } from '../errors.js'
import { withApplication } from '../load-application.js'

export interface RowSecurityOptions extends LoadOptions {
  /** Names of the data sources. Default: all. */
  readonly dataSources?: readonly string[] | undefined
  /** Look, and change nothing. */
  readonly dryRun?: boolean | undefined
  /** Makes the other policies where rules of some models cannot be said: these stay without any. Default: false. */
  readonly force?: boolean | undefined
}

export interface RowSecurity {
  readonly dataSource: string
  /** Models whose tables have policies, or are to. */
  readonly models: readonly string[]
  readonly changes: readonly PlannedChange[]
  /** Models whose rules say something that policies cannot: their tables get none. */
  readonly unsaid: readonly UnsaidPolicy[]
  readonly upToDate: boolean
  readonly changed: boolean
}

/**
 * Makes the policies of the databases say what the rules of the models say of rows, and no others of ours. The tables
 * have to be there, and stay as they are.
 *
 * ```js
 * const [db] = await migrateRowSecurity('my-app', { dryRun: true })
 * console.log(db.changes.flatMap(({ statements }) => statements))
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws FBK_CLI_NO_POLICIES where rules are about rows of a store that has no policies; FBK_CLI_UNSAID_POLICIES
 * unless `force` or `dryRun`; FBK_CLI_UNKNOWN_DATA_SOURCE; the coded errors of `@fastback/boot`, `@fastback/core` and
 * the connectors
 */
export async function migrateRowSecurity (
  source: ApplicationSource, { env, dataSources, dryRun = false, force = false }: RowSecurityOptions = {}
): Promise<RowSecurity[]> {
  return await withApplication(source, { env, stores: dataSources ?? 'all' }, async application => {
    const { fastify, registry, stores, useStores } = application
    useStores()
    const service = aclService(registry)
    // What was looked up before is no rule: boot scripts made it in memory.
    service.rules.clear()
    await service.rules.read()
    // Without access control nothing is refused, whatever rules say.
    const enforced = fastify.hasRequestDecorator('authorizedRoles')
    const found: Planned[] = []
    for (const [name, store] of stores) {
      const planned = await plan(registry, name, store, enforced)
      if (planned !== undefined) found.push(planned)
    }
    const unsaid = found.flatMap(each => each.unsaid)
    if (unsaid.length > 0 && !force && !dryRun) throw new UnsaidPoliciesError(unsaidText(unsaid))
    const results: RowSecurity[] = []
    for (const { apply, ...planned } of found) {
      const changed = !dryRun && !planned.upToDate
      if (changed) await apply()
      results.push({ ...planned, changed })
    }
    return results
  })
}

interface Planned extends Omit<RowSecurity, 'changed'> {
  readonly apply: () => Promise<void>
}

/** Undefined for a store without policies, of whose rows no rule says anything. */
async function plan (
  registry: ModelRegistry, dataSource: string, store: DataSource, enforced: boolean
): Promise<Planned | undefined> {
  const models = Object.values(registry.models).filter(Model => Model.dataSource === store)
  const { rows } = aclService(registry)
  const support = store.connector.policies
  if (support === undefined) {
    const ruled = enforced ? models.find(Model => rows.concerns(Model)) : undefined
    if (ruled !== undefined) throw new NoPoliciesError(dataSource, ruled.modelName)
    return undefined
  }
  const said = enforced ? await rowPolicies(registry, models) : { policies: [], unsaid: [] }
  const stored = tablesOf(models)
  const { changes, unsaid } = await support.plan(stored, said.policies)
  const without = [...said.unsaid, ...unsaid]
  return {
    dataSource,
    models: said.policies.map(({ model }) => model.name)
      .filter(name => !without.some(({ model }) => model === name)).sort(),
    changes,
    unsaid: without,
    upToDate: changes.length === 0,
    apply: async () => { await support.apply(stored, changes) }
  }
}

const tablesOf = (models: readonly ModelClass[]): Array<ModelClass['compiled']> => models.map(({ compiled }) => compiled)

/**
 * What policies cannot say, in words.
 *
 * ```js
 * unsaidText([{ model: 'Note', why: 'has a rule for a scope of tokens' }]) // 'Note has a rule for a scope of tokens'
 * ```
 */
export const unsaidText = (unsaid: readonly UnsaidPolicy[]): string =>
  unsaid.map(({ model, why }) => `${model} ${why}`).join('; ')
