import type { IncludeGuard } from '@fastback/core'

declare module 'fastify' {
  interface FastifyRequest {
    /** Roles of rows that allow and that the caller is in, as keys; handed on as `options.authorizedRoles`. */
    authorizedRoles: Record<string, boolean>
    /** Refuses includes that the caller may not read; handed on as `options.includeGuard`. */
    includeGuard: IncludeGuard | null
  }
}
