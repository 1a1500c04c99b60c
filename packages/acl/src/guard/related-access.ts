/**
 * Whose rules decide about rows of another model: those of the model that is asked, as in LoopBack, or those of the
 * related one as well. `relatedAccess` says it of include and of relation routes, the older `includeAccess` of include
 * alone.
 */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { ContradictoryAccessError } from '../errors.js'
import { asksAssurance } from '../rules/assurance.js'
import { aclService } from '../service.js'

type Settings = Readonly<Record<string, unknown>>

/**
 * What settings say of include; undefined: nothing.
 *
 * ```js
 * includeAccessOf({ relatedAccess: 'related' }) // 'related'
 * ```
 */
export const includeAccessOf = ({ includeAccess, relatedAccess }: Settings, application?: Settings): unknown =>
  includeAccess ?? relatedAccess ?? (application === undefined ? undefined : includeAccessOf(application))

/**
 * Whether rules of a model count when its rows are included: its own setting, else the application's; where neither
 * says anything, rules about rows and those that ask for an assurance do.
 *
 * ```js
 * checksIncluded(registry.defineModel({ name: 'Note', includeAccess: 'related' })) // true
 * ```
 */
export const checksIncluded = (Model: ModelClass): boolean =>
  isRelated(Model, includeAccessOf(Model.settings, Model.registry.settings))

/**
 * Whether rules of a model count at routes of relations that lead to it as well.
 *
 * ```js
 * checksRelated(registry.defineModel({ name: 'Note', relatedAccess: 'related' })) // true
 * ```
 */
export const checksRelated = (Model: ModelClass): boolean =>
  isRelated(Model, Model.settings.relatedAccess ?? Model.registry.settings.relatedAccess)

const isRelated = (Model: ModelClass, said: unknown): boolean =>
  said === 'related' ||
  (said === undefined && (aclService(Model.registry).rows.hasRules(Model) || asksAssurance(Model)))

/**
 * Refuses settings of which one opens what the other closes.
 * @throws FBK_ACL_CONTRADICTORY_ACCESS
 */
export function mustAgree (registry: ModelRegistry): void {
  const { includeAccess, relatedAccess } = registry.settings
  mustSayOne('The application', includeAccess, relatedAccess)
  for (const Model of Object.values(registry.models)) {
    const { settings } = Model
    const place = `Model "${Model.modelName}"`
    mustSayOne(place, settings.includeAccess, settings.relatedAccess)
    // A model may close more than the application, and not show by include what its routes refuse.
    if (settings.includeAccess === 'parent' && checksRelated(Model)) mustSayOne(place, 'parent', 'related')
  }
}

function mustSayOne (place: string, includeAccess: unknown, relatedAccess: unknown): void {
  if (includeAccess !== undefined && relatedAccess !== undefined && includeAccess !== relatedAccess) {
    throw new ContradictoryAccessError(place, String(includeAccess), String(relatedAccess))
  }
}
