/** What passwords must be, beyond not empty and at most 72 bytes. */
export interface PasswordPolicy {
  /** In characters, after NFC. Default: 1. */
  readonly minLength?: number | undefined
  /** In bytes. Default: 72, as bcrypt has it; argon2 takes more. */
  readonly maxLength?: number | undefined
  /** Words that are no passwords, such as the name of the service; case does not matter. Default: none. */
  readonly words?: readonly string[] | undefined
  /**
   * What knows passwords that were made public: a list of them, a module (its path, relative to `server/`), a function,
   * or a service that is told the first five digits of a password's SHA-1 only. Default: nothing is asked.
   */
  readonly breached?: readonly string[] | string | IsBreached | { readonly url: string } | undefined
  /**
   * Asked for each new password: whether it may be used (a list of passwords that were made public, say). A text is the
   * reason why not; false refuses without one; everything else is a yes. It may take its time. What it throws, the
   * operation throws.
   */
  readonly check?: ((password: string, context: { readonly model: string }) => unknown) | undefined
}

/** Whether a password was made public. `sha1` is in hexadecimal, upper case; `model` names the user model. */
export type IsBreached =
  (password: string, context: { readonly sha1: string, readonly model: string }) => boolean | Promise<boolean>
