import { defineModel, type ModelClass, type ModelRegistry } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { NoMailerError } from '../errors.js'
import type { MailConnector } from '../mail/mail-connector.js'

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
  Object.assign(Email, {
    /** `Email.send(mail, [callback])` */
    send (this: ModelClass, ...args: unknown[]) {
      const { values: [mail], callback } = splitCallback(args)
      return promiseOrCallback(() => deliver(this, mail as Record<string, unknown>), callback, false, this.registry)
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

function deliver (Email: ModelClass, mail: Record<string, unknown>): Promise<unknown> {
  const connector = Email.dataSource?.connector as MailConnector | undefined
  if (typeof connector?.send !== 'function') throw new NoMailerError(Email.modelName)
  return connector.send(mail)
}
