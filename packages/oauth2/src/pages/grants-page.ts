import { Html, html, page } from '@fastback/auth/service'

export interface GrantsPage {
  readonly action: string
  readonly csrf: string
  readonly user: string
  /** What the last form did; undefined: there was none. */
  readonly done: string | undefined
  readonly applications: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly scopes: ReadonlyArray<{ readonly scope: string, readonly description: string | undefined }>
    readonly since: Date | undefined
  }>
  readonly sessions: ReadonlyArray<{
    readonly sid: string
    readonly agent: string | undefined
    readonly created: Date
    readonly lastLogin: Date
    readonly isThis: boolean
  }>
}

/** Connected applications and sessions of a user, each with a form that ends it (OI-115). No script. */
export function grantsPage ({ action, csrf, user, done, applications, sessions }: GrantsPage): string {
  const form = (what: string, label: string, fields: Readonly<Record<string, string>> = {}): Html =>
    html`<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrf}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`)}<button type="submit" name="end" value="${what}">${label}</button>
</form>`
  return page('Your applications and sessions', html`<p>You are signed in as <strong>${user}</strong>.</p>
${done === undefined ? undefined : html`<p role="status">${done}</p>`}
<h2>Connected applications</h2>
${applications.length === 0 ? html`<p>There are none.</p>` : undefined}
${applications.map(({ id, name, scopes, since }) => html`<section>
<h3>${name}</h3>
${since === undefined ? undefined : html`<p>Since ${time(since)}</p>`}
<ul>${scopes.map(({ scope, description }) =>
  html`<li><strong>${scope}</strong>${description === undefined ? undefined : html`: ${description}`}</li>`)}</ul>
${form('application', `Take back the access of ${name}`, { client: id })}
</section>
`)}
<h2>Sessions</h2>
<ul>${sessions.map(({ sid, agent, created, lastLogin, isThis }) => html`<li>
${isThis ? html`<strong>This browser</strong>` : agent ?? 'Unknown browser'}, since ${time(created)},
last sign-in ${time(lastLogin)}
${form('session', isThis ? 'Sign out here' : `End the session of ${agent ?? 'the unknown browser'}`, { session: sid })}
</li>
`)}</ul>
${sessions.length > 1 ? form('other sessions', 'End all other sessions') : undefined}`)
}

/** As the clock of this server, UTC, has it: there is no script that knows the browser's. */
const time = (date: Date): Html =>
  html`<time datetime="${date.toISOString()}">${date.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`
