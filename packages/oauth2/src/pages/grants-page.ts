import { html, type Html } from '@fastback/auth/service'
import { fill, strong } from './fill.js'
import type { PageContent } from './layout.js'
import { problem } from './login-page.js'
import { rightsSections, type Rights } from './rights-sections.js'
import type { Texts } from './texts/en.js'

export interface GrantsPage extends Rights {
  readonly user: string
  /** What the last form did; undefined: there was none. */
  readonly done: keyof Texts | undefined
}

/** Connected applications and sessions of a user, each with a form that ends it (OI-115). No script. */
export const grantsPage = (page: GrantsPage, texts: Texts): PageContent => ({
  title: texts.rightsTitle,
  isWide: true,
  body: html`${accountTop({ ...page, problem: undefined }, texts)}
${rightsSections(page, texts)}`
})

/** Who is there, and what the last form did. */
export const accountTop = ({ user, done, problem: failed }: {
  readonly user: string, readonly done: keyof Texts | undefined, readonly problem: keyof Texts | undefined
}, texts: Texts): Html => html`${done === undefined
? undefined
: html`<p role="status">${texts[done]}</p>
`}${problem(failed === undefined ? undefined : texts[failed])}<p>${fill(texts.signedInAs, { user: strong(user) })}</p>`
