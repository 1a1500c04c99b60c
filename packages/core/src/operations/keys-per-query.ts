import type { CompiledModel } from '../interfaces/compiled-model.js'

/** `inqLimit` of the model, else of its data source; any number without one. */
export function keysPerQuery ({ settings, Model }: CompiledModel): number {
  const limit = settings.inqLimit ?? Model.dataSource?.settings.inqLimit
  return typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : Infinity
}
