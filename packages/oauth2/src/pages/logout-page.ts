import { html } from '@fastback/auth/service'
import { fill, strong } from './fill.js'
import type { PageContent } from './layout.js'
import type { Texts } from './texts/en.js'

export interface LogoutPage {
  readonly action: string
  readonly csrfToken: string
  readonly user: string
  /** Name of the client that sent the user here; undefined for one that is not known. */
  readonly client: string | undefined
  /** What the form sends back: never a token (OI-128). */
  readonly parameters: Readonly<Record<string, string>>
}

/** Asks whether the user wants to log out: a link of somebody else must not do it (OI-122). */
export function logoutPage (page: LogoutPage, texts: Texts): PageContent {
  const { action, csrfToken, user, client, parameters } = page
  return {
    title: texts.signOutQuestion,
    body: html`<p>${fill(texts.signedInAs, { user: strong(user) })}</p>
${client === undefined ? undefined : html`<p>${fill(texts.asksSignOut, { client: strong(client) })}</p>`}
<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrfToken}">
${Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`)}<button type="submit" name="logout" value="yes">${texts.signOut}</button>
</form>
<p class="quiet">${texts.staySignedIn}</p>`
  }
}

/** Where no client says where to go (OI-124). */
export const loggedOutPage = (_page: object, texts: Texts): PageContent => ({
  title: texts.signedOut, body: html`<p role="status">${texts.signedOutHere}</p>`
})
