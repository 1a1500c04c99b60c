import { html } from '@fastback/auth/service'
import { factorSections, type Factors } from './factor-sections.js'
import { accountTop, type GrantsPage } from './grants-page.js'
import type { PageContent } from './layout.js'
import { rightsSections } from './rights-sections.js'
import type { Texts } from './texts/en.js'

export interface AccountPage extends GrantsPage {
  /** Why the last form did nothing. */
  readonly problem: keyof Texts | undefined
  /** Undefined: users have no second factors here. */
  readonly factors: Factors['factors'] | undefined
}

/** Everything that a user sees and changes by himself: factors, applications, sessions. */
export const accountPage = (page: AccountPage, texts: Texts): PageContent => ({
  title: texts.accountTitle,
  isWide: true,
  body: html`${accountTop(page, texts)}
${page.factors === undefined ? undefined : factorSections({ ...page, factors: page.factors }, texts)}
${rightsSections(page, texts)}`
})
