/** Which remote hooks see a call, and in what order (behaviour.md, section 10). */
import type { ModelClass, ModelRegistry, RemoteHook, RemoteHookMoment, SharedMethod } from '@fastback/core'
import { namesOf, remoteHooksOf } from '@fastback/core/remote'

/**
 * A hook that matched, with the level it was declared on: listeners of the application are called as `(context, next,
 * method)`.
 */
export interface MatchedHook {
  readonly listener: RemoteHook['listener']
  readonly ofApplication: boolean
}

export type HookLists = Readonly<Record<RemoteHookMoment, readonly MatchedHook[]>>

/**
 * The hooks of a method. Exact names come first, then those with `*`, then those with `**`; among equals those of base
 * models, then the model's, then those of the related model whose method a nested one stands for, then the
 * application's, in the order of declaration.
 */
export function hooksOf (method: SharedMethod, registry: Pick<ModelRegistry, 'remoteHooks'>): HookLists {
  const names = namesOf(method)
  const ofModel = [...modelHooks(method.model, names), ...innerHooks(method)]
  const ofApplication = registry.remoteHooks.filter(hook =>
    names.some(name => matches(hook.pattern, `${method.modelName}.${name}`))
  )
  return listsOf([
    ...ofModel.map(hook => ({ ...hook, ofApplication: false })),
    ...ofApplication.map(hook => ({ ...hook, ofApplication: true }))
  ])
}

/** Hooks by their moment, in the order in which they run. */
export function listsOf (hooks: ReadonlyArray<RemoteHook & MatchedHook>): HookLists {
  const all = [...hooks].sort((a, b) => rank(a.pattern) - rank(b.pattern))
  return {
    before: all.filter(hook => hook.moment === 'before'),
    after: all.filter(hook => hook.moment === 'after'),
    afterError: all.filter(hook => hook.moment === 'afterError')
  }
}

const modelHooks = (Model: ModelClass, names: readonly string[]): RemoteHook[] =>
  remoteHooksOf(Model).filter(hook => names.some(name => matches(hook.pattern, name)))

/**
 * Hooks that a nested method has of the method behind it (`nestRemoting`, unless its option `hooks` is false). LoopBack
 * passes on those declared by name; what guards the related model by a pattern guards it here, too. Error hooks are not
 * passed on.
 */
function innerHooks ({ nested }: SharedMethod): RemoteHook[] {
  const target = nested?.hooks === true ? nested.relation.target() : undefined
  if (nested === undefined || target === undefined) return []
  return modelHooks(target, [`prototype.${nested.method.name}`]).filter(({ moment }) => moment !== 'afterError')
}

const rank = (pattern: string): number => pattern.includes('**') ? 2 : pattern.includes('*') ? 1 : 0

/** `*` stands for one part of a dotted name, `**` for any number of them. */
export function matches (pattern: string, name: string): boolean {
  return partsMatch(pattern.split('.'), name.split('.'))
}

function partsMatch (pattern: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return name.length === 0
  if (first === '**') return name.some((_, index) => partsMatch(rest, name.slice(index))) || partsMatch(rest, [])
  return name.length > 0 && (first === '*' || first === name[0]) && partsMatch(rest, name.slice(1))
}
