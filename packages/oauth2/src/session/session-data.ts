/** What a session of the pages has, and what is said of it. */

/** An authorization request that waits for a login: its parameters, never an address. */
export type Remembered = Readonly<Record<string, string>>

/** A page that people come to by themselves: a name, never an address. */
export type PageName = 'grants' | 'device'

export interface SessionData {
  /** Who logged in; or, with `tokenId`, for whom a program acts. */
  userId?: unknown
  /**
   * Id of the record of the access token that the session was made from: it ends with that, and is no login
   * (security.md, S-81).
   */
  tokenId?: unknown
  /** Secret of the tokens in the pages' forms. */
  csrf: string
  pending?: Remembered | undefined
  /** The page of this server that waits for the login. */
  page?: PageName | undefined
  /** What that page is opened with. */
  query?: Remembered | undefined
  /** What `pending` stands for, where the client has pushed it (OI-163). */
  pushed?: Remembered | undefined
  /** Keys of open transactions, the oldest first. */
  transactions?: string[]
  /**
   * Name of the login for clients, the `sid` of their id_tokens: random, neither the cookie's value nor its digest
   * (OI-132). A user who logs in again, or steps up, keeps it.
   */
  sid?: string
  /** When the user last proved who they are with a first factor, in seconds (OI-98). */
  authTime?: number
  /** How (RFC 8176, OI-102). */
  amr?: readonly string[]
  /** Somebody who is at the page for second factors (OI-253): of a session without a login, or for a step-up of one. */
  halfway?: Halfway | undefined
  /** Another one at each login, and not at a step-up: says whether somebody has logged in since (OI-93). */
  login?: string
  /** When the user's session began, in seconds. */
  since?: number
  /** Family of the browser, for the list of a user's sessions. */
  agent?: string
  /** Requests that asked for a login of their own, by digest: the oldest first. */
  waiting?: Readonly<Record<string, WaitingRequest>>
}

/** Somebody who has proved one factor and is asked for another. */
export interface Halfway {
  readonly userId: unknown
  /** Seconds. */
  readonly since: number
  /** Wrong proofs so far. */
  readonly wrong: number
  /** Changes with the user's credentials; a session that is logged in ends with them anyway. */
  readonly passwordVersion?: string
}

/** A request that asked for something of the user: for a login that is newer than itself, an account, a consent. */
export interface WaitingRequest {
  /** The `login` of the session at that time; empty without one. */
  readonly login: string
  /** Random text of the user's choice to go on with the account that is logged in (OI-95). */
  readonly chosen?: string
}

/** How a user has proved who they are. */
export interface Proof {
  /** RFC 8176: `['pwd']`, `['pwd', 'otp', 'mfa']`, `['pop', 'user', 'mfa']`, `['fed', …]`. Default: `['pwd']`. */
  readonly amr?: readonly string[]
}

export interface Session {
  readonly id: string
  readonly data: SessionData
}

/** Which sessions of a user end. Default: all. */
export interface SessionsOf {
  readonly userId: unknown
  /** The one of this name (`sid`). */
  readonly sid?: string | undefined
  /** All but the one of this name. */
  readonly except?: string | undefined
}

/** A session as its user sees it. */
export interface ListedSession {
  readonly sid: string
  readonly created: Date
  /** When the user last proved who they are in it. */
  readonly lastLogin: Date
  readonly expires: Date
  readonly amr: readonly string[]
  /** Family of the browser; undefined for one that is not known. */
  readonly agent: string | undefined
}

/** A login that has ended. */
export interface EndedLogin {
  readonly userId: unknown
  readonly sid: string
}
