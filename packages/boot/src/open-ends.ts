/** What a folder asks for and does not get: said once, when its models and boot scripts are there. */
import type { ModelClass } from '@fastback/core'
import { extendsModel, isPublic, sharedMethodsOf } from '@fastback/core/remote'
import { restRoutes } from '@fastback/rest'
import type { ApplicationHost } from './application-host.js'
import type { Configuration } from './configuration.js'
import { middlewareName } from './middleware/install.js'

/** Tells of public models that nothing can answer for. */
export function warnOfOpenEnds (host: ApplicationHost, { models, middleware }: Configuration): void {
  const warn = (message: string): void => { host.warn(message) }
  const named = [...models.models].flatMap(([name, config]) => {
    const Model = host.lookup.find(name)
    return Model === undefined ? [] : [{ Model, config }]
  })
  for (const { Model, config } of named) {
    if (config.public === true && Model.dataSource === null) tellOfNoData(Model, models.file, warn)
  }
  const published = named.filter(({ Model }) => isPublic(Model) === true && sharedMethodsOf(Model).length > 0)
  const isMounted = !middleware.present || middleware.entries.some(({ written }) => middlewareName(written) === 'loopback#rest')
  if (!isMounted && published.length > 0) tellOfNoRest(host, middleware.file, published.map(({ Model }) => Model))
}

function tellOfNoData (Model: ModelClass, file: string, warn: (message: string) => void): void {
  const { modelName } = Model
  if (extendsModel(Model, 'PersistedModel') || extendsModel(Model, 'KeyValueModel')) {
    warn(`${file}: the model "${modelName}" is public and has no data source, so that its operations fail: name one ` +
      'under "dataSource", or say "public": false')
  } else if (sharedMethodsOf(Model).length === 0) {
    warn(`${file}: the model "${modelName}" is public and has neither a data source nor remote methods, so that there ` +
      'is nothing to call')
  }
}

/** Code may mount REST until the server is ready, in a boot script, after the boot, or as a plugin. */
function tellOfNoRest (host: ApplicationHost, file: string, models: readonly ModelClass[]): void {
  let isSaid = false
  host.register(fastify => {
    fastify.addHook('onReady', async () => {
      if (isSaid || restRoutes(host.registry).length > 0) return
      isSaid = true
      const names = models.map(({ modelName }) => modelName).join(', ')
      host.warn(`${file}: nothing mounts REST, so that every request for a public model (${names}) is answered with 404: put ` +
        '"fastback#rest": { "paths": ["/api"] } into the phase "routes"')
    })
  })
}
