import type { JSONPath } from 'jsonc-parser'
import { callsService } from '../../connectors.js'
import { isRecord } from '../../load/is-record.js'
import type { AuditRule } from '../rule.js'

const switches: ReadonlySet<string> = new Set(['rejectUnauthorized', 'strictSSL'])

export const tlsNotVerified: AuditRule = {
  code: 'FBK_AUDIT_TLS_NOT_VERIFIED',
  severity: 'high',
  title: 'A data source accepts any certificate of its service',
  why: 'Without a check of certificates anybody on the way to the service can be it: read what is sent, with its credentials, and answer in its place.',
  find ({ registry, sources }) {
    return Object.entries(registry.dataSources).flatMap(([name, { settings }]) =>
      !callsService(settings)
        ? []
        : [...switchedOff(settings, [])].map(keys => ({
            ...sources.config('datasources', [name, ...keys]),
            what: `"${String(keys.at(-1))}" is false.`,
            fix: `"${String(keys.at(-1))}": true, and "ca" where the service has a certificate authority of its own`
          })))
  }
}

function * switchedOff (value: unknown, keys: JSONPath): Iterable<JSONPath> {
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) yield * switchedOff(each, [...keys, i])
  } else if (isRecord(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (each === false && switches.has(key)) yield [...keys, key]
      else yield * switchedOff(each, [...keys, key])
    }
  }
}
