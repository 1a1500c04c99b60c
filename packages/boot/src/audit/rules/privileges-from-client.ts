import { tenantOf } from '@fastback/acl/review'
import { isUserModel } from '@fastback/auth'
import type { MethodReview } from '@fastback/acl'
import { hasObserver, remoteHooksOf } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import { isOpenTo, some } from '../rows.js'
import type { PublishedModel } from '../subject.js'

/** Names that say what somebody may do, or what something is worth, without case and separators. */
const telling: ReadonlySet<string> = new Set([
  'role', 'roles', 'isadmin', 'admin', 'issuperuser', 'superuser', 'permissions', 'tenantid', 'tenant', 'verified',
  'isverified', 'emailverified', 'balance', 'credit', 'password'
])

const isTelling = (name: string): boolean => telling.has(name.toLowerCase().replaceAll('_', '').replaceAll('-', ''))

/** What the framework guards itself in user models. */
const guarded: ReadonlySet<string> = new Set(['password', 'emailVerified', 'verificationToken'])

const writing: readonly string[] = [
  'create', 'patchOrCreate', 'replaceOrCreate', 'upsertWithWhere', 'patchAttributes', 'replaceById', 'updateAll'
]

export const privilegesFromClient: AuditRule = {
  code: 'FBK_AUDIT_PRIVILEGES_FROM_CLIENT',
  severity: 'medium',
  title: 'Callers may write a property that says what somebody may do, or has: `role`, `isAdmin`, `tenantId`, `verified`, `balance`, `password` …',
  why: 'Who sets such a property of a row gives rights, or value, that nobody granted.',
  find ({ enforced, models, sources }) {
    if (!enforced) return []
    return models.flatMap(model => {
      const { Model, name } = model
      return namesIn(model).flatMap(property => {
        const methods = model.methods.filter(review => sets(review, property)).map(({ method }) => method.name)
        return methods.length === 0
          ? []
          : [{
              ...sources.model(Model, ['properties', property]),
              what: `Callers of ${some(methods)} write "${property}" of ${name}.`,
              fix: `"fields": { "write": ["*", "-${property}"] } in the rules of ${name}, or "readOnly": true of the property`
            }]
      })
    })
  }
}

/** Properties that clients can send at all, and that no code of the application looks at before they are stored. */
function namesIn ({ Model }: PublishedModel): string[] {
  if (hasObserver(Model, 'before save') || remoteHooksOf(Model).some(({ moment }) => moment === 'before')) return []
  const { compiled } = Model
  return [...compiled.propertyByName.values()]
    .filter(({ name, definition }) => isTelling(name) && definition.readOnly !== true && definition.computed !== true)
    .map(({ name }) => name)
    .filter(name => name !== tenantOf(Model)?.property && !(isUserModel(Model) && guarded.has(name)) &&
      !compiled.key.some(each => each.name === name))
}

/** Whether callers without a role write it by the method: by the rule that decides for them. */
function sets (review: MethodReview, property: string): boolean {
  const { builtin } = review.method
  if (builtin === undefined || !writing.includes(builtin) || review.plan.check !== undefined) return false
  return (['anonymous', 'user', 'owner'] as const).some(kind => {
    if (!isOpenTo(review, kind)) return false
    const narrowing = review.decide(kind).rule?.narrowing
    const isPreset = builtin === 'create' && narrowing?.preset?.has(property) === true
    return !isPreset && narrowing?.writes?.(property) !== false
  })
}
