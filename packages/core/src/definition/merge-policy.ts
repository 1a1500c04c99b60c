/** LoopBack's merge policies: how the settings of a model and of its base become one. */

/** Per setting: `replace`, `patch` (members replace members), or `rank` (rows of both, with their distance). */
export type MergePolicy = Record<string, MergeRule | null>
export interface MergeRule { readonly replace?: boolean; readonly patch?: boolean; readonly rank?: boolean }

const always: MergePolicy = {
  description: { replace: true },
  hidden: { replace: false },
  protected: { replace: false },
  relations: { patch: true },
  acls: { rank: true }
}

const usual: MergePolicy = { ...always, properties: { patch: true } }

const recommended: MergePolicy = {
  ...always,
  options: { patch: true },
  indexes: { patch: true },
  methods: { patch: true },
  mixins: { patch: true },
  scope: { replace: true },
  scopes: { patch: true },
  __delete: null,
  __default: { replace: true }
}

/**
 * The policy that a model asks for with `configureModelMerge`: true for the recommended one, an object for one of its
 * own, else the usual one.
 */
export function mergePolicy (options?: { configureModelMerge?: unknown } | null): MergePolicy {
  const wanted = options?.configureModelMerge
  if (wanted !== null && typeof wanted === 'object' && !Array.isArray(wanted)) return wanted as MergePolicy
  return { ...(wanted === true ? recommended : usual) }
}
