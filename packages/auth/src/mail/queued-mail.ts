/** Mail that is sent by a job: with retries, outside of the request. `@fastback/events` runs it. */
import type { ModelRegistry } from '@fastback/core'
import { backgroundJobsIn, deferredWorkIn } from '@fastback/core/remote'
import type { Mail } from './transport.js'

const name = 'fastback.mail'

interface QueuedMail { readonly model: string, readonly mail: Mail }

/**
 * Lets jobs send mail, where the application has some.
 * @param send by the model of a name, now
 */
export function sendMailByJobs (
  registry: ModelRegistry, send: (model: string, mail: Mail) => Promise<unknown>
): void {
  deferredWorkIn(registry).set(name, {
    kind: 'mail',
    name,
    concurrency: 5,
    timeout: 120_000,
    // Links to log in with.
    isSecret: true,
    async run (data) {
      const { model, mail } = data as QueuedMail
      await send(model, mail)
    }
  })
}

/** Whether messages go by jobs where they do not say it themselves. */
export const mailGoesByJobs = (registry: ModelRegistry): boolean =>
  backgroundJobsIn(registry).by?.delivers.has('mail') === true

/**
 * Puts a message into the queue.
 * @returns undefined where it cannot be: there are no jobs, or it is no JSON (a stream)
 */
export async function queueMail (
  registry: ModelRegistry, model: string, mail: Mail, transaction: unknown
): Promise<{ readonly queued: true, readonly id: string } | undefined> {
  const jobs = backgroundJobsIn(registry).by
  const stored = storable(mail)
  if (jobs === undefined || stored === undefined) return undefined
  const id = await jobs.send(name, { model, mail: stored }, transaction === undefined ? {} : { transaction })
  return { queued: true, id: id as string }
}

/** The message as JSON, with the bytes of attachments in base64. */
function storable (mail: Mail): Mail | undefined {
  const { attachments } = mail
  const plain = Array.isArray(attachments) ? { ...mail, attachments: attachments.map(inBase64) } : mail
  return isJson(plain) ? plain : undefined
}

function inBase64 (attachment: unknown): unknown {
  const { content } = attachment as { readonly content?: unknown }
  if (!(content instanceof Uint8Array)) return attachment
  return { ...attachment as object, content: Buffer.from(content).toString('base64'), encoding: 'base64' }
}

function isJson (value: unknown): boolean {
  if (value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every(isJson)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson)
}
