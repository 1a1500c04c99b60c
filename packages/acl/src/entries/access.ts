/** `@fastback/acl/access`: who asks for what, by the names that LoopBack's module has. */
export { AccessContext, type AccessContextParts } from '../access/access-context.js'
export { AccessRequest } from '../access/access-request.js'
export { Principal } from '../access/principal.js'
