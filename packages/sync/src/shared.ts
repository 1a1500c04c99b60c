/** Which writes of a model are open to clients at all: what an application has disabled by name stays disabled here. */
import type { ModelClass } from '@fastback/core'
import { sharedMethodsOf } from '@fastback/core/remote'

const ways = {
  create: ['create', 'patchOrCreate', 'replaceOrCreate', 'upsertWithWhere'],
  update: ['prototype.patchAttributes', 'replaceById', 'patchOrCreate', 'replaceOrCreate', 'upsertWithWhere'],
  delete: ['deleteById']
} as const

interface Remoting { readonly sharedMethods?: Record<string, unknown> }

/** Whether there is a route of the model that does such a thing. */
export const isShared = (Model: ModelClass, kind: keyof typeof ways): boolean =>
  hasShared(Model, ways[kind])

/** Whether the model has a route of one of these methods. */
export function hasShared (Model: ModelClass, names: readonly string[]): boolean {
  const { sharedMethods } = (Model.registry.settings.remoting ?? {}) as Remoting
  return sharedMethodsOf(Model, sharedMethods).some(({ fullName }) => names.includes(fullName))
}
