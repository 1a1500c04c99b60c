import { html } from '@fastback/auth/service'
import type { PageContent } from './layout.js'
import { problem } from './login-page.js'
import { passkeyForm, type PasskeyForm } from './passkey-form.js'
import type { Texts } from './texts/en.js'

export interface SecondFactorPage {
  readonly action: string
  readonly csrfToken: string
  readonly failed: boolean
  /** Whether the user has codes. */
  readonly codes: boolean
  readonly passkey: PasskeyForm | undefined
}

/** OI-251: works without a script wherever the user has codes. */
export function secondFactorPage (page: SecondFactorPage, texts: Texts): PageContent {
  const { action, csrfToken, failed, codes, passkey } = page
  return {
    title: texts.secondStep,
    body: html`${problem(failed ? texts.codeFailed : undefined)}
${codes
  ? html`<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrfToken}">
<label for="otp">${texts.codeOrRecovery}</label>
<input id="otp" name="otp" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus${failed ? html` aria-describedby="problem"` : undefined}>
<button type="submit">${texts.continue}</button>
</form>`
  : html`<noscript><p>${texts.passkeysOnly}</p></noscript>`}
${passkey === undefined ? undefined : passkeyForm(passkey, { action, csrfToken, isConditional: false }, texts)}`
  }
}
