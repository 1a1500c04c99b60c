/** An authenticator application, and users who have one. */
import { createHmac } from 'node:crypto'
import { join } from './clients.js'
import type { Answer, Attacked } from './harness.js'

/** The code of a secret (base32) at a time: RFC 6238. */
export function codeOf (secret: string, later = 0): string {
  const bits = [...secret].map(each => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map(each => Number.parseInt(each, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later))
  const hash = createHmac('sha1', key).update(counter).digest()
  return String((hash.readUInt32BE((hash.at(-1) as number) & 15) & 0x7FFFFFFF) % 1_000_000).padStart(6, '0')
}

export interface Enrolled {
  readonly id: number
  readonly name: string
  readonly secret: string
  /** Of the session that enrolled. */
  readonly token: string
  readonly recoveryCodes: string[]
}

/** Registers somebody who has an authenticator application. The code of the step before now is used up. */
export async function enrolled (server: Attacked, name: string, users = 'Users'): Promise<Enrolled> {
  const { send } = server
  const { id, token } = await join(server, name, users)
  const made = await send('POST', `/${users}/${String(id)}/totp`, { json: { password: `${name}-secret` }, token })
  const { secret } = made.body as { secret: string }
  const confirm = async (): Promise<Answer> =>
    await send('POST', `/${users}/${String(id)}/totp/confirm`, { json: { otp: codeOf(secret, -1) }, token })
  let confirmed = await confirm()
  // Half a minute may have ended since the code was worked out.
  if (confirmed.status !== 200) confirmed = await confirm()
  const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] }
  return { id, name, secret, token, recoveryCodes }
}

/** The first step of a login: its challenge. */
export async function challengeOf ({ send }: Pick<Attacked, 'send'>, name: string, users = 'Users'): Promise<string> {
  const asked = await send('POST', `/${users}/login`, { json: { username: name, password: `${name}-secret` } })
  return (asked.body as { error: { details: { challenge: string } } }).error.details.challenge
}

export const login = async (
  { send }: Pick<Attacked, 'send'>, name: string, more: object = {}, users = 'Users'
): Promise<Answer> =>
  await send('POST', `/${users}/login`, { json: { username: name, password: `${name}-secret`, ...more } })
