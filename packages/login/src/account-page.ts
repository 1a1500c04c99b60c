/**
 * The page where a user sees his sessions and accounts, and ends them: forms, and no script. Another site's forms do
 * nothing, and no page frames it.
 */
import { Html, html, page, styleHash } from '@fastback/auth/service'
import { callerOf, endSession, overviewOf, unlink, type Account, type Caller, type Overview } from './account.js'
import type { Entry } from './entry.js'
import type { Logins } from './logins.js'
import type { Visit } from './visit.js'

/** What the page says after a form, by the code in its address: nothing else of the address is shown. */
const notices: Readonly<Record<string, string>> = {
  unlinked: 'The account is unlinked.',
  ended: 'The session is ended.',
  LAST_LOGIN: 'This account is the only way that you can log in by, and stays. Set a password or link another one first.',
  IDENTITY_NOT_FOUND: 'There is no such account of yours.',
  SESSION_NOT_FOUND: 'There is no such session of yours.'
}

export function accountPage (logins: Logins, path: string): void {
  const { host } = logins
  host.route('get', path, async visit => {
    const caller = await callerOf(logins, visit)
    if (caller === undefined) send(visit, 401, page({ title: 'Log in', body: waysIn(logins) }))
    else {
      const overview = await overviewOf(logins, caller)
      send(visit, 200, page({ title: 'Your account', body: content(logins, path, overview, visit) }), isFederated(logins, caller))
    }
  })
  const form = (name: string, done: string, work: (caller: Caller, fields: Readonly<Record<string, unknown>>) =>
  Promise<string | undefined>): void => {
    host.route('post', `${path}/${name}`, async visit => {
      const caller = await callerOf(logins, visit)
      if (caller === undefined) { send(visit, 401, page({ title: 'Log in', body: waysIn(logins) })); return }
      visit.redirect(`${path}?said=${await work(caller, await visit.form()) ?? done}`, 303)
    })
  }
  form('unlink', 'unlinked', async (caller, { identity }) => await unlink(logins, caller, identity))
  form('end-session', 'ended', async (caller, { name }) =>
    await endSession(logins, caller, name) === 0 ? 'SESSION_NOT_FOUND' : undefined)
}

/** A logout may go on to the provider: browsers count where a form is redirected to as part of it. */
const isFederated = ({ entries }: Logins, { user }: Caller): boolean =>
  user.entry !== undefined && entries.get(user.entry)?.options.federatedLogout === true

function send (visit: Visit, status: number, text: string, leadsAway = false): void {
  visit.sides.setHeader('content-security-policy', [
    "default-src 'none'", `style-src ${styleHash}`, `form-action 'self'${leadsAway ? ' https:' : ''}`,
    "frame-ancestors 'none'", "base-uri 'none'"
  ].join('; '))
  visit.sides.setHeader('x-frame-options', 'DENY')
  visit.text(status, 'text/html', text)
}

const isWayIn = ({ link, authMethod }: Entry): boolean => !link && authMethod === 'get'

function waysIn ({ entries }: Logins): Html {
  const ways = [...entries.values()].filter(isWayIn)
  return html`<p>You are not logged in.</p>
<ul>${ways.map(({ authPath, provider }) => html`<li><a href="${authPath}">Log in with ${provider}</a></li>\n`)}</ul>`
}

function content ({ settings: { logoutPath } }: Logins, path: string, overview: Overview, { query }: Visit): Html {
  const { identities, credentials, sessions, links } = overview
  const said = query.get('said') ?? ''
  const notice = Object.hasOwn(notices, said) ? notices[said] : undefined
  // An account that is linked and logs in has a row of both kinds.
  const linkedOnly = credentials.filter(({ provider, name }) =>
    !identities.some(each => each.provider === provider && each.name === name))
  return html`${notice === undefined ? undefined : html`<p role="status">${notice}</p>`}
<h2>Accounts that you log in by</h2>
${identities.length === 0 ? html`<p>None.</p>` : undefined}
<ul>${identities.map(each => html`<li>${nameOf(each)}, since ${day(each.created)}
${button(`${path}/unlink`, 'identity', each.id, `Unlink ${nameOf(each)}`)}</li>\n`)}</ul>
${linkedOnly.length === 0
  ? undefined
  : html`<h2>Accounts that are linked</h2>
<ul>${linkedOnly.map(each => html`<li>${nameOf(each)}, since ${day(each.created)}</li>\n`)}</ul>`}
${links.length === 0
  ? undefined
  : html`<ul>${links.map(({ name, path: to }) => html`<li><a href="${to}">Link an account: ${name}</a></li>\n`)}</ul>`}
<h2>Sessions</h2>
<ul>${sessions.map(({ name, agent, created, current }) => html`<li>${current ? 'This browser' : browserOf(agent)}, since ${day(created)}
${button(`${path}/end-session`, 'name', name, current ? 'End this session' : `End the session of ${browserOf(agent)}`)}</li>\n`)}</ul>
${logoutPath === undefined ? undefined : html`<form method="post" action="${logoutPath}"><button>Log out</button></form>`}`
}

const button = (action: string, field: string, value: unknown, label: string): Html =>
  html`<form method="post" action="${action}"><input type="hidden" name="${field}" value="${String(value)}"><button>${label}</button></form>`

const nameOf = ({ provider, name }: Account): string =>
  typeof name === 'string' && name !== '' ? `${String(provider)} (${name})` : String(provider)

const browserOf = (agent: unknown): string =>
  typeof agent === 'string' && agent !== '' ? agent : 'an unknown browser'

function day (value: unknown): Html {
  const date = new Date(value as string | Date)
  if (Number.isNaN(date.getTime())) return html`an unknown day`
  const text = date.toISOString().slice(0, 10)
  return html`<time datetime="${text}">${text}</time>`
}
