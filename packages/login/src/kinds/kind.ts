/** What a way in does: leads away, and makes a proven account of what comes back. */
import type { ModelInstance } from '@fastback/core'
import type { Profile } from '../profile.js'
import type { ProviderCredentials } from '../provider-credentials.js'
import type { State } from '../states.js'
import type { Visit } from '../visit.js'

/** An account that its provider vouches for. */
export interface Proven {
  readonly profile: Profile
  /** What the provider gave for it (LG-56). */
  readonly credentials: Readonly<Record<string, unknown>>
  /** For a logout there. */
  readonly idToken?: string
  /** How it asked, in what it signed (RFC 8176). */
  readonly amr?: readonly string[]
}

/** Leads to a page of the provider. */
export interface Redirecting {
  begin (visit: Visit, redirectUri: string): Promise<Started>
  finish (visit: Visit, parameters: URLSearchParams, state: State): Promise<Proven>
  /** Where the browser goes to be logged out there, too. */
  endSession? (idToken: string | undefined, backTo: string): Promise<string | undefined>
  /** New tokens for an account. @param id that of the account, which must be whom the tokens are for */
  refresh? (refreshToken: string, id: string): Promise<ProviderCredentials>
  /** What the provider is told of us. */
  metadata? (redirectUri: string): Promise<string>
}

export interface Started {
  /** The address for a state that was kept. */
  address (state: string): Promise<string> | string
  readonly keep: Pick<State, 'verifier' | 'nonce' | 'requestId'>
}

/** Who came in, or what was linked. */
export interface Outcome {
  readonly user: ModelInstance
  readonly identity?: ModelInstance | undefined
  readonly token?: ModelInstance | undefined
  readonly idToken?: string | undefined
  /** How the login was proven (RFC 8176). */
  readonly amr?: readonly string[] | undefined
  readonly linked?: true
}
