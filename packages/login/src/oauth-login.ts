/** A login of OAuth that is under way. */
export interface OAuthLogin {
  /** @returns where the browser goes on, where a client waits for the login */
  logInBy (request: object, reply: object, userId: unknown): Promise<string | undefined>
}
