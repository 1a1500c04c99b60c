/** Says of models and methods that come after the routes were made that they have none. */
import type { EventEmitter } from 'node:events'
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { isPublic } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'

/** Until the server closes. Applications of folders make their routes again, and say so themselves. */
export function warnOfLateChanges (app: FastifyInstance, registry: ModelRegistry, published: ModelClass[]): void {
  const advice = 'routes are made when "rest" is registered; have it there before'
  const warnOfMethod = ({ name: model }: { readonly name: string }): void => {
    app.log.warn({ model }, `a remote method of ${model} came late and has no route: ${advice}`)
  }
  const warnOfModel = (Model: ModelClass): void => {
    if (isPublic(Model) !== true || published.includes(Model)) return
    app.log.warn({ model: Model.modelName }, `the model ${Model.modelName} came late and has no routes: ${advice}`)
  }
  registry.on('modelAttached', warnOfModel)
  const emitters = published as unknown as EventEmitter[]
  for (const Model of emitters) Model.on('remoteMethodAdded', warnOfMethod)
  app.addHook('onClose', async () => {
    registry.removeListener('modelAttached', warnOfModel)
    for (const Model of emitters) Model.removeListener('remoteMethodAdded', warnOfMethod)
  })
}
