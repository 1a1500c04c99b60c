import { html } from '@fastback/auth/service'
import { factorForm } from './factor-sections.js'
import { fill, strong } from './fill.js'
import type { PageContent } from './layout.js'
import { problem } from './login-page.js'
import { buttonForm } from './rights-sections.js'
import type { Texts } from './texts/en.js'

export interface EnrolmentPage {
  readonly action: string
  readonly csrfToken: string
  readonly user: string
  /** Why the last form did nothing. */
  readonly problem: keyof Texts | undefined
  /** Whether an authenticator application was begun; undefined: there are none here. */
  readonly totp: 'off' | 'started' | undefined
  /** Whether there are passkeys here. */
  readonly passkeys: boolean
}

/** OI-256: a first factor before the login; works without a script where codes are offered. */
export const enrolmentPage = (page: EnrolmentPage, texts: Texts): PageContent => ({
  title: texts.enrol,
  body: html`${problem(page.problem === undefined ? undefined : texts[page.problem])}
<p>${fill(texts.enrolIntro, { user: strong(page.user) })}</p>
${page.totp === 'started'
  ? html`<p>${texts.authenticatorStarted}</p>
${factorForm(page, { value: 'confirm totp', label: texts.confirm, id: 'confirm', asks: 'code' }, texts)}
`
  : undefined}${page.totp === undefined
  ? undefined
  : buttonForm(page, {
    name: 'factor', value: 'totp', label: page.totp === 'started' ? texts.beginAnew : texts.setUpAuthenticator
  })}
${page.passkeys ? buttonForm(page, { name: 'factor', value: 'passkey', label: texts.addPasskey }) : undefined}`
})
