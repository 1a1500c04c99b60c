/**
 * One-time codes that pages exchange for a token, and who asked for one. A page that begins a login with
 * `login_challenge` (RFC 7636, S256) gets a code and nothing else: no session, no cookie. Who has the code alone has
 * nothing, and a code that somebody else made the browser bring is not exchanged.
 */
import { sha256 } from '@fastback/core/connector'
import { isSameText } from '@fastback/auth/service'
import { loginWaysIn } from '@fastback/core/remote'
import type { Entry } from './entry.js'
import { LoginFailure } from './errors.js'
import type { Logins } from './logins.js'
import { randomText } from './records.js'
import { sealingBy } from './sealing.js'
import type { Visit } from './visit.js'
import type { CodeRequest } from './code-request.js'
import type { UnprovenAccount } from './second-factor.js'

/** Milliseconds that a page has to exchange its code. */
const codeLifetime = 60_000

const canAsk = ({ kind, link, autoLogin, options }: Entry): boolean =>
  ['oidc', 'oauth2', 'saml'].includes(kind) && !link && autoLogin && options.customCallback === undefined

/**
 * Reads what a page asks for.
 * @throws LoginFailure for a challenge that is none, and for a page that nobody registered (LG-93)
 */
export function codeRequest ({ settings, registry }: Logins, entry: Entry, { query }: Visit): CodeRequest | undefined {
  const challenge = query.get('login_challenge')
  const page = query.get('login_page')
  if (challenge === null || settings.exchangePath === undefined || !canAsk(entry)) return undefined
  if (!/^[\w-]{43}$/.test(challenge)) throw new LoginFailure('STATE_INVALID', 'the challenge is no SHA-256 in base64url')
  if (page === null) return { challenge }
  if (!loginWaysIn(registry).pages.has(page)) throw new LoginFailure('STATE_INVALID', 'no such page is registered')
  return { challenge, page }
}

/** Tells those who describe the application which ways in its pages can offer. */
export function offerWays (logins: Logins): void {
  const { registry, settings: { exchangePath } } = logins
  if (exchangePath === undefined) return
  loginWaysIn(registry).ways = () => {
    const providers = [...logins.entries.values()].filter(canAsk).map(({ name, provider, authPath }) =>
      ({ name, title: provider.charAt(0).toUpperCase() + provider.slice(1), path: authPath }))
    return providers.length === 0
      ? undefined
      : { model: logins.models.User.modelName, exchange: exchangePath, providers }
  }
}

/** What a code is exchanged for: a token, or the question for the second factor that the login lacks (OI-210). */
export type CodeContent =
  | { readonly token: string }
  | { readonly first: readonly string[], readonly version: string, readonly account?: UnprovenAccount }

/**
 * A text that the page exchanges, once and soon.
 * @param challenge of the page
 */
export async function makeCode (
  logins: Logins, content: CodeContent, userId: unknown, challenge?: string
): Promise<string> {
  const code = randomText()
  await logins.states.records.add(`code ${code}`, {
    kind: 'code',
    // Who reads the table cannot read the token: the code is its key.
    data: {
      ...'token' in content ? { token: sealingBy([code]).seal(content.token) } : content,
      userId,
      ...(challenge === undefined ? {} : { challenge })
    },
    created: new Date(),
    expiredAt: new Date(Date.now() + codeLifetime)
  })
  return code
}

/** What a code stands for: it is gone afterwards, also where the verifier is wrong. */
export async function takeCode ({ states: { records } }: Logins, code: unknown, verifier: unknown):
Promise<({ token: unknown } | Exclude<CodeContent, { token: string }>) & { userId: unknown } | undefined> {
  const key = `code ${typeof code === 'string' ? code : ''}`
  const row = await records.get(key)
  if (row?.kind !== 'code' || !await records.remove(key)) return undefined
  const { userId, challenge, ...content } = row.data as CodeContent & { userId: unknown, challenge?: string }
  if (challenge !== undefined && !(typeof verifier === 'string' && isSameText(challengeOf(verifier), challenge))) {
    return undefined
  }
  return 'token' in content
    ? { token: sealingBy([code as string]).open(content.token), userId }
    : { ...content, userId }
}

const challengeOf = (verifier: string): string => sha256(verifier)
