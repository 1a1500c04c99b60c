/** A login of OAuth that is under way. */
export interface OAuthLogin {
  /**
   * @param amr how the login was proven (RFC 8176); without it: by an account elsewhere
   * @returns where the browser goes on, where a client waits for the login
   */
  logInBy (request: object, reply: object, userId: unknown, amr?: readonly string[]): Promise<string | undefined>
}
