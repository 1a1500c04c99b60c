import type { IncludeGuard, MethodRights, RowGuard, RowRules } from '@fastback/core'

declare module 'fastify' {
  interface FastifyRequest {
    /** Roles of rows that allow and that the caller is in, as keys; handed on as `options.authorizedRoles`. */
    authorizedRoles: Record<string, boolean>
    /** Refuses includes that the caller may not read; handed on as `options.includeGuard`. */
    includeGuard: IncludeGuard | null
    /** Judges single rows for methods over many; handed on as `options.rowGuard`. */
    rowGuard: RowGuard | null
    /** Narrows what operations read and write; handed on as `options.rowRules`. */
    rowRules: RowRules | null
    /** What rules allow the caller by name beside methods; handed on as `options.methodRights`. */
    methodRights: MethodRights | null
  }
}
