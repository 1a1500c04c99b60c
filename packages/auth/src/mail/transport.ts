/** Who sends a message: nodemailer, or for tests and set-ups without a mail server nobody. */
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { MailerMissingError } from '../errors.js'

/** A message as nodemailer takes it. */
export type Mail = Readonly<Record<string, unknown>>

export interface Transport {
  sendMail (mail: Mail): Promise<unknown>
  close? (): void
}

/** One entry of `transports` of a data source: nodemailer's options, with LoopBack's names beside them. */
export interface TransportSettings {
  /** `smtp` (default), `stub`, `sendmail`. */
  readonly type?: string
  /** Name by which a message may ask for this transport. */
  readonly alias?: string
  readonly [key: string]: unknown
}

/**
 * Milliseconds that a mail server may take: to be reached and to greet, and between two of its words. nodemailer's own
 * are two minutes and ten: as long would a request wait that sends a message.
 */
export const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const

/** Keeps what it is given, the last hundred messages. */
export class StubTransport implements Transport {
  readonly sent: Mail[] = []

  sendMail (mail: Mail): Promise<unknown> {
    this.sent.push(mail)
    if (this.sent.length > 100) this.sent.shift()
    const named = Object.entries(mail.headers as object | undefined ?? {})
      .find(([name]) => name.toLowerCase() === 'message-id')?.[1] as unknown
    return Promise.resolve({
      messageId: mail.messageId ?? named ?? `<${randomUUID()}@localhost>`,
      envelope: { from: mail.from, to: [mail.to].flat() },
      accepted: [mail.to].flat(),
      rejected: [],
      response: asText(mail)
    })
  }
}

/** The message as tests of applications read it, not encoded: headers, text, HTML. */
function asText ({ from, to, subject, headers, text, html }: Mail): string {
  const lines = Object.entries({ From: from, To: [to].flat().join(', '), Subject: subject, ...headers as object })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${String(value)}`)
  return [...lines, '', ...[text, html].filter(part => part !== undefined).map(String)].join('\r\n')
}

/** @throws FBK_AUTH_MAILER_MISSING when nodemailer is needed and not installed */
export function makeTransport (
  dataSource: string,
  { type = 'smtp', alias: _alias, ...settings }: TransportSettings
): Transport {
  const kind = type.toLowerCase()
  if (kind === 'stub') return new StubTransport()
  const { createTransport } = loadMailer(dataSource)
  return createTransport(kind === 'sendmail' ? { sendmail: true, ...settings } : { ...timeouts, ...settings })
}

interface Mailer { createTransport (options: object): Transport }

/** An optional package, from where this one is installed, also where it became part of a built server. */
function loadMailer (dataSource: string): Mailer {
  try {
    return createRequire(import.meta.url)('nodemailer') as Mailer
  } catch (error) {
    if ((error as { code?: unknown }).code === 'MODULE_NOT_FOUND') throw new MailerMissingError(dataSource)
    throw error
  }
}
