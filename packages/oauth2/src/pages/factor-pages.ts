/** Pages of one step of setting a factor up. What they show is shown once. */
import { html, type Html } from '@fastback/auth/service'
import { factorForm } from './factor-sections.js'
import type { PageContent } from './layout.js'
import type { Texts } from './texts/en.js'

export interface FactorPage {
  /** Where the form goes, and the link at the end: the account page, or, at a login, where that goes on. */
  readonly action: string
  readonly csrfToken: string
  /** Whether the factor is set up before a login. Default: false, at the account page. */
  readonly atLogin?: boolean
}

export interface AuthenticatorPage extends FactorPage {
  /** Base32. */
  readonly secret: string
  /** `otpauth://…` */
  readonly uri: string
}

/** The secret of an authenticator application, as a link and as text (OI-221), and the form for its first code. */
export const authenticatorPage = (page: AuthenticatorPage, texts: Texts): PageContent => ({
  title: texts.setUpAuthenticator,
  body: html`<p>${texts.totpIntro}</p>
<p><a href="${page.uri}">${texts.totpLink}</a></p>
<p><strong>${texts.totpKey}</strong>: <code>${groups(page.secret)}</code></p>
${factorForm(page, { value: 'confirm totp', label: texts.confirm, id: 'first', asks: 'code' }, texts)}
${back(page, texts)}`
})

/** In fours, which are easier to type. */
const groups = (secret: string): string => secret.replace(/.{4}(?=.)/g, '$& ')

export interface RecoveryCodesPage extends FactorPage { readonly codes: readonly string[] }

export const recoveryCodesPage = (page: RecoveryCodesPage, texts: Texts): PageContent => ({
  title: texts.recoveryCodes,
  body: html`<p role="status">${texts.recoveryIntro}</p>
<ol class="codes">${page.codes.map(code => html`<li><code>${code}</code></li>
`)}</ol>
${page.atLogin === true ? html`<p><a href="${page.action}">${texts.continue}</a></p>` : back(page, texts)}`
})

export interface NewPasskeyPage extends FactorPage {
  /** Where its script is served. */
  readonly script: string
  /** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
  readonly options: Readonly<Record<string, unknown>>
}

export const newPasskeyPage = (page: NewPasskeyPage, texts: Texts): PageContent => ({
  title: texts.addPasskey,
  body: html`<p>${texts.createIntro}</p>
<noscript><p>${texts.scriptsNeeded}</p></noscript>
<form method="post" action="${page.action}" id="passkey" hidden data-creation="${JSON.stringify(page.options)}">
<input type="hidden" name="_csrf" value="${page.csrfToken}">
<input type="hidden" name="factor" value="new passkey">
<input type="hidden" name="passkey">
<p class="error" role="alert" id="passkey-problem" hidden>${texts.createFailed}</p>
<label for="name">${texts.passkeyName}</label>
<input id="name" name="name" type="text" maxlength="255" value="${texts.passkeyUnnamed}" required>
<button type="submit">${texts.createPasskey}</button>
</form>
${back(page, texts)}
<script src="${page.script}" defer></script>`
})

const back = ({ action, atLogin = false }: FactorPage, texts: Texts): Html =>
  html`<p><a href="${action}">${atLogin ? texts.back : texts.backToAccount}</a></p>`
