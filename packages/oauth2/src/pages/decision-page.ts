import { html, type Html } from '@fastback/auth/service'
import { fill, fillText, strong } from './fill.js'
import type { PageContent } from './layout.js'
import type { Texts } from './texts/en.js'

export interface ShownScope { readonly scope: string, readonly description: string | undefined }

export interface DecisionPage {
  readonly action: string
  readonly csrfToken: string
  readonly transactionId: string
  readonly client: string
  readonly user: string
  readonly scopes: readonly ShownScope[]
  readonly destination: string
  /** What the access is for, where the client says so (RFC 8707). */
  readonly resources: ShownResources
  /** Only of requests of OpenID Connect: what the scopes tell, and which can be left out. */
  readonly identity?: {
    /** Scope → claims. */
    readonly claims: Readonly<Record<string, readonly string[]>>
    /** Claims that are asked for by name. */
    readonly named: readonly string[]
  } | undefined
}

export function decisionPage (page: DecisionPage, texts: Texts): PageContent {
  const { action, csrfToken, transactionId, client, user, scopes, destination, resources, identity } = page
  return {
    title: fillText(texts.allowQuestion, { client }),
    body: html`<p>${fill(texts.signedInAs, { user: strong(user) })}</p>
<form method="post" action="${action}">
<input type="hidden" name="transaction_id" value="${transactionId}">
<input type="hidden" name="_csrf" value="${csrfToken}">
${identity === undefined ? access(client, scopes, texts) : choice(client, scopes, identity, texts)}
${resourceList(resources, texts)}<p>${fill(texts.sentTo, { destination: strong(destination) })}</p>
<div class="actions">
<button type="submit">${texts.allow}</button>
<button type="submit" name="cancel" value="Deny" class="second">${texts.deny}</button>
</div>
</form>`
  }
}

export type ShownResources = ReadonlyArray<{ readonly uri: string, readonly name: string | undefined }>

/** What the access is for; nothing for this server. */
export const resourceList = (resources: ShownResources, texts: Texts): Html | undefined => resources.length === 0
  ? undefined
  : html`<p>${fill(texts.accessFor, {
    resources: strong(resources.map(({ uri, name }) => name === undefined ? uri : `${name} (${uri})`).join(', '))
  })}</p>
`

const access = (client: string, scopes: readonly ShownScope[], texts: Texts): Html => scopes.length === 0
  ? html`<p>${fill(texts.asksToKnow, { client: strong(client) })}</p>`
  : html`<p>${fill(texts.asksAccess, { client: strong(client) })}</p>
${scopeList(scopes)}`

/** Scopes with what they are for. */
export const scopeList = (scopes: readonly ShownScope[]): Html => html`<ul>${scopes.map(({ scope, description }) =>
  html`<li><strong>${scope}</strong>${description === undefined ? undefined : html`: ${description}`}</li>`)}</ul>`

/** Scopes can be left out one by one, but for `openid` (OI-112). */
function choice (
  client: string, scopes: readonly ShownScope[], { claims, named }: NonNullable<DecisionPage['identity']>, texts: Texts
): Html {
  const boxes = scopes.map(({ scope, description }) => scope === 'openid'
    ? html`<li>${description ?? texts.knowYou}</li>
`
    : html`<li><label class="check"><input type="checkbox" name="scope.${scope}" value="yes" checked> <strong>${scope}</strong>${
      description === undefined ? undefined : html`: ${description}`}</label>${tells(claims[scope])}</li>
`)
  return html`<input type="hidden" name="choice" value="yes">
<p>${fill(texts.asksTo, { client: strong(client) })}</p>
<ul class="choices">
${boxes}${named.length === 0
  ? undefined
  : html`<li>${fill(texts.readClaims, { claims: strong(named.join(', ')) })}</li>
`}</ul>`
}

const tells = (claims: readonly string[] | undefined): Html | undefined =>
  claims === undefined || claims.length === 0 ? undefined : html` <span class="quiet">(${claims.join(', ')})</span>`
