import { explorerOf } from '../../components.js'
import type { FolderRule } from '../rule.js'

export const explorerOpen: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_EXPLORER_OPEN',
  severity: 'low',
  title: 'The explorer is served in production',
  why: 'It lists every route, parameter and property to anyone, and gives them a page to try them on.',
  find ({ configuration: { components, env }, sources }) {
    const explorer = explorerOf(components)
    const named = components.components.find(({ name }) => /explorer$/.test(name))?.name
    if (env !== 'production' || typeof explorer === 'boolean' || named === undefined) return []
    return [
      {
        ...sources.config('component-config', [named]),
        what: `The explorer is at ${explorer.mountPath} in production.`,
        fix: `"${named}": null, in server/component-config.production.json`
      }
    ]
  }
}
