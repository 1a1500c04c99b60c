/** What clients may say of themselves where the option `openid` is on (OI-05, OI-58, OI-71, OI-85). */
import { redirectUriFault } from '../checks/redirect-uri.js'
import { frontChannelFieldFault } from './logout/front-channel.js'
import type { OpenIdSettings } from './options.js'
import { sectorOf } from './subject.js'

type Fields = Readonly<Record<string, unknown>>

/** Encryption is not built: a client that asks for it would get what it does not expect. */
const encryption = ['idTokenEncryptedResponseAlg', 'idTokenEncryptedResponseEnc', 'userinfoEncryptedResponseAlg',
  'userinfoEncryptedResponseEnc']

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

export interface ClientRules {
  readonly settings: Pick<OpenIdSettings, 'signingAlgorithms' | 'subject' | 'pairwiseSecret' | 'acrValues'>
  /** Whether http addresses may be registered (`allowInsecureRedirects`). */
  readonly insecure: boolean
}

/**
 * What is wrong with the fields of a client; undefined: nothing.
 *
 * ```js
 * clientFieldFault({ idTokenSignedResponseAlg: 'none' }, { settings, insecure: false })
 * // 'idTokenSignedResponseAlg must be one of RS256'
 * ```
 * @param changed what is written
 * @param all the client as it will be, as far as it is known
 */
export function clientFieldFault (
  changed: Fields, { settings, insecure }: ClientRules, all = changed
): string | undefined {
  const asked = encryption.find(name => isSaid(changed[name]))
  if (asked !== undefined) return `${asked}: encryption is not supported`
  return uriFault(changed, insecure) ?? valueFault(changed, settings) ??
    frontChannelFieldFault(all) ?? subjectFault(all, settings)
}

function uriFault (changed: Fields, insecure: boolean): string | undefined {
  const lists = changed.postLogoutRedirectURIs
  if (isSaid(lists) && !Array.isArray(lists)) return 'postLogoutRedirectURIs must be a list'
  for (const uri of (lists ?? []) as unknown[]) {
    const fault = redirectUriFault(uri, insecure)
    if (fault !== undefined) return `postLogoutRedirectURIs: ${fault}`
  }
  for (const name of ['backchannelLogoutURI', 'initiateLoginURI', 'sectorIdentifierURI'] as const) {
    const uri = changed[name]
    if (!isSaid(uri)) continue
    const fault = redirectUriFault(uri, insecure) ??
      // These are fetched, or opened by a browser: no scheme of an application.
      (/^https?:/i.test(uri as string) ? undefined : 'must be https')
    if (fault !== undefined) return `${name}: ${fault}`
  }
}

function valueFault (changed: Fields, { signingAlgorithms, acrValues }: ClientRules['settings']): string | undefined {
  for (const name of ['idTokenSignedResponseAlg', 'userinfoSignedResponseAlg'] as const) {
    if (isSaid(changed[name]) && !(signingAlgorithms as readonly unknown[]).includes(changed[name])) {
      return `${name} must be one of ${signingAlgorithms.join(', ')}`
    }
  }
  const { defaultMaxAge, defaultAcrValues } = changed
  if (isSaid(defaultMaxAge) && !(Number.isSafeInteger(defaultMaxAge) && (defaultMaxAge as number) >= 0)) {
    return 'defaultMaxAge must be a whole number of seconds'
  }
  const isLevel = (value: unknown): boolean => (acrValues as readonly unknown[]).includes(value)
  if (isSaid(defaultAcrValues) && !(Array.isArray(defaultAcrValues) && defaultAcrValues.every(isLevel))) {
    return `defaultAcrValues must be of ${acrValues.join(', ')}`
  }
}

function subjectFault (all: Fields, { subject, pairwiseSecret }: ClientRules['settings']): string | undefined {
  const type = isSaid(all.subjectType) ? all.subjectType : subject
  if (type !== 'public' && type !== 'pairwise') return 'subjectType must be public or pairwise'
  if (type === 'public') return undefined
  if (pairwiseSecret === undefined) return 'subjectType pairwise needs the option "openid.pairwiseSecret"'
  const uris = Array.isArray(all.redirectURIs) ? all.redirectURIs as unknown[] : []
  // A client without redirect URIs names users to nobody.
  return uris.length > 0 && sectorOf(all) === undefined
    ? 'redirectURIs have several hosts: sectorIdentifierURI must say which counts'
    : undefined
}
