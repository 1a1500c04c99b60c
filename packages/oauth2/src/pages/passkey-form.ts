import { html, type Html, type RequestOptions } from '@fastback/auth/service'
import type { Texts } from './texts/en.js'

export interface PasskeyForm {
  /** Where its script is served. */
  readonly script: string
  readonly options: RequestOptions
}

/** A form that the script shows and fills in (OI-254); hidden without it. */
export const passkeyForm = ({ script, options }: PasskeyForm, { action, csrfToken, isConditional }: {
  readonly action: string
  readonly csrfToken: string
  /** Whether the browser may offer passkeys in the field of the name as well. */
  readonly isConditional: boolean
}, texts: Texts): Html => html`
<form method="post" action="${action}" id="passkey" hidden data-options="${JSON.stringify(options)}"${isConditional ? html` data-conditional` : undefined}>
<input type="hidden" name="_csrf" value="${csrfToken}">
<input type="hidden" name="passkey">
<p class="error" role="alert" id="passkey-problem" hidden>${texts.passkeyFailed}</p>
<button type="submit" class="second">${texts.usePasskey}</button>
</form>
<script src="${script}" defer></script>`
