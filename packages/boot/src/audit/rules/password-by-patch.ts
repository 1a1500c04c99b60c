import { isUserModel } from '@fastback/auth'
import type { AuditRule } from '../rule.js'
import { isOpenTo, some } from '../rows.js'

const writing = ['patchAttributes', 'replaceById', 'patchOrCreate', 'replaceOrCreate', 'upsertWithWhere', 'updateAll']

export const passwordByPatch: AuditRule = {
  code: 'FBK_AUDIT_PASSWORD_BY_PATCH',
  severity: 'medium',
  title: 'A password can be changed without the old one',
  why: "Who gets hold of a token for a moment keeps the account: a PATCH with a new password is enough, and ends the owner's own tokens.",
  find ({ enforced, models, sources }) {
    if (!enforced) return []
    return models.flatMap(({ Model, name, methods }) => {
      if (!isUserModel(Model) || Model.settings.rejectPasswordChangesViaPatchOrReplace === true) return []
      const open = methods
        .filter(
          review => writing.includes(review.method.builtin ?? '') && isOpenTo(review, 'anonymous', 'user', 'owner')
        )
        .map(({ method }) => method.name)
      const what = `${some(open)} of ${name} ${open.length === 1 ? 'takes' : 'take'} a new password without the old one.`
      return open.length === 0
        ? []
        : [
            {
              ...sources.model(Model, ['rejectPasswordChangesViaPatchOrReplace']),
              what,
              fix: '"rejectPasswordChangesViaPatchOrReplace": true'
            }
          ]
    })
  }
}
