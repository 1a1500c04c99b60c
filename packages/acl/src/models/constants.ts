/** Names that code of applications reads off the classes: `Role.OWNER`, `ACL.ALLOW`, `RoleMapping.USER`. */
export const principalTypes = { USER: 'USER', APP: 'APP', APPLICATION: 'APP', ROLE: 'ROLE', SCOPE: 'SCOPE' } as const
export const roleNames = {
  OWNER: '$owner',
  RELATED: '$related',
  AUTHENTICATED: '$authenticated',
  UNAUTHENTICATED: '$unauthenticated',
  EVERYONE: '$everyone'
} as const
export const aclNames = {
  ALL: '*',
  DEFAULT: 'DEFAULT',
  ALLOW: 'ALLOW',
  ALARM: 'ALARM',
  AUDIT: 'AUDIT',
  DENY: 'DENY',
  READ: 'READ',
  WRITE: 'WRITE',
  EXECUTE: 'EXECUTE',
  REPLICATE: 'REPLICATE'
} as const
