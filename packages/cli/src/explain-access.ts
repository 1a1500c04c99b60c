/** `fastback acl explain`: why a caller may or may not call a method. */
import { aclService, explainAccess as explain, type Explanation, type Question } from '@fastback/acl'
import { createServer, readConfiguration } from '@fastback/boot'
import type { LoadOptions } from './load-application.js'

export interface AccessExplanation extends Explanation {
  /** Whether the application asks for access control at all (`app.enableAuth()`). Without it nothing is refused. */
  readonly enforced: boolean
}

/** Where the real data source stands beside the one in memory. */
const stored = (name: string): string => `${name} (stored)`

/**
 * The decision about a method of a folder's model, with the rules that were looked at. Boot scripts run with the models
 * in memory, so that they write nothing; then roles, mappings, stored rules and the row at hand are read from the
 * databases.
 *
 * ```js
 * await explainAccess('my-app', { model: 'Note', method: 'patchAttributes', id: 1, userId: 2 })   // { allowed: false,
 * reason: 'DENY for ROLE $everyone', … }
 * ```
 * @throws FBK_CORE_UNKNOWN_MODEL, FBK_ACL_UNKNOWN_METHOD, and the coded errors of `@fastback/boot` and the connectors
 */
export async function explainAccess (
  dir: string,
  question: Question,
  options: LoadOptions = {}
): Promise<AccessExplanation> {
  const configuration = await readConfiguration(dir, options)
  const dataSources: Record<string, Readonly<Record<string, unknown>>> = {}
  for (const { name, settings } of configuration.dataSources) {
    dataSources[name] = { connector: 'memory' }
    dataSources[stored(name)] = { ...settings, migrate: 'none' }
  }
  const server = await createServer(dir, { ...options, dataSources, log: false })
  try {
    const { registry } = server.fastify
    for (const Model of Object.values(registry.models)) {
      const name = Model.dataSource?.name
      if (name !== undefined && registry.dataSources[stored(name)] !== undefined) registry.attach(Model, stored(name))
    }
    // What boot scripts made in memory is no rule.
    const { rules, roles } = aclService(registry)
    rules.clear()
    roles.clear()
    return { ...(await explain(registry, question)), enforced: server.fastify.hasDecorator('authentication') }
  } finally {
    await server.stop()
  }
}
