import { InvalidDefinitionError } from '../errors.js'
import { compileGlob } from '../query/glob.js'
import type { ModelState } from '../interfaces/model-state.js'
import type { BuiltinOperation, SharedMethod } from '../interfaces/shared-method.js'

/** Writes that the specification hides to make a model read-only, and those that go with them. */
const decisive: ReadonlySet<BuiltinOperation | undefined> = new Set(
  ['create', 'patchOrCreate', 'deleteById', 'updateAll', 'patchAttributes'] as const
)
const following: ReadonlySet<BuiltinOperation | undefined> = new Set(
  ['replaceOrCreate', 'replaceById', 'upsertWithWhere'] as const
)

/**
 * Says of a method whether it is shared: not when `disableRemoteMethodByName` named it or one of its aliases, and not
 * when the settings `remoting.sharedMethods` (application's, then the model's) switch it off. Exact names beat patterns
 * (`*`, `prototype.*`, `*__related`); a pattern is found anywhere in the name, as in LoopBack, and one that says false
 * is enough. Where all writes that the specification names are disabled the model is read-only, and its other built-in
 * writes are hidden with them, unless the settings name them. A method that says `shared: false` is shared where they
 * name it.
 * @param all the methods of the model
 */
export function methodSelector (
  state: ModelState,
  applicationSettings: Record<string, unknown> | undefined,
  all: readonly SharedMethod[]
): (method: SharedMethod) => boolean {
  const isDisabled = disablesMethod(state)
  const settings = { ...checked(applicationSettings, 'remoting.sharedMethods'), ...modelSettings(state) }
  const hiding = Object.entries(settings)
    .filter(([pattern, isShared]) => !isShared && pattern.includes('*'))
    .map(([pattern]) => compileGlob(`*${pattern}*`))
  const writes = all.filter(({ builtin }) => decisive.has(builtin))
  const isReadOnly = writes.length > 0 && writes.every(isDisabled)
  return method => {
    if (isDisabled(method)) return false
    for (const name of closedBy(method)) if (settings[name] !== undefined) return settings[name] === true
    if (method.options.shared === false) return false
    return !(isReadOnly && following.has(method.builtin)) && !hiding.some(hides => hides(method.fullName))
  }
}

/**
 * Every full name of a method: its own and those of its aliases.
 *
 * ```js
 * namesOf({ fullName: 'prototype.patchAttributes', aliases: ['updateAttributes'], isStatic: false })
 * // ['prototype.patchAttributes', 'prototype.updateAttributes']
 * ```
 */
export function namesOf (method: Pick<SharedMethod, 'fullName' | 'aliases' | 'isStatic'>): string[] {
  return [method.fullName, ...method.aliases.map(alias => method.isStatic ? alias : `prototype.${alias}`)]
}

/** The names by which a method is opened and closed: its own first. */
const closedBy = (method: Pick<SharedMethod, 'fullName' | 'aliases' | 'isStatic' | 'options'>): string[] =>
  [...namesOf(method), ...method.options.ruledAs ?? []]

/** Says of a method whether `disableRemoteMethodByName` has named it or one of its aliases. */
function disablesMethod (state: ModelState): (method: SharedMethod) => boolean {
  const disabled = new Set(state.chain().flatMap(each => [...each.disabledMethods]))
  return method => closedBy(method).some(name => disabled.has(name))
}

/**
 * Whether a method that was shared when routes were made is so no longer: its model was removed, or it was disabled.
 *
 * ```js
 * const [create] = sharedMethodsOf(Note)
 * Note.disableRemoteMethodByName('create')
 * isWithdrawn(create) // true
 * ```
 */
export const isWithdrawn = (method: SharedMethod): boolean =>
  method.model.registry.findModel(method.modelName) === undefined || disablesMethod(method.model.state)(method)

function modelSettings (state: ModelState): Record<string, boolean> {
  const remoting = state.settings.remoting as { sharedMethods?: Record<string, unknown> } | undefined
  return checked(remoting?.sharedMethods, `model "${state.own.name}", remoting.sharedMethods`)
}

function checked (settings: Record<string, unknown> | undefined, place: string): Record<string, boolean> {
  for (const [name, value] of Object.entries(settings ?? {})) {
    if (typeof value !== 'boolean') throw new InvalidDefinitionError(place, `"${name}" must be true or false`)
  }
  return (settings ?? {}) as Record<string, boolean>
}
