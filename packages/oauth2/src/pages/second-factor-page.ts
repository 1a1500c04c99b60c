import { html, page } from '@fastback/auth/service'
import { passkeyForm, type PasskeyForm } from './passkey-form.js'

export interface SecondFactorPage {
  readonly action: string
  readonly csrf: string
  readonly failed: boolean
  /** Whether the user has codes. */
  readonly codes: boolean
  readonly passkey: PasskeyForm | undefined
}

/** OI-251: works without a script wherever the user has codes. */
export function secondFactorPage ({ action, csrf, failed, codes, passkey }: SecondFactorPage): string {
  return page(
    'Second step',
    html`${failed ? html`<p class="error" role="alert" id="problem">That was wrong, or was used already. Please try again.</p>` : undefined}
${codes
  ? html`<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrf}">
<label for="otp">Code of your authenticator application, or a recovery code</label>
<input id="otp" name="otp" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus${failed ? html` aria-describedby="problem"` : undefined}>
<button type="submit">Continue</button>
</form>`
  : html`<noscript><p>Your account has passkeys only; they need a browser that runs scripts.</p></noscript>`}
${passkey === undefined ? undefined : passkeyForm(passkey, action, csrf, false)}`
  )
}
