import type { FolderRule } from '../rule.js'
import { entriesOf, optionsAt } from './middleware.js'
import { providerOf } from './oauth2.js'

export const sessionFromToken: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_SESSION_FROM_TOKEN',
  severity: 'low',
  title: 'OAuth tokens make sessions in the browser',
  why: 'Anyone with a token that was given to a program gets a cookie for the pages of this server as well. It approves nothing, but pages of your own may take it for a login.',
  find (subject) {
    const provider = providerOf(subject)
    if (provider === undefined) return []
    const places = [
      ...(provider.settings.authenticate.some(({ options }) => options?.session === true)
        ? [provider.place('authenticate')]
        : []),
      ...entriesOf(subject, '@fastback/oauth2#authenticate', 'loopback-component-oauth2#authenticate')
        .filter(entry => optionsAt(entry).session === true)
        .map(entry => entry.place('params', 'session'))
    ]
    return places.map(place => ({
      ...place,
      what: 'Requests with a token are logged in for the pages too.',
      fix: '"session": false'
    }))
  }
}
