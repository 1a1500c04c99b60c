import { html, type Html, type RequestOptions } from '@fastback/auth/service'

export interface PasskeyForm {
  /** Where its script is served. */
  readonly script: string
  readonly options: RequestOptions
}

/**
 * A form that the script shows and fills in (OI-254); hidden without it.
 * @param isConditional whether the browser may offer passkeys in the field of the name as well
 */
export const passkeyForm = (
  { script, options }: PasskeyForm, action: string, csrf: string, isConditional: boolean
): Html => html`
<form method="post" action="${action}" id="passkey" hidden data-options="${JSON.stringify(options)}"${isConditional ? html` data-conditional` : undefined}>
<input type="hidden" name="_csrf" value="${csrf}">
<input type="hidden" name="passkey">
<p class="error" role="alert" id="passkey-problem" hidden>No passkey was used. Please try again.</p>
<button type="submit">Use a passkey</button>
</form>
<script src="${script}" defer></script>`
