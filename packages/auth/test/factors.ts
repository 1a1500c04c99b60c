/** Users with second factors, for tests. */
import type { FastifyInstance } from 'fastify'
import { stepAt, totpCode } from '../src/factors/totp.js'
import { call, login } from './app.js'

export const secret = 'a secret of these tests'

/** The bytes of a base32 text. */
export function fromBase32 (text: string): Buffer {
  const bits = [...text].map(letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

export interface Enrolled {
  readonly token: string
  readonly recoveryCodes: string[]
  /** The code of a step: of now, or so many later. */
  code (later?: number): string
}

/** Sets an authenticator application up for a user; its first code is that of the step before now. */
export async function enrol (app: FastifyInstance, name: string, id: unknown): Promise<Enrolled> {
  const token = await login(app, name)
  const { body: { secret: text } } = await call(app, 'POST', `/Users/${String(id)}/totp`, { password: `${name}-secret` }, token)
  const code = (later = 0): string => totpCode(fromBase32(text as string), stepAt(Date.now()) + later)
  const confirm = (): Promise<any> =>
    call(app, 'POST', `/Users/${String(id)}/totp/confirm`, { otp: code(-1) }, token)
  let confirmed = await confirm()
  // Half a minute may have ended since the code was worked out.
  if (confirmed.status !== 200) confirmed = await confirm()
  return { token, recoveryCodes: confirmed.body.recoveryCodes as string[], code }
}
