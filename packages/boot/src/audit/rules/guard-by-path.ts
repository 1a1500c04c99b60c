import type { FolderRule } from '../rule.js'
import { some } from '../rows.js'
import { modelsBelow, oauthGuards, ownGuards } from './guarded-paths.js'

export const guardByPath: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_GUARD_BY_PATH',
  severity: 'medium',
  title: 'A guard on a path is all that stands before models without rules',
  why: 'Relations, include, nested routes and a changed path reach the rows of a model by other ways than its own path. Rules of the model hold on all of them.',
  find (subject) {
    return [...ownGuards(subject), ...oauthGuards(subject)].flatMap(guard => {
      const names = modelsBelow(subject, guard)
        .filter(({ rows }) => rows.length === 0)
        .map(({ name }) => name)
      if (names.length === 0) return []
      const what = `"${guard.name}" on ${some([...guard.paths])} stands before ${some(names)}, which ${names.length === 1 ? 'has' : 'have'} no rules.`
      return [
        {
          ...guard.place,
          what,
          fix: '"acls": [{ "principalType": "ROLE", "principalId": "$everyone", "permission": "DENY" }, …]'
        }
      ]
    })
  }
}
