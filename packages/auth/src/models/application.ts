/** Client applications: their record, keys and authentication. */
import { createHash, randomBytes } from 'node:crypto'
import { defineModel, type HookContext, type ModelClass, type ModelInstance } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { createsRow } from '@fastback/core/remote'
import { isSameText } from '../same-text.js'

const text = { type: 'string' } as const
const keyNames = ['clientKey', 'javaScriptKey', 'restApiKey', 'windowsKey', 'masterKey'] as const

export const applicationDefinition = defineModel({
  name: 'Application',
  base: 'PersistedModel',
  // It holds keys of push services (PU-19).
  hidden: ['pushSettings'],
  properties: {
    id: { type: 'string', id: true },
    realm: text,
    name: { type: 'string', required: true },
    description: text,
    icon: text,
    owner: text,
    collaborators: ['string'],
    email: text,
    emailVerified: 'boolean',
    url: text,
    callbackUrls: ['string'],
    permissions: ['string'],
    clientKey: text,
    javaScriptKey: text,
    restApiKey: text,
    windowsKey: text,
    masterKey: text,
    pushSettings: 'object',
    authenticationEnabled: { type: 'boolean', default: true },
    anonymousAllowed: { type: 'boolean', default: true },
    authenticationSchemes: ['object'],
    status: { type: 'string', default: 'sandbox' },
    created: { type: 'date', default: '$now' },
    modified: { type: 'date', default: '$now' }
  }
})

const digest = (algorithm: string): string => createHash(algorithm).update(randomBytes(32)).digest('hex')
const newKeys = (): Record<string, string> => Object.fromEntries(keyNames.map(name => [name, digest('sha1')]))

type Application = ModelClass & {
  create (data: object): Promise<ModelInstance>
  findById (id: unknown): Promise<ModelInstance | null>
}

/** The application with new keys, which are stored. */
async function withNewKeys (application: ModelInstance): Promise<ModelInstance> {
  const patch = application.patchAttributes as (data: object) => Promise<ModelInstance>
  return await patch.call(application, { ...newKeys(), modified: new Date() })
}

export function setUpApplication (Application: ModelClass): void {
  Application.observe('before save', (context: HookContext) => {
    if (!createsRow(context)) return
    const instance = (context.instance ?? context.data) as Record<string, unknown>
    instance.id ??= digest('md5')
    for (const [name, key] of Object.entries(newKeys())) instance[name] ??= key
  })
  Object.assign(Application, {
    /** `Application.register(owner, name, [options], [callback])` */
    register (this: Application, ...args: unknown[]) {
      const { values: [owner, name, options], callback } = splitCallback(args)
      const data = { ...(options as object | undefined), owner, name }
      return promiseOrCallback(() => this.create(data), callback, false, this.registry)
    },
    /** New keys for an application. */
    resetKeys (this: Application, ...args: unknown[]) {
      const { values: [id], callback } = splitCallback(args)
      return promiseOrCallback(async () => {
        const found = await this.findById(id)
        return found === null ? null : await withNewKeys(found)
      }, callback, false, this.registry)
    },
    /** The application, and which of its keys this is; null when it is none of them. */
    authenticate (this: Application, ...args: unknown[]) {
      const { values: [id, key], callback } = splitCallback(args)
      return promiseOrCallback(async () => {
        const application = await this.findById(id)
        const keyType = application === null ? undefined : keyNames.find(name => isSameText(application[name], key))
        return keyType === undefined ? null : { application, keyType }
      }, callback, false, this.registry)
    }
  })
  Object.defineProperty(Application.prototype, 'resetKeys', {
    configurable: true,
    writable: true,
    /** `application.resetKeys([callback])`: new keys for this one. */
    value (this: ModelInstance, ...args: unknown[]) {
      return promiseOrCallback(() => withNewKeys(this), splitCallback(args).callback, false, Application.registry)
    }
  })
}
