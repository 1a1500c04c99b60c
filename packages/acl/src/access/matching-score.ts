/** How well a rule matches a request, as `ACL.getMatchingScore` says it; and which permission follows. */
import { aclNames, principalTypes } from '../models/constants.js'
import { roleRank } from '../rules/precedence.js'
import { AccessContext } from './access-context.js'
import { AccessRequest, type AccessScope } from './access-request.js'

/** A rule, by the names that the model ACL has. */
export interface AclRow extends AccessScope {
  readonly principalType?: string
  readonly principalId?: unknown
}

const { ALL, EXECUTE, WRITE, REPLICATE } = aclNames
const permissionRank = (permission = 'ALLOW'): number => AccessContext.permissionOrder[permission] ?? 0

/** 3: the very same, 2: the rule is about all, 1: the request is; undefined: they have nothing in common. */
function partScore (key: 'model' | 'property' | 'accessType', rule: AclRow, request: AccessScope): number | undefined {
  const written = rule[key] ?? ALL
  const asked = request[key] ?? ALL
  const isSame = written === asked ||
    (key === 'property' && request.methodNames?.includes(written) === true) ||
    (key === 'accessType' && (written === EXECUTE || (written === WRITE && asked === REPLICATE)))
  return isSame ? 3 : written === ALL ? 2 : asked === ALL ? 1 : undefined
}

const principalRank = ({ principalType }: AclRow): number =>
  principalType === principalTypes.USER
    ? 4
    : principalType === principalTypes.APP ? 3 : principalType === principalTypes.ROLE ? 2 : 1

/** A number that is greater for the rule that says more of a request; -1 for one that says nothing of it. */
export function matchingScore (rule: AclRow, request: AccessScope): number {
  let score = 0
  for (const key of ['model', 'property', 'accessType'] as const) {
    const part = partScore(key, rule, request)
    if (part === undefined) return -1
    score = score * 4 + part
  }
  score = score * 4 + principalRank(rule)
  score = score * 8 + (rule.principalType === principalTypes.ROLE ? roleRank(String(rule.principalId)) : 0)
  return score * 4 + permissionRank(rule.permission) - 1
}

/** What rules come to for a request: the best match decides, without one the default. */
export function resolvePermission (rules: readonly AclRow[], request: AccessRequest): AccessRequest {
  let best: AclRow | undefined
  let score = -1
  for (const rule of rules) {
    const own = matchingScore(rule, request)
    if (own > score) [best, score] = [rule, own]
  }
  const { model, property, accessType, registry } = request
  const resolved = new AccessRequest({ model, property, accessType, permission: best?.permission, registry })
  resolved.settleDefaultPermission()
  return resolved
}
