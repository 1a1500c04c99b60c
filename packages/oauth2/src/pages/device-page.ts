import { html } from '@fastback/auth/service'
import { resourceList, scopeList, type ShownResources, type ShownScope } from './decision-page.js'
import { fill, fillText, strong } from './fill.js'
import type { PageContent } from './layout.js'
import type { Texts } from './texts/en.js'

export interface DevicePage {
  readonly action: string
  readonly csrfToken: string
  /** Stands in the field. */
  readonly userCode: string | undefined
  readonly failed: boolean
}

/** Asks for the code that a device shows. */
export function devicePage ({ action, csrfToken, userCode, failed }: DevicePage, texts: Texts): PageContent {
  return {
    title: texts.connectDevice,
    body: html`${failed
      ? html`<p class="error" role="alert">${texts.deviceCodeFailed}</p>
`
      : undefined}<p>${texts.enterDeviceCode}</p>
<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrfToken}">
<label for="user_code">${texts.deviceCode}</label>
<input id="user_code" name="user_code" value="${userCode ?? ''}" required autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20">
<button type="submit">${texts.continue}</button>
</form>`
  }
}

export interface DeviceDecisionPage {
  readonly action: string
  readonly csrfToken: string
  readonly userCode: string
  readonly client: string
  readonly user: string
  readonly scopes: readonly ShownScope[]
  /** What the access is for, where the device says so (RFC 8707). */
  readonly resources: ShownResources
}

/** Shows the code and the client, so that nobody approves somebody else's device (OI-144). */
export function deviceDecisionPage (page: DeviceDecisionPage, texts: Texts): PageContent {
  const { action, csrfToken, userCode, client, user, scopes, resources } = page
  const named = { client: strong(client) }
  return {
    title: fillText(texts.connectQuestion, { client }),
    body: html`<p>${fill(texts.signedInAs, { user: strong(user) })}</p>
<p>${fill(texts.sameDeviceCode, { code: strong(userCode) })}</p>
${scopes.length === 0
  ? html`<p>${fill(texts.asksToKnow, named)}</p>`
  : html`<p>${fill(texts.asksAccess, named)}</p>
${scopeList(scopes)}`}
${resourceList(resources, texts)}<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrfToken}">
<input type="hidden" name="user_code" value="${userCode}">
<div class="actions">
<button type="submit" name="decision" value="allow">${texts.allow}</button>
<button type="submit" name="decision" value="deny" class="second">${texts.deny}</button>
</div>
</form>`
  }
}

export interface DeviceDonePage { readonly allowed: boolean }

/** What the user reads at the end. */
export const deviceDonePage = ({ allowed }: DeviceDonePage, texts: Texts): PageContent => allowed
  ? { title: texts.deviceConnected, body: html`<p role="status">${texts.goOnAtDevice}</p>` }
  : { title: texts.deviceRefused, body: html`<p role="status">${texts.deviceNoAccess}</p>` }
