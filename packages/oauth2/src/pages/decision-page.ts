import { html, page, type Html } from '@fastback/auth/service'

export interface DecisionPage {
  readonly action: string
  readonly csrf: string
  readonly transactionId: string
  readonly client: string
  readonly user: string
  readonly scopes: ReadonlyArray<{ readonly scope: string, readonly description: string | undefined }>
  readonly destination: string
  /** Only of requests of OpenID Connect: what the scopes tell, and which can be left out. */
  readonly identity?: {
    /** Scope → claims. */
    readonly claims: Readonly<Record<string, readonly string[]>>
    /** Claims that are asked for by name. */
    readonly named: readonly string[]
  } | undefined
}

export function decisionPage (
  { action, csrf, transactionId, client, user, scopes, destination, identity }: DecisionPage
): string {
  const list = scopes.map(
    ({ scope, description }) =>
      html`<li><strong>${scope}</strong>${description === undefined ? undefined : html`: ${description}`}</li>`
  )
  if (identity !== undefined) return page(`Allow ${client}?`, choice())
  return page(
    `Allow ${client}?`,
    html`<p>You are signed in as <strong>${user}</strong>.</p>
${
  scopes.length === 0
    ? html`<p><strong>${client}</strong> asks to know who you are.</p>`
    : html`<p><strong>${client}</strong> asks for access to:</p>
<ul>${list}</ul>`
}
<p>You will be sent to <strong>${destination}</strong>.</p>
<form method="post" action="${action}">
<input type="hidden" name="transaction_id" value="${transactionId}">
<input type="hidden" name="_csrf" value="${csrf}">
<button type="submit">Allow</button>
<button type="submit" name="cancel" value="Deny">Deny</button>
</form>`
  )

  /** Scopes can be left out one by one, but for `openid` (OI-112). */
  function choice (): Html {
    return html`<p>You are signed in as <strong>${user}</strong>.</p>
<form method="post" action="${action}">
<input type="hidden" name="transaction_id" value="${transactionId}">
<input type="hidden" name="_csrf" value="${csrf}">
<input type="hidden" name="choice" value="yes">
<p><strong>${client}</strong> asks to:</p>
<ul>
${scopes.map(({ scope, description }) => scope === 'openid'
  ? html`<li>${description ?? 'know who you are'}</li>
`
  : html`<li><label><input type="checkbox" name="scope.${scope}" value="yes" checked> <strong>${scope}</strong>${
    description === undefined ? undefined : html`: ${description}`}</label>${tells(identity?.claims[scope])}</li>
`)}${identity?.named.length === 0
  ? undefined
  : html`<li>read <strong>${(identity?.named ?? []).join(', ')}</strong></li>
`}</ul>
<p>You will be sent to <strong>${destination}</strong>.</p>
<button type="submit">Allow</button>
<button type="submit" name="cancel" value="Deny">Deny</button>
</form>`
  }
}

const tells = (claims: readonly string[] | undefined): Html | undefined =>
  claims === undefined || claims.length === 0 ? undefined : html` (${claims.join(', ')})`
