import type { FolderRule } from '../rule.js'

const names: ReadonlySet<string> = new Set(['@fastback/studio', 'fastback-studio'])

export const studioOpen: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_STUDIO_OPEN',
  severity: 'low',
  title: 'The studio is served in production',
  why: 'It lists every public model to anyone, shows rules and statements to users in its roles, and it is a page on which stolen passwords are tried.',
  find ({ configuration: { components, env }, sources }) {
    const studio = components.components.find(({ name }) => names.has(name))
    const { enabled = false, path = '/studio' } = (studio?.options ?? {}) as { enabled?: unknown, path?: unknown }
    if (env !== 'production' || studio === undefined || enabled !== true) return []
    return [
      {
        ...sources.config('component-config', [studio.name, 'enabled']),
        what: `The studio is at ${String(path)} in production.`,
        fix: 'leave "enabled" out, or let nobody reach the page from outside: a proxy that asks for more than a password'
      }
    ]
  }
}
