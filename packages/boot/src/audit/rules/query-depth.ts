import { isRecord } from '../../load/is-record.js'
import type { AuditRule } from '../rule.js'
import type { Found } from '../finding.js'

const defaults = { maxDepthOfQuery: 12, maxDepthOfData: 32 }
const most = 100

export const queryDepth: AuditRule = {
  code: 'FBK_AUDIT_QUERY_DEPTH',
  severity: 'low',
  title: 'Filters or data may be nested more than 100 levels deep',
  why: 'The bound on nesting keeps the work that one small request can ask for small. Nobody writes such filters by hand.',
  find ({ settings, models, sources }) {
    const found: Found[] = []
    for (const [key, value] of Object.entries(defaults)) {
      const fix = `"${key}": ${value}`
      if (Number(settings[key]) > most) {
        found.push({
          ...sources.config('config', [key]),
          what: `${key} is ${String(settings[key])} for all models.`,
          fix
        })
      }
      for (const { Model, name } of models) {
        const own: unknown = isRecord(Model.settings) ? Model.settings[key] : undefined
        if (Number(own) > most) {
          found.push({ ...sources.model(Model, [key]), what: `${key} of ${name} is ${String(own)}.`, fix })
        }
      }
    }
    return found
  }
}
