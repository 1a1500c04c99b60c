import { html, type Html } from '@fastback/auth/service'
import { fillText } from './fill.js'
import type { PageContent } from './layout.js'
import { passkeyForm, type PasskeyForm } from './passkey-form.js'
import type { Texts } from './texts/en.js'

export interface LoginPage {
  readonly action: string
  readonly csrfToken: string
  readonly failed: boolean
  /** What stands in the field of the name. */
  readonly username?: string | undefined
  /** Who is logged in, and can go on without a login. */
  readonly goOnAs?: string | undefined
  readonly passkey?: PasskeyForm | undefined
}

export function loginPage (page: LoginPage, texts: Texts): PageContent {
  const { action, csrfToken, failed, username, goOnAs, passkey } = page
  const describedBy = failed ? html` aria-describedby="problem"` : undefined
  return {
    title: texts.signIn,
    body: html`${problem(failed ? texts.signInFailed : undefined)}
${goOnAs === undefined
  ? undefined
  : html`<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrfToken}">
<button type="submit" name="continue" value="yes">${fillText(texts.continueAs, { user: goOnAs })}</button>
</form>
<h2>${texts.anotherAccount}</h2>
`}<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrfToken}">
<label for="username">${texts.username}</label>
<input id="username" name="username" type="text" autocomplete="${passkey === undefined ? 'username' : 'username webauthn'}" autocapitalize="none" spellcheck="false" required${username === undefined ? undefined : html` value="${username}"`}${describedBy}>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${describedBy}>
<button type="submit">${texts.signIn}</button>
</form>${passkey === undefined ? undefined : passkeyForm(passkey, { action, csrfToken, isConditional: true }, texts)}`
  }
}

/** What went wrong, for those who see it and those who hear it. */
export const problem = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="error" role="alert" id="problem">${text}</p>`
