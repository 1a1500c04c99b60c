import { defineModel, type ModelClass, type ModelRegistry } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { MailQueueError, NoMailerError } from '../errors.js'
import type { MailConnector } from '../mail/mail-connector.js'
import { mailGoesByJobs, queueMail, sendMailByJobs } from '../mail/queued-mail.js'

/** Messages; attached to a data source with the connector `mail`. */
export const emailDefinition = defineModel({
  name: 'Email',
  base: 'Model',
  properties: {
    to: { type: 'string', required: true },
    from: { type: 'string', required: true },
    subject: { type: 'string', required: true },
    text: { type: 'string' },
    html: { type: 'string' }
  }
})

export function defineEmail (registry: ModelRegistry): ModelClass {
  const Email = registry.defineModel(emailDefinition)
  setUpEmail(Email)
  return Email
}

export function setUpEmail (Email: ModelClass): void {
  const { registry } = Email
  sendMailByJobs(registry, async (name, mail) => await sendNow(registry.getModel(name) as ModelClass, mail))
  Object.assign(Email, {
    /** `Email.send(mail, [options], [callback])`; `mail.queue`: whether a job sends it. */
    send (this: ModelClass, ...args: unknown[]) {
      const { values: [mail, options], callback } = splitCallback(args)
      return promiseOrCallback(
        () => deliver(this, mail as Record<string, unknown>, options), callback, false, this.registry
      )
    }
  })
  Object.assign(Email.prototype, {
    /** `email.send([callback])` */
    send (this: Record<string, unknown> & { constructor: ModelClass }, ...args: unknown[]) {
      const { callback } = splitCallback(args)
      return promiseOrCallback(() => deliver(this.constructor, { ...this }), callback, false, this.constructor.registry)
    }
  })
}

/**
 * @throws FBK_AUTH_NO_MAILER; FBK_AUTH_MAIL_QUEUE for a message with `queue: true` that no job can send
 */
async function deliver (
  Email: ModelClass, { queue, ...mail }: Record<string, unknown>, options?: unknown
): Promise<unknown> {
  const { registry, modelName } = Email
  if (queue === true || (queue !== false && mailGoesByJobs(registry))) {
    const { transaction } = (options ?? {}) as { readonly transaction?: unknown }
    const queued = await queueMail(registry, modelName, mail, transaction)
    if (queued !== undefined) return queued
    if (queue === true) throw new MailQueueError(modelName)
  }
  return await sendNow(Email, mail)
}

async function sendNow (Email: ModelClass, mail: Record<string, unknown>): Promise<unknown> {
  const connector = Email.dataSource?.connector as MailConnector | undefined
  if (typeof connector?.send !== 'function') throw new NoMailerError(Email.modelName)
  return await connector.send(mail)
}
