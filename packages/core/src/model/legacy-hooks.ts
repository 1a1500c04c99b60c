/**
 * Hooks that LoopBack 3 has from its beginning: functions of the class, `Note.beforeCreate = function (next) { … }`.
 * They run as observers of operation hooks (api-surface.md, heading 11), so operations know nothing of them.
 *
 * `create` tells validate, create and save; `save`, `updateAttributes` and what replaces a row tell validate, save and
 * update; `destroy` of an instance tells destroy. Operations by condition tell nobody. Upserts tell what updates do,
 * and `afterCreate` where they made the row.
 */
import { callWithNext, MAKES_INSTANCE, type HookContext, type HookName, type Observer } from '../hooks.js'
import { instantiate } from '../instances/instance.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelState } from '../interfaces/model-state.js'
import { chain } from '../maybe-promise.js'
import { ShortCircuit } from '../operations/short-circuit.js'
import { knownOf } from '../operations/context.js'
import type { Row } from '../properties/types.js'

type LegacyHook = (this: Row, next?: unknown, data?: unknown) => unknown

const actions = ['Initialize', 'Validate', 'Create', 'Save', 'Update', 'Destroy'] as const
type Action = typeof actions[number]
type Moment = 'before' | 'after'

/** The names of each hook, the one that counts first. */
const namesOf = (moment: Moment, action: Action): string[] => [
  `${moment}${action}`,
  `${moment === 'before' ? 'pre' : 'post'}${action}`,
  ...(action === 'Validate' ? [`${moment}Validation`] : [])
]

/**
 * Makes the names of the hooks members of a root class: what code puts there is kept in the state of the model it is
 * put on, and models that extend it have it, too.
 */
export function declareLegacyHooks (Root: object): void {
  for (const name of actions.flatMap(action => [...namesOf('before', action), ...namesOf('after', action)])) {
    Object.defineProperty(Root, name, {
      configurable: true,
      get (this: ModelClass) {
        return this.state.chain().findLast(({ legacyHooks }) => legacyHooks.has(name))?.legacyHooks.get(name)
      },
      set (this: ModelClass, hook: unknown) {
        this.state.legacyHooks.set(name, hook)
        this.state.invalidate()
      }
    })
  }
}

/** The function of a model for a moment; also one that the class itself declares (`static beforeCreate () {}`). */
function hookOf ({ Model }: ModelState, moment: Moment, action: Action): LegacyHook | undefined {
  const members = Model as unknown as Record<string, unknown>
  const hook = namesOf(moment, action).map(name => members[name]).find(member => typeof member === 'function')
  return hook as LegacyHook | undefined
}

/** What runs whenever an instance has got its data; undefined where the model has no such function. */
export const initialisedBy = (state: ModelState): LegacyHook | undefined => hookOf(state, 'after', 'Initialize')

const isNew = ({ isNewInstance }: HookContext): boolean => isNewInstance === true
/** `save` and upserts do not say that their row is stored. */
const isStored = (context: HookContext): boolean => !isNew(context)
const always = (): boolean => true

interface Placed {
  readonly moment: Moment
  readonly action: Action
  readonly when: (context: HookContext) => boolean
}

/** By operation hook: what runs after its observers, or before them, in this order. */
const places: Partial<Record<HookName, { readonly first?: readonly Placed[], readonly last?: readonly Placed[] }>> = {
  'before save': { last: [{ moment: 'before', action: 'Validate', when: always }] },
  persist: {
    first: [
      { moment: 'after', action: 'Validate', when: always },
      { moment: 'before', action: 'Create', when: isNew },
      { moment: 'before', action: 'Save', when: always },
      { moment: 'before', action: 'Update', when: isStored }
    ]
  },
  'after save': {
    first: [
      { moment: 'after', action: 'Update', when: isStored },
      { moment: 'after', action: 'Save', when: always },
      { moment: 'after', action: 'Create', when: isNew }
    ]
  },
  'before delete': { last: [{ moment: 'before', action: 'Destroy', when: always }] },
  'after delete': { first: [{ moment: 'after', action: 'Destroy', when: always }] }
}

/** The observers of an operation hook with the legacy hooks of the model around them. */
export function withLegacyHooks (
  state: ModelState, name: HookName, observers: readonly Observer[]
): readonly Observer[] {
  const placed = (list: readonly Placed[] = []): Observer[] => list.flatMap(({ moment, action, when }) => {
    const hook = hookOf(state, moment, action)
    return hook === undefined ? [] : [observerOf(state, hook, moment, when)]
  })
  if (name === 'loaded') return [...observers, ...initialising(state)]
  const { first, last } = places[name] ?? {}
  return [...placed(first), ...observers, ...placed(last)]
}

/** Calls a hook on the row that an operation is about, if there is one; what a `before` hook sets is stored. */
function observerOf (
  { Model }: ModelState, hook: LegacyHook, moment: Moment, when: (context: HookContext) => boolean
): Observer {
  return context => {
    const instance = context.instance ?? context.currentInstance
    if (instance === undefined || !when(context)) return
    const data = isNew(context) ? instance : context.data ?? instance
    // LoopBack's `after` hooks get `next` alone.
    const call = (next: unknown): unknown =>
      moment === 'before' ? hook.call(instance, next, data) : hook.call(instance, next)
    return chain(callWithNext(call, hook.length > 0), answer => {
      if (moment === 'before' && hook.length > 0 && answer !== undefined) throw new ShortCircuit(answer)
      if (moment === 'after' || context.data === undefined) return
      context.data = Model.compiled.coerce(data as Row, () => {})
    })
  }
}

/** `afterInitialize` of rows that come from the store: what it sets on the instance is in the response. */
function initialising (state: ModelState): Observer[] {
  const hook = initialisedBy(state)
  if (hook === undefined) return []
  return [context => {
    if (!(MAKES_INSTANCE in context)) return
    const { compiled } = state.Model
    const instance = instantiate(compiled, knownOf(compiled, { ...context.data }))
    hook.call(instance)
    context.data = instance
  }]
}

/** Whether a model has functions that may answer in place of an operation. */
export const mayShortCircuit = (state: ModelState): boolean =>
  actions.some(action => hookOf(state, 'before', action) !== undefined)
