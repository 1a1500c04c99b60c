/** Second factors of a user, with the forms that change them. A password, and a code where there are some, for each. */
import { html, type Html } from '@fastback/auth/service'
import { fill, fillText, time } from './fill.js'
import { buttonForm } from './rights-sections.js'
import type { Texts } from './texts/en.js'

export interface Factors {
  readonly action: string
  readonly csrfToken: string
  readonly factors: {
    /** Of the authenticator application; undefined: the application has none. */
    readonly totp: 'on' | 'off' | 'started' | undefined
    /** How many are left. */
    readonly recoveryCodes: number
    /** Undefined: the application has none. */
    readonly passkeys: readonly ListedPasskey[] | undefined
    readonly devices: ReadonlyArray<{ readonly id: string, readonly name: string | null, readonly created: Date }>
  }
}

export interface ListedPasskey {
  readonly id: string
  readonly name: string | null
  readonly created: Date
  readonly lastUsed: Date | null
  /** Whether it is refused as a copy, until its user renames it with another factor (OI-245). */
  readonly isSuspect: boolean
}

export function factorSections (page: Factors, texts: Texts): Html {
  const { factors: { totp, recoveryCodes, passkeys, devices } } = page
  const hasCodes = totp === 'on' || recoveryCodes > 0
  const form = (step: Step): Html => html`<details>
<summary>${step.label}</summary>
${factorForm(page, step, texts)}
</details>`
  return html`<h2>${texts.factors}</h2>
<p>${texts.factorsIntro} ${texts.othersEnd}</p>
${totp === undefined
  ? undefined
  : html`<section class="card">
<h3>${texts.authenticator}</h3>
<p>${{ on: texts.authenticatorOn, off: texts.authenticatorOff, started: texts.authenticatorStarted }[totp]}</p>
${totp === 'on'
  ? form({ value: 'remove totp', label: texts.removeAuthenticator, id: 'totp', asks: 'password and any code' })
  : html`${totp === 'started'
    ? factorForm(page, { value: 'confirm totp', label: texts.confirm, id: 'confirm', asks: 'code' }, texts)
    : undefined}
${form({
  value: 'totp', label: totp === 'started' ? texts.beginAnew : texts.setUpAuthenticator, id: 'totp',
  asks: hasCodes ? 'password and any code' : 'password'
})}`}
</section>
`}${recoveryCodes === 0 && totp !== 'on'
  ? undefined
  : html`<section class="card">
<h3>${texts.recoveryCodes}</h3>
<p>${fillText(texts.recoveryCodesLeft, { count: String(recoveryCodes) })}</p>
${totp === 'on'
  ? form({ value: 'recovery', label: texts.newRecoveryCodes, id: 'recovery', asks: 'password and code' })
  : undefined}
</section>
`}${passkeys === undefined
  ? undefined
  : html`<section class="card">
<h3>${texts.passkeys}</h3>
${passkeys.length === 0 ? html`<p>${texts.noPasskeys}</p>` : undefined}
<ul>${passkeys.map(({ id, name, created, lastUsed, isSuspect }, i) => html`<li>
<strong>${name ?? texts.passkeyUnnamed}</strong> <span class="quiet">${lastUsed === null
  ? fill(texts.passkeySince, { time: time(created) })
  : fill(texts.passkeyTimes, { created: time(created), last: time(lastUsed) })}</span>
${isSuspect ? html`<p class="error">${texts.passkeySuspect}</p>` : undefined}
${form({
  value: 'rename passkey', label: fillText(texts.renamePasskey, { name: name ?? texts.passkeyUnnamed }),
  id: `rename-${i}`, asks: isSuspect ? 'any code' : 'nothing', fields: { id }, name: name ?? ''
})}
${form({
  value: 'remove passkey', label: fillText(texts.removePasskey, { name: name ?? texts.passkeyUnnamed }),
  id: `remove-${i}`, asks: 'password', fields: { id }
})}
</li>
`)}</ul>
${form({ value: 'passkey', label: texts.addPasskey, id: 'add', asks: hasCodes ? 'password and any code' : 'password' })}
</section>
`}${devices.length === 0
  ? undefined
  : html`<section class="card">
<h3>${texts.devices}</h3>
<ul>${devices.map(({ id, name, created }) => html`<li>
<strong>${name ?? texts.deviceUnnamed}</strong> <span class="quiet">${fill(texts.passkeySince, { time: time(created) })}</span>
${buttonForm(page, {
  name: 'factor', value: 'forget device', label: fillText(texts.forgetDevice, { name: name ?? texts.deviceUnnamed }), fields: { id }
})}
</li>
`)}</ul>
</section>
`}`
}

interface Step {
  readonly value: string
  readonly label: string
  /** Makes the ids of the fields differ. */
  readonly id: string
  readonly asks: 'nothing' | 'password' | 'code' | 'any code' | 'password and code' | 'password and any code'
  /** The form asks for a name, which is this now. */
  readonly name?: string
  readonly fields?: Readonly<Record<string, string>>
}

/** A form of the page for what a step asks. */
export function factorForm (
  { action, csrfToken }: Pick<Factors, 'action' | 'csrfToken'>, { value, label, id, asks, fields = {}, name: named }: Step,
  texts: Texts
): Html {
  const [password, code, title] = [`password-${id}`, `code-${id}`, `name-${id}`]
  return html`<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrfToken}">
${Object.entries(fields).map(([name, given]) => html`<input type="hidden" name="${name}" value="${given}">
`)}${named === undefined
  ? undefined
  : html`<label for="${title}">${texts.passkeyName}</label>
<input id="${title}" name="name" type="text" maxlength="255" value="${named}" required>
`}${!asks.startsWith('password')
  ? undefined
  : html`<label for="${password}">${texts.currentPassword}</label>
<input id="${password}" name="password" type="password" autocomplete="current-password" required>
`}${!asks.endsWith('code')
  ? undefined
  : html`<label for="${code}">${asks.endsWith('any code') ? texts.codeOrRecovery : texts.code}</label>
<input id="${code}" name="otp" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required>
`}<button type="submit" name="factor" value="${value}">${label}</button>
</form>`
}
