/** `fastback rekey`: seals with the current key what is sealed with others. */
import type { ModelClass } from '@fastback/core'
import { resealRows, type Resealed } from '@fastback/core/remote'
import type { ApplicationSource, LoadOptions } from './application.js'
import { NotSealedError } from './errors.js'
import { withApplication } from './load-application.js'

export interface RekeyOptions extends LoadOptions {
  /** Names of models. Default: all that have sealed properties. */
  readonly models?: readonly string[] | undefined
  /** Counts, and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Also values in plain text, of properties that were not sealed before. Default: as `sealing.acceptPlain` says. */
  readonly plain?: boolean | undefined
  /** Is told how many rows of a model have been looked at. */
  readonly onPage?: (model: string, rows: number) => void
}

export interface Rekeyed extends Resealed {
  readonly model: string
}

/**
 * Seals the values of sealed properties with the current key. It may run beside servers that know the key, and is
 * started again where it was cut off: what is current is left as it is.
 *
 * ```js
 * const [{ model, resealed }] = await rekey('my-app', { models: ['Patient'] })
 * ```
 * @throws FBK_CLI_NOT_SEALED
 */
export async function rekey (
  source: ApplicationSource, { env, models, dryRun = false, plain, onPage }: RekeyOptions = {}
): Promise<Rekeyed[]> {
  return await withApplication(source, { env, stores: 'all' }, async application => {
    application.useStores()
    const results: Rekeyed[] = []
    for (const Model of chosen(application.registry.models, models)) {
      const model = Model.modelName
      const onRows = (rows: number): void => { onPage?.(model, rows) }
      results.push({ model, ...await resealRows(Model, { dryRun, sealPlain: plain, onPage: onRows }) })
    }
    return results
  })
}

function chosen (all: Readonly<Record<string, ModelClass>>, names: readonly string[] | undefined): ModelClass[] {
  const sealed = Object.values(all).filter(Model => Model.compiled.sealedRows !== undefined)
  if (names === undefined) return sealed
  return names.map(name => {
    const Model = sealed.find(each => each.modelName === name)
    if (Model !== undefined) return Model
    const why = all[name] === undefined ? 'is not there' : 'has no sealed properties in a data source'
    throw new NotSealedError(name, why, sealed.map(each => each.modelName).join(', ') || 'none')
  })
}
