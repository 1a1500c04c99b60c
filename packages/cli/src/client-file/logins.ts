/** The part of a client that is there where the application has logins by accounts elsewhere. */
import { text } from '../source-text.js'

interface Ways {
  readonly exchange: string
  readonly providers: ReadonlyArray<{ readonly name: string, readonly path: string }>
}

export const loginFunctions = ({ exchange, providers }: Ways): string => `/** Accounts elsewhere that people log in by. */
export type LoginProvider = ${providers.map(({ name }) => text(name)).join(' | ')}

const loginPaths: Readonly<Record<LoginProvider, string>> = {
${providers.map(({ name, path }) => `  ${text(name)}: ${text(path)}`).join(',\n')}
}

export interface StartedLogin {
  /** Where the browser goes. */
  readonly address: string
  /** For \`finishLogin\`. Keep it where the page finds it that the browser comes back to: sessionStorage. */
  readonly verifier: string
}

/**
 * Begins a login: the browser goes to \`address\`, and comes back to the \`successRedirect\` of the provider's entry with
 * \`login_code\` in the query.
 */
export async function startLogin (client: Pick<ClientOptions, 'baseUrl'>, provider: LoginProvider): Promise<StartedLogin> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({ login_challenge: base64Url(new Uint8Array(digest)) })
  return { address: fromRoot(client, \`\${loginPaths[provider]}?\${query}\`), verifier }
}

/**
 * Ends it: exchanges \`login_code\` for the access token, once and within a minute.
 * @throws ApiError (400, CODE_INVALID) for a code that is used, too old, or of a login that was begun elsewhere; (401,
 * SECOND_FACTOR_REQUIRED) for a user with a second factor: \`details.challenge\` goes to \`second-factor\` of the user
 * model, with \`otp\`, \`recoveryCode\` or \`response\`
 */
export async function finishLogin (client: ClientOptions, code: string, verifier: string): Promise<{ access_token: string, userId: unknown }> {
  const response = await (client.fetch ?? globalThis.fetch)(fromRoot(client, ${text(exchange)}), {
    method: 'POST', headers: { ...client.headers, accept: 'application/json', 'content-type': 'application/json' }, body: JSON.stringify({ code, verifier })
  })
  const answer = parsed(await response.text())
  if (!response.ok) throw new ApiError(response.status, answer)
  return answer as { access_token: string, userId: unknown }
}

/** Logins begin at the root of the server, wherever the API is. */
const fromRoot = ({ baseUrl }: Pick<ClientOptions, 'baseUrl'>, path: string): string => /^https?:/.test(baseUrl) ? new URL(path, baseUrl).href : path

const base64Url = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')`
