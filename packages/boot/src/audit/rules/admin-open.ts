import type { FolderRule } from '../rule.js'

/** Names of the component. */
export const adminPages: ReadonlySet<string> = new Set(['@fastback/admin', 'fastback-admin'])

export const adminOpen: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_ADMIN_OPEN',
  severity: 'low',
  title: 'The admin page is served in production',
  why: 'It lists every public model to anyone, and it is the page on which stolen passwords are tried.',
  find ({ configuration: { components, env }, sources }) {
    const admin = components.components.find(({ name }) => adminPages.has(name))
    const { enabled = false, path = '/admin' } = (admin?.options ?? {}) as { enabled?: unknown, path?: unknown }
    if (env !== 'production' || admin === undefined || enabled !== true) return []
    return [
      {
        ...sources.config('component-config', [admin.name, 'enabled']),
        what: `The admin page is at ${String(path)} in production.`,
        fix: 'leave "enabled" out, or let nobody reach the page from outside: a proxy that asks for more than a password'
      }
    ]
  }
}
