import { authService, userModels } from '@fastback/auth/service'
import type { AuditRule } from '../rule.js'
import type { FolderSubject, Subject } from '../subject.js'
import { adminPages } from './admin-open.js'

/** In characters, where there may be a second factor (NIST SP 800-63B). */
const shortest = 8

export const shortPasswords: AuditRule = {
  code: 'FBK_AUDIT_SHORT_PASSWORDS',
  severity: 'low',
  title: 'Users who may do more than others have a password as short as they like, and no second factor',
  why: 'One guessed or reused password of an administrator opens all that the role opens.',
  find (subject) {
    const { registry, sources } = subject
    const auth = authService(registry)
    if (!hasPrivileges(subject) || (auth.passwordPolicy?.minLength ?? 1) >= shortest) return []
    return userModels(registry).filter(Model => auth.secondFactors(Model) === undefined).map(Model => ({
      ...sources.model(Model, ['secondFactor']),
      what: `Passwords of ${Model.modelName} may have fewer than ${shortest} characters, and are the only factor.`,
      fix: `"auth": { "passwordPolicy": { "minLength": ${shortest} } }, or "secondFactors", in config.json`
    }))
  }
}

/** Whether rules name a role of the application, or there is an admin page. */
function hasPrivileges (subject: Subject): boolean {
  const { configuration } = subject as Partial<FolderSubject>
  return configuration?.components.components.some(({ name }) => adminPages.has(name)) === true ||
    (subject.enforced && subject.models.some(({ rows }) => rows.some(({ principalType, principalId }) =>
      principalType === 'ROLE' && typeof principalId === 'string' && !principalId.startsWith('$'))))
}
