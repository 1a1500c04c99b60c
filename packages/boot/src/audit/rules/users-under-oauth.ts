import { isUserModel } from '@fastback/auth'
import type { FolderRule } from '../rule.js'
import { some } from '../rows.js'
import { modelsBelow, oauthGuards } from './guarded-paths.js'

export const usersUnderOauth: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_USERS_UNDER_OAUTH',
  severity: 'low',
  title: 'A user model under an OAuth guard',
  why: 'Programs that users let in for one thing reach the accounts themselves there. Credentials are closed to them; the rest of an account is open to every scope that the guard takes.',
  find (subject) {
    return oauthGuards(subject).flatMap(guard => {
      const open = modelsBelow(subject, guard).filter(
        ({ Model, methods }) => isUserModel(Model) && methods.some(({ method }) => method.accessScopes === undefined)
      )
      if (open.length === 0) return []
      const names = open.map(({ name }) => name)
      return [
        {
          ...guard.place,
          what: `${some([...guard.paths])} covers the accounts of ${some(names)}.`,
          fix: '"paths": […], without those of the user model; or "accessScopes" on its methods'
        }
      ]
    })
  }
}
