import type { AclService } from '../service.js'
import type { Plan } from './compiled-plan.js'

/** Whether code of the application has a say, a role resolver or a check: what it looks at is not known. */
export const dependsOnApplication = ({ rules, check }: Plan, { resolvers }: AclService): boolean =>
  check !== undefined ||
  rules.some(({ principalType, principalId }) => principalType === 'ROLE' && resolvers.has(principalId))
