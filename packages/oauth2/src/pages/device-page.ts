import { html, page } from '@fastback/auth/service'

export interface CodePage {
  readonly action: string
  readonly csrf: string
  /** What stands in the field. */
  readonly userCode: string | undefined
  readonly failed: boolean
}

/** Asks for the code that a device shows. */
export function codePage ({ action, csrf, userCode, failed }: CodePage): string {
  return page('Connect a device', html`${failed
    ? html`<p class="error" role="alert">This code is not known, or too old. Look at the device again.</p>
`
    : undefined}<p>Enter the code that your device shows.</p>
<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrf}">
<label for="user_code">Code</label>
<input id="user_code" name="user_code" value="${userCode ?? ''}" required autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20">
<button type="submit">Continue</button>
</form>`)
}

export interface ConfirmPage {
  readonly action: string
  readonly csrf: string
  readonly userCode: string
  readonly client: string
  readonly user: string
  readonly scopes: ReadonlyArray<{ readonly scope: string, readonly description: string | undefined }>
}

/** Shows the code and the client, so that nobody approves somebody else's device (OI-144). */
export function confirmPage ({ action, csrf, userCode, client, user, scopes }: ConfirmPage): string {
  const list = scopes.map(({ scope, description }) =>
    html`<li><strong>${scope}</strong>${description === undefined ? undefined : html`: ${description}`}</li>`)
  return page(`Connect ${client}?`, html`<p>You are signed in as <strong>${user}</strong>.</p>
<p>Does your device show the code <strong>${userCode}</strong>? Go on only if you have started this on a device of your own:
whoever sent you the code would get the access.</p>
${scopes.length === 0
  ? html`<p><strong>${client}</strong> asks to know who you are.</p>`
  : html`<p><strong>${client}</strong> asks for access to:</p>
<ul>${list}</ul>`}
<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrf}">
<input type="hidden" name="user_code" value="${userCode}">
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>`)
}

/** What the user reads at the end. */
export const donePage = (allowed: boolean): string => allowed
  ? page('Device connected', html`<p role="status">You can go on at your device, and close this page.</p>`)
  : page('Device refused', html`<p role="status">The device gets no access. You can close this page.</p>`)
