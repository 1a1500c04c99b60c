import { html, page } from '@fastback/auth/service'
import { passkeyForm, type PasskeyForm } from './passkey-form.js'

export interface LoginPage {
  readonly action: string
  readonly csrf: string
  readonly failed: boolean
  /** What stands in the field of the name. */
  readonly username?: string | undefined
  /** Who is logged in, and can go on without a login. */
  readonly goOnAs?: string | undefined
  readonly passkey?: PasskeyForm | undefined
}

export function loginPage ({ action, csrf, failed, username, goOnAs, passkey }: LoginPage): string {
  return page(
    'Sign in',
    html`${failed ? html`<p class="error" role="alert" id="problem">Name or password is wrong. Please try again.</p>` : undefined}
${goOnAs === undefined
  ? undefined
  : html`<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrf}">
<button type="submit" name="continue" value="yes">Continue as ${goOnAs}</button>
</form>
<h2>Use another account</h2>
`}<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrf}">
<label for="username">User name or e-mail</label>
<input id="username" name="username" type="text" autocomplete="${passkey === undefined ? 'username' : 'username webauthn'}" autocapitalize="none" spellcheck="false" required${username === undefined ? undefined : html` value="${username}"`}${failed ? html` aria-describedby="problem"` : undefined}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Sign in</button>
</form>${passkey === undefined ? undefined : passkeyForm(passkey, action, csrf, true)}`
  )
}
