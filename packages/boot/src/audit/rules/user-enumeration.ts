import { userModels } from '@fastback/auth/service'
import type { AuditRule } from '../rule.js'

export const userEnumeration: AuditRule = {
  code: 'FBK_AUDIT_USER_ENUMERATION',
  severity: 'low',
  title: 'A password reset tells which addresses have an account',
  why: 'A list of leaked addresses becomes a list of your users.',
  find ({ enforced, registry, sources }) {
    if (!enforced) return []
    return userModels(registry).filter(({ settings }) => settings.allowUserEnumeration === true).map(Model => ({
      ...sources.model(Model, ['allowUserEnumeration']),
      what: `A reset for an address that ${Model.modelName} does not have is answered with 404.`,
      fix: '"allowUserEnumeration": false'
    }))
  }
}
