/** What the studio's server says of rights: `rights.json`, `rights/why.json`, `POST rights/what-if`. */

/** Where something is written, in a file of the application. */
export interface SourceLocation {
  /** Relative to the application folder. */
  readonly file: string
  /** Counted from 1; absent where only the file is known. */
  readonly line?: number
}

/** Conditions as filters have them, `own` for the rows of the owner, `by operation` where code decides. */
export type RowsText = 'all' | 'own' | 'by operation' | Readonly<Record<string, unknown>>

/** What one kind of caller may do by one method. */
export interface RightsLine {
  readonly method: string
  /** `READ`, `WRITE`, `EXECUTE`. */
  readonly accessType: string
  /**
   * `$everyone`, `$unauthenticated`, `$authenticated`, `$owner`, a role's name, `USER 7`; `checkAccess` where code of
   * the application decides; `nobody`.
   */
  readonly role: string
  readonly permission: string
  readonly rows: RowsText
  /** What rows must be after a write, where that is not `rows`. */
  readonly check?: RowsText
  readonly preset?: Readonly<Record<string, unknown>>
  /** Names of properties; `*` is all that is not hidden. */
  readonly read: readonly string[]
  /** Of methods that write. */
  readonly write?: readonly string[]
  /** How the caller must have logged in. */
  readonly assurance?: { readonly acr: string, readonly maxAge?: number }
}

/** A rule as it is written, and where. */
export interface WrittenRule {
  readonly rule: Readonly<Record<string, unknown>>
  readonly source?: SourceLocation
}

export interface ModelRights {
  readonly model: string
  /**
   * A line for each method and kind of caller that may call it, or that a rule names and refuses (`DENY`). Whom no line
   * names has what those have who are logged in.
   */
  readonly lines: readonly RightsLine[]
  /** The model's declared rules, inherited ones first. */
  readonly rules: readonly WrittenRule[]
}

/** `GET rights.json` */
export interface Rights {
  /** Whether access control is on; without it nothing is refused. */
  readonly enforced: boolean
  /** All kinds of callers that lines name, those of the framework first. */
  readonly roles: readonly string[]
  readonly models: readonly ModelRights[]
}

/** `GET rights/why.json?model&method&user&userModel&id`; without `user` an anonymous caller. */
export interface Why {
  readonly allowed: boolean
  readonly permission: string
  /** `Note.find` */
  readonly method: string
  readonly accessType: string
  /** In words. */
  readonly reason: string
  /** The rule that decided; absent where none fits. */
  readonly rule?: WrittenRule
  readonly considered: ReadonlyArray<WrittenRule & {
    readonly kind: 'definition' | 'ACL row'
    readonly fits: boolean
    readonly effect?: 'decides' | 'gives rows' | 'takes rows'
  }>
  /** Absent for a call that is refused. */
  readonly rows?: {
    readonly action: 'read' | 'create' | 'update' | 'delete'
    /** Conditions as filters have them; absent: all rows. */
    readonly where?: Readonly<Record<string, unknown>>
    readonly check?: Readonly<Record<string, unknown>>
    readonly preset?: Readonly<Record<string, unknown>>
    readonly read: readonly string[]
    readonly write?: readonly string[]
  }
}

/** Body of `POST rights/what-if`. */
export interface WhatIfRequest {
  readonly model: string
  /** In place of the model's own rules, as `acls` of a definition has them. */
  readonly rules: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** For whom rows are compared; absent: an anonymous caller. */
  readonly user?: string
  readonly userModel?: string
}

/** A line of the matrix that the rules would change; one of both is absent where nothing is allowed. */
export interface ChangedLine {
  readonly method: string
  readonly role: string
  readonly before?: RightsLine
  readonly after?: RightsLine
}

/** Rows that somebody would see and does not, or no longer. */
export interface ChangedRows {
  readonly count: number
  /** At most 20 of them. `title` is absent where the model has no property that titles its rows. */
  readonly rows: ReadonlyArray<{ readonly id: string | number, readonly title?: string }>
}

/** `POST rights/what-if`: nothing is written. */
export interface WhatIf {
  readonly changed: readonly ChangedLine[]
  /**
   * Rows of `find` for the caller that was chosen; absent where they cannot be counted: `withoutRows` says why. Only
   * whoever develops the application gets them.
   */
  readonly rows?: {
    readonly before: number
    readonly after: number
    readonly gained: ChangedRows
    readonly lost: ChangedRows
  }
  readonly withoutRows?: string
  /** What of the rules cannot be meant as it is written: such a rule allows nothing. */
  readonly faults: ReadonlyArray<{ readonly rule: number, readonly key: string, readonly says: string }>
  /** The rules as text of JSON, to be taken into the definition. */
  readonly json: string
  /** The file that they belong into. */
  readonly source?: SourceLocation
}
