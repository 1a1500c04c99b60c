import { withoutEndSlashes } from '@fastback/core/remote'
import type { FolderRule } from '../rule.js'
import { some } from '../rows.js'
import { providerOf } from './oauth2.js'
import { entriesOf } from './middleware.js'

export const oauthScopes: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_OAUTH_SCOPES',
  severity: 'medium',
  title: 'OAuth tokens of any scope open the methods that name none',
  why: 'A token that a user gave for one thing ("photos") may do everything else in the user\'s name that asks for no scope.',
  find (subject) {
    const provider = providerOf(subject)
    if (
      provider === undefined ||
      !subject.enforced ||
      !provider.settings.resourceServer ||
      !provider.settings.impliedDefaultScope
    ) {
      return []
    }
    const guarded = [
      ...provider.settings.authenticate.flatMap(({ paths }) => paths),
      ...entriesOf(subject, '@fastback/oauth2#authenticate', 'loopback-component-oauth2#authenticate').flatMap(
        ({ paths }) => (paths.length === 0 ? ['/'] : paths)
      )
    ]
    const { restApiRoot } = subject.configuration.settings
    const isBelow = (path: unknown): boolean =>
      typeof path === 'string' && `${String(restApiRoot)}/`.startsWith(`${withoutEndSlashes(path)}/`)
    if (guarded.some(isBelow)) return []
    const open = subject.models
      .filter(({ methods }) => methods.some(({ method }) => method.accessScopes === undefined))
      .map(({ name }) => name)
    if (open.length === 0) return []
    return [
      {
        ...provider.place('impliedDefaultScope'),
        what: `OAuth tokens of any scope may call methods of ${some(open)}.`,
        fix: '"impliedDefaultScope": false'
      }
    ]
  }
}
