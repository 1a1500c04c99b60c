/** What the forms of the account page do with factors: the functions of the user model do it (openid.md, 10.2). */
import type { ModelClass } from '@fastback/core'
import type { Parameters } from '../http/parameters.js'
import { passkeyScriptPath } from '../endpoints/factors-in.js'
import type { SessionData } from '../session/sessions.js'

/** What follows a step: another page, or the page of the account, which says what has changed. */
export interface Outcome {
  readonly page:
    | { readonly name: 'authenticator', readonly secret: string, readonly uri: string }
    | { readonly name: 'recoveryCodes', readonly codes: readonly string[] }
    | { readonly name: 'newPasskey', readonly script: string, readonly options: Readonly<Record<string, unknown>> }
    | { readonly changed: string }
  /** Set where the step ended all logins: what it adds to `amr` of the one that goes on. */
  readonly amr?: readonly string[]
}

interface Step {
  readonly Model: ModelClass
  readonly userId: unknown
  readonly body: Parameters
  /** How and when the user logged in. */
  readonly login: Pick<SessionData, 'amr' | 'authTime'>
}

/** Functions that second factors put on a user model. They ask for passwords and codes, and count what is wrong. */
interface FactorStatics {
  enrolTotp (id: unknown, data: object, options: object): Promise<{ secret: string, uri: string }>
  confirmTotp (id: unknown, data: object): Promise<{ recoveryCodes: string[] }>
  disableTotp (id: unknown, data: object): Promise<void>
  renewRecoveryCodes (id: unknown, data: object): Promise<{ recoveryCodes: string[] }>
  passkeyOptions (id: unknown, data: object, options: object): Promise<Record<string, unknown>>
  addPasskey (id: unknown, data: object): Promise<unknown>
  renamePasskey (id: unknown, fk: string, data: object): Promise<unknown>
  removePasskey (id: unknown, fk: string, data: object): Promise<void>
  forgetDevice (id: unknown, fk: string): Promise<void>
}

const statics = ({ Model }: Step): FactorStatics => Model as unknown as FactorStatics
const password = ({ body }: Step): string => body.get('password') ?? ''

/** A code is one of the application, or a recovery code: those have letters. */
const code = ({ body }: Step): { readonly otp: string } | { readonly recoveryCode: string } => {
  const given = body.get('otp') ?? ''
  return /[a-z]/i.test(given) ? { recoveryCode: given } : { otp: given }
}

/** Steps by the value of the form's button. */
export const factorSteps: ReadonlyMap<string, (step: Step) => Promise<Outcome>> = new Map<
  string, (step: Step) => Promise<Outcome>
    >([
      ['totp', async step => {
        const data = { password: password(step), ...step.body.has('otp') ? code(step) : {} }
        const { secret, uri } = await statics(step).enrolTotp(step.userId, data, { accessToken: step.login })
        return { page: { name: 'authenticator', secret, uri } }
      }],
      ['confirm totp', async step => {
        const { recoveryCodes: codes } = await statics(step).confirmTotp(step.userId, { otp: step.body.get('otp') })
        return { page: { name: 'recoveryCodes', codes }, amr: ['otp', 'mfa'] }
      }],
      ['remove totp', async step => {
        await statics(step).disableTotp(step.userId, { password: password(step), ...code(step) })
        return { page: { changed: 'remove totp' }, amr: [] }
      }],
      ['recovery', async step => {
        const data = { password: password(step), otp: step.body.get('otp') }
        const { recoveryCodes: codes } = await statics(step).renewRecoveryCodes(step.userId, data)
        return { page: { name: 'recoveryCodes', codes }, amr: [] }
      }],
      ['passkey', async step => {
        const data = { password: password(step), ...step.body.has('otp') ? code(step) : {} }
        // A young login with two factors stands for a code: who has passkeys only has none.
        const options = await statics(step).passkeyOptions(step.userId, data, { accessToken: step.login })
        return { page: { name: 'newPasskey', script: passkeyScriptPath, options } }
      }],
      ['new passkey', async step => {
        const response = parsed(step.body.get('passkey'))
        await statics(step).addPasskey(step.userId, { name: step.body.get('name'), response })
        return { page: { changed: 'new passkey' }, amr: ['pop', 'user', 'mfa'] }
      }],
      ['rename passkey', async step => {
        const data = { name: step.body.get('name'), ...step.body.has('otp') ? code(step) : {} }
        await statics(step).renamePasskey(step.userId, step.body.get('id') ?? '', data)
        return { page: { changed: 'rename passkey' } }
      }],
      ['remove passkey', async step => {
        await statics(step).removePasskey(step.userId, step.body.get('id') ?? '', { password: password(step) })
        return { page: { changed: 'remove passkey' }, amr: [] }
      }],
      ['forget device', async step => {
        await statics(step).forgetDevice(step.userId, step.body.get('id') ?? '')
        return { page: { changed: 'forget device' } }
      }]
    ])

function parsed (text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
