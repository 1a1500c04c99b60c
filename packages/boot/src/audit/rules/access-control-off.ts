import type { AuditRule } from '../rule.js'

export const accessControlOff: AuditRule = {
  code: 'FBK_AUDIT_ACCESS_CONTROL_OFF',
  severity: 'high',
  title: 'Models are published, and nothing calls `enableAuth()`',
  why: "Without access control every row of every published model is everybody's to read and to change; access rules are not even looked at.",
  find ({ enforced, models, sources }) {
    if (enforced || models.length === 0) return []
    const { place, missing, fix } = sources.switchesAccessControlOn
    const what = `${models.length === 1 ? 'One model is' : `${models.length} models are`} published, and ${missing}.`
    return [{ ...place, what, fix }]
  }
}
