/** What passwords must be, beyond not empty and at most 72 bytes. */
export interface PasswordPolicy {
  /** In characters. Default: 1. */
  readonly minLength?: number | undefined
  /** In bytes. Default: 72, as bcrypt has it; argon2 takes more. */
  readonly maxLength?: number | undefined
  /**
   * Asked for each new password: whether it may be used (a list of passwords that were made public, say). A text is the
   * reason why not; false refuses without one; everything else is a yes. It may take its time. What it throws, the
   * operation throws.
   */
  readonly check?: ((password: string, context: { readonly model: string }) => unknown) | undefined
}
