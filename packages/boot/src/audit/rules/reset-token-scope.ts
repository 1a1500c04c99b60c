import { isPublic } from '@fastback/core/remote'
import { userModels } from '@fastback/auth/service'
import type { AuditRule } from '../rule.js'

export const resetTokenScope: AuditRule = {
  code: 'FBK_AUDIT_RESET_TOKEN_SCOPE',
  severity: 'medium',
  title: 'Tokens of a password reset that are full logins',
  why: 'A link from a mailbox, or from the log of a mail server, then does whatever the user may do, and not only change the password.',
  find ({ enforced, registry, sources }) {
    if (!enforced) return []
    return userModels(registry)
      .filter(Model => isPublic(Model) === true && Model.settings.restrictResetPasswordTokenScope !== true)
      .map(Model => ({
        ...sources.model(Model, ['restrictResetPasswordTokenScope']),
        what: `The token of a password reset of ${Model.modelName} has no scope of its own.`,
        fix: '"restrictResetPasswordTokenScope": true'
      }))
  }
}
