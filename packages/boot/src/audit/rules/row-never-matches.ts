import { missingMethods, principalTypesOf, ruleNamesOf } from '@fastback/acl/review'
import { accessTypes, nearestName, permissions, ruleKeys } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import type { Found, Severity } from '../finding.js'
import { describeRule, some, writtenRows, type WrittenRow } from '../rows.js'
import type { Subject } from '../subject.js'

export const rowNeverMatches: AuditRule = {
  code: 'FBK_AUDIT_ROW_NEVER_MATCHES',
  severity: 'medium',
  title: 'A row whose method, access type, permission or principal type there is not',
  why: 'The row does nothing. Where it was to deny, what it names is open; where it was to allow, somebody will widen another row instead.',
  async find (subject) {
    return (await writtenRows(subject)).flatMap(written =>
      [...faults(written, subject)].map(fault => ({ severity: severityOf(written), ...fault }))
    )
  }
}

const severityOf = ({ rule }: WrittenRow): Severity => rule.permission === 'DENY' ? 'high' : 'medium'

function * faults ({ row, rule, models, place }: WrittenRow, subject: Subject): Iterable<Found> {
  const { accessType, permission, principalType } = row
  for (const key of Object.keys(row)) {
    const meant = ruleKeys.includes(key) ? undefined : nearestName(key, ruleKeys)
    if (meant === undefined) continue
    const comes = rule.permission === 'DENY' ? 'the row denies more than it says' : 'the row never matches'
    yield { ...place(key), what: `"${key}" is no key of a rule; ${comes}.`, fix: `"${meant}": …` }
  }
  if (!permissions.some(each => each === String(permission).toUpperCase())) {
    const what = `"${String(permission)}" is no permission; the row denies.`
    const better = nearestName(String(permission).toUpperCase(), permissions) ?? 'DENY'
    yield { ...place('permission'), severity: 'medium', what, fix: `"permission": "${better}"` }
  }
  if (rule.accessType !== undefined && !accessTypes.some(each => each === rule.accessType)) {
    const what = `"${String(accessType)}" is no access type; the row never matches.`
    const better = nearestName(rule.accessType, accessTypes) ?? '*'
    yield { ...place('accessType'), what, fix: `"accessType": "${better}"` }
    return
  }
  const types = principalTypesOf(subject.registry)
  if (principalType !== undefined && !types.includes(principalType)) {
    const comes = rule.permission === 'DENY' ? 'the row denies everybody' : 'the row never matches'
    const what = `"${principalType}" is no kind of principal; ${comes}.`
    const better = nearestName(principalType, types) ?? 'ROLE'
    yield { ...place('principalType'), what, fix: `"principalType": "${better}"` }
  }
  const missing = missingMethods(models.map(({ Model }) => Model), rule.methods ?? [])
  if (missing.length > 0) {
    const better = nearestName(
      String(missing[0]).replace(/^prototype\./, ''),
      models.flatMap(({ Model }) => ruleNamesOf(Model))
    )
    const what = `The model has no method ${some(missing)}; ${missing.length === rule.methods?.length ? 'the row never matches' : 'that part of the row does nothing'}.`
    yield { ...place('property'), what, fix: better === undefined ? 'remove the name' : `"property": "${better}"` }
    return
  }
  const shared = models.some(({ reviews }) =>
    reviews.some(
      ({ operation }) => rule.methods === undefined || rule.methods.some(name => operation.names.includes(name))
    )
  )
  if (shared && models.every(({ concerned }) => concerned.length === 0)) {
    yield { ...place('accessType'), what: `"${describeRule(rule)}" fits nothing: no such method is of the type ${String(rule.accessType)}.`, fix: '"accessType": "*"' }
  }
}
