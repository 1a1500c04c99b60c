import { applies, violationOf, type ValidationConfig } from './config.js'
import { valueChecks, type ValueCheck, type ValueKind } from './checks.js'
import type { Validation } from '../interfaces/validation.js'

/** A validation of one property's value. It is local unless a condition looks at the rest of the row. */
export function valueValidation (kind: ValueKind, property: string, written: ValidationConfig): Validation {
  const config = kind === 'format' ? { ...written, with: patternOf(written.with) } : written
  const check: ValueCheck = valueChecks[kind]
  return {
    property,
    kind,
    options: written,
    local: config.if === undefined && config.unless === undefined,
    check (instance, report) {
      if (!applies(instance, config)) return
      check(instance[property], config, reason => { report(violationOf(property, kind, reason, config)) })
    }
  }
}

/** The pattern without the flags that would make it remember where it stopped. */
function patternOf (written: RegExp | string | undefined): RegExp {
  const pattern = new RegExp(written ?? '')
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''))
}
