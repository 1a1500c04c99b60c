import { html, page } from '@fastback/auth/service'

export interface LogoutPage {
  readonly action: string
  readonly csrf: string
  readonly user: string
  /** Name of the client that sent the user here; undefined for one that is not known. */
  readonly client: string | undefined
  /** What the form sends back: never a token (OI-128). */
  readonly parameters: Readonly<Record<string, string>>
}

/** Asks whether the user wants to log out: a link of somebody else must not do it (OI-122). */
export function logoutPage ({ action, csrf, user, client, parameters }: LogoutPage): string {
  return page('Sign out?', html`<p>You are signed in as <strong>${user}</strong>.</p>
${client === undefined ? undefined : html`<p><strong>${client}</strong> asks you to sign out here as well.</p>`}
<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrf}">
${Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`)}<button type="submit" name="logout" value="yes">Sign out</button>
</form>
<p>To stay signed in, close this page.</p>`)
}

/** Where no client says where to go (OI-124). */
export function loggedOutPage (): string {
  return page('Signed out', html`<p role="status">You are signed out here. You can close this page.</p>`)
}
