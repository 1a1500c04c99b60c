/** Loads an application folder into its host, in LoopBack's order (behaviour.md, section 12). */
import type { ApplicationHost } from './application-host.js'
import { runComponents } from './components.js'
import type { Configuration } from './configuration.js'
import { registerConnectors } from './connectors.js'
import { naming, namingUnset } from './errors.js'
import { runBootScripts } from './load/boot-scripts.js'
import type { MiddlewareConfig } from './load/middleware-config.js'
import { installMiddleware, type InstallContext } from './middleware/install.js'
import { defineModels } from './models.js'
import { warnOfOpenEnds } from './open-ends.js'
import { replicationLoaded } from './replication.js'
import { settled, type Steps } from './steps.js'

/**
 * Data sources, models, middleware, components and boot scripts of the folder. Waits only for what takes its time: ES
 * modules, stores that are reached over the network, scripts that return promises.
 */
export function * loadFolder (host: ApplicationHost, configuration: Configuration): Steps<void> {
  const { folder, env, models, components, warnings } = configuration
  const { app, extensions, registry, lookup } = host
  const warn = (message: string): void => { host.warn(message) }
  warnings.forEach(warn)
  yield * defineDataSources(host, configuration)
  yield * defineModels(folder, models, lookup, app, warn)
  for (const extension of extensions) extension.modelsDefined?.(app)
  yield * installAll(host, configuration)
  yield * settled(replicationLoaded(registry))
  yield * runComponents(folder, components, app, extensions)
  yield * settled(registry.connect())
  yield * runBootScripts(folder, env, app)
  yield * settled(replicationLoaded(registry))
  warnOfOpenEnds(host, configuration)
  yield * settled(registry.connect())
}

function * defineDataSources (host: ApplicationHost, { folder, dataSources }: Configuration): Steps<void> {
  yield * registerConnectors(host.registry, folder, dataSources)
  for (const { name, settings, source, unset } of dataSources) {
    try {
      naming(source, () => host.app.dataSource(name, settings))
    } catch (error) {
      throw namingUnset(error, unset)
    }
  }
}

/** The entries of middleware.json, each in its place. */
function * installAll (host: ApplicationHost, { folder, middleware }: Configuration): Steps<void> {
  const { app, chain, extensions } = host
  const context: InstallContext = {
    ...host.loopbackHost,
    extensions,
    app,
    chain,
    register: plugins => { host.register(plugins) },
    folder,
    warn: message => { host.warn(message) },
    foreignRoutes: () => { host.foreignRoutes = true }
  }
  naming(middleware.file, () => { chain.phases.define(middleware.phases) })
  // Fastify runs hooks in the order in which they were added.
  const position = ({ phase }: MiddlewareConfig): number => naming(middleware.file, () => chain.phases.position(phase))
  for (const entry of middleware.entries.toSorted((a, b) => position(a) - position(b))) {
    yield * installMiddleware(context, entry)
  }
  if (!middleware.present) host.mountDefaultRest()
}
