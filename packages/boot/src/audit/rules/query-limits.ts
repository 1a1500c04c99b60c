import { defaultQueryLimits } from '@fastback/core/connector'
import { defaultTextLimits } from '@fastback/rest'
import type { JSONPath } from 'jsonc-parser'
import { isRecord } from '../../load/is-record.js'
import type { AuditRule } from '../rule.js'
import type { Found } from '../finding.js'

/** Wider than this many times the default is taken for "switched off". */
const most = 10

export const queryLimits: AuditRule = {
  code: 'FBK_AUDIT_QUERY_LIMITS',
  severity: 'low',
  title: 'A limit on queries is more than ten times its default',
  why: 'The limits keep the work that one small request can ask for small: a wide one lets a stranger with one address line occupy the server or its database.',
  find ({ settings, sources }) {
    const { queryLimits, remoting } = settings
    const rest = isRecord(remoting) ? remoting.rest : undefined
    const wider = (keys: JSONPath, given: unknown, defaults: object): Found[] =>
      !isRecord(given)
        ? []
        : Object.entries(defaults)
          .filter(([name, usual]) => Number(given[name]) > most * usual)
          .map(([name, usual]) => ({
            ...sources.config('config', [...keys, name]),
            what: `${name} is ${String(given[name])}.`,
            fix: `"${name}": ${String(usual)}`
          }))
    return [
      ...wider(['queryLimits'], queryLimits, defaultQueryLimits),
      ...wider(['remoting', 'rest', 'limits'], isRecord(rest) ? rest.limits : undefined, defaultTextLimits)
    ]
  }
}
