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

/** How settings are merged where nobody says. */
export const usualPolicy: MergePolicy = Object.freeze({ ...always, properties: { patch: true } })

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
  return { ...(wanted === true ? recommended : usualPolicy) }
}

/**
 * A setting of a model over that of its base, by a policy: `replace` takes the model's, `patch` its members, anything
 * else merges both, lists item after item.
 *
 * ```js
 * mergeSetting({ acls: { replace: true } }, 'acls', [{ permission: 'DENY' }], [{ permission: 'ALLOW' }])
 * // [{ permission: 'ALLOW' }]
 * ```
 */
export function mergeSetting (policy: MergePolicy, key: string, base: unknown, own: unknown): unknown {
  if (own === undefined) return base
  if (own === null && policy.__delete === null) return undefined
  const rule = policy[key] ?? policy.__default ?? {}
  if (rule.replace === true || base === undefined || base === null) return own
  if (rule.patch === true && isRecord(base) && isRecord(own)) return { ...base, ...own }
  return bothOf(base, own)
}

function bothOf (base: unknown, own: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(own)) return [...base as unknown[], ...own as unknown[]]
  if (!isRecord(base) || !isRecord(own)) return own
  const both = { ...base }
  for (const [key, value] of Object.entries(own)) both[key] = bothOf(base[key], value)
  return both
}

function isRecord (value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
}
