import { html, page } from '@fastback/auth/service'

export interface DecisionPage {
  readonly action: string
  readonly csrf: string
  readonly transactionId: string
  readonly client: string
  readonly user: string
  readonly scopes: ReadonlyArray<{ readonly scope: string, readonly description: string | undefined }>
  readonly destination: string
}

export function decisionPage (
  { action, csrf, transactionId, client, user, scopes, destination }: DecisionPage
): string {
  const list = scopes.map(
    ({ scope, description }) =>
      html`<li><strong>${scope}</strong>${description === undefined ? undefined : html`: ${description}`}</li>`
  )
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
}
