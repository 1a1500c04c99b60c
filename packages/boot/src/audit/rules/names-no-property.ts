import { strayNames } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'

export const namesNoProperty: AuditRule = {
  code: 'FBK_AUDIT_NAMES_NO_PROPERTY',
  severity: 'medium',
  title: 'A name in `hidden`, `protected`, a scope or an index that is no property, and near one that is',
  why: 'What it was to hide is shown, what it was to narrow is not narrowed, and an index that was to keep values apart does not.',
  find (subject) {
    return subject.models.flatMap(({ Model }) =>
      strayNames(Model).flatMap(({ keys, name, meant }) => {
        if (meant === undefined) return []
        const hides = keys[0] === 'hidden' || keys[0] === 'protected'
        return [{
          ...subject.sources.model(Model, [...keys]),
          severity: hides ? 'high' as const : 'medium' as const,
          what: `"${name}" is no property of ${Model.modelName}.`,
          fix: `"${meant}"`
        }]
      }))
  }
}
