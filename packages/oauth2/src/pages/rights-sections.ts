/** What is open for a user, each with a form that ends it (OI-115). */
import { html, type Html } from '@fastback/auth/service'
import { scopeList, type ShownScope } from './decision-page.js'
import { fill, fillText, time } from './fill.js'
import type { Texts } from './texts/en.js'

export interface Rights {
  readonly action: string
  readonly csrfToken: string
  readonly applications: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly scopes: readonly ShownScope[]
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

/** A form of one button. */
export const buttonForm = ({ action, csrfToken }: { readonly action: string, readonly csrfToken: string }, button: {
  readonly name: string
  readonly value: string
  readonly label: string
  readonly fields?: Readonly<Record<string, string>>
}): Html => html`<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrfToken}">
${Object.entries(button.fields ?? {}).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`)}<button type="submit" class="second" name="${button.name}" value="${button.value}">${button.label}</button>
</form>`

/** Connected applications and sessions. */
export function rightsSections (page: Rights, texts: Texts): Html {
  const { applications, sessions } = page
  const end = (value: string, label: string, fields?: Readonly<Record<string, string>>): Html =>
    buttonForm(page, { name: 'end', value, label, ...fields === undefined ? {} : { fields } })
  return html`<h2>${texts.applications}</h2>
${applications.length === 0 ? html`<p>${texts.noApplications}</p>` : undefined}
${applications.map(({ id, name, scopes, since }) => html`<section class="card">
<h3>${name}</h3>
${since === undefined ? undefined : html`<p class="quiet">${fill(texts.connectedSince, { time: time(since) })}</p>`}
${scopes.length === 0 ? undefined : scopeList(scopes)}
${end('application', fillText(texts.takeBack, { client: name }), { client: id })}
</section>
`)}
<h2>${texts.sessions}</h2>
<ul class="cards">${sessions.map(({ sid, agent, created, lastLogin, isThis }) => html`<li class="card">
<strong>${isThis ? texts.thisBrowser : agent ?? texts.unknownBrowser}</strong>
<p class="quiet">${fill(texts.sessionTimes, { created: time(created), last: time(lastLogin) })}</p>
${end('session', isThis ? texts.signOutHere : fillText(texts.endSession, { browser: agent ?? texts.unknownBrowser }), { session: sid })}
</li>
`)}</ul>
${sessions.length > 1 ? end('other sessions', texts.endOtherSessions) : undefined}`
}
