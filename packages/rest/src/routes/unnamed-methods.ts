/** Names in `sharedMethods` that are no method's: what they were to open stays closed, and is told (S-97). */
import type { ModelClass } from '@fastback/core'
import { methodNamesOf, nearest } from '@fastback/core/remote'

type Told = (details: object, message: string) => void
type Shared = Readonly<Record<string, unknown>> | undefined

const namesIn = (settings: Shared): string[] => Object.keys(settings ?? {}).filter(name => !name.includes('*'))

/**
 * Tells each name once, with the nearest one that there is.
 * @param application `remoting.sharedMethods`, which may name methods of any model
 * @param ofModel what is said of one model, beside its own setting
 */
export function warnOfUnnamed (
  models: readonly ModelClass[], application: Shared, ofModel: (Model: ModelClass) => Shared, warn: Told
): void {
  const all = new Set<string>()
  for (const Model of models) {
    const names = methodNamesOf(Model)
    for (const name of names) all.add(name)
    const { sharedMethods } = (Model.settings.remoting ?? {}) as { readonly sharedMethods?: Record<string, unknown> }
    for (const name of new Set([...namesIn(sharedMethods), ...namesIn(ofModel(Model))])) {
      if (names.includes(name)) continue
      warn({ model: Model.modelName, method: name },
        `"sharedMethods" of "${Model.modelName}" names "${name}", which is no method of it.${nearest(name, names)}`)
    }
  }
  if (models.length === 0) return
  for (const name of namesIn(application)) {
    if (all.has(name)) continue
    warn({ method: name },
      `"remoting.sharedMethods" names "${name}", which is no method of any model.${nearest(name, [...all])}`)
  }
}
