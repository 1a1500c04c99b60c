import type { ModelClass } from '../interfaces/model-class.js'
import { sharedMethodsOf } from './shared-methods.js'
import { namesOf } from './method-selector.js'

/** What code of LoopBack applications asks `Model.sharedClass` for: mostly to switch off all methods but a few. */
export interface SharedClass {
  readonly name: string
  readonly ctor: ModelClass
  methods(): Array<{
    readonly name: string
    readonly isStatic: boolean
    readonly aliases: readonly string[]
    readonly stringName: string
  }>
  findMethodByName(name: string): { readonly name: string; readonly isStatic: boolean } | null
}

export function sharedClassOf (Model: ModelClass): SharedClass {
  return {
    name: Model.modelName,
    ctor: Model,
    methods: () =>
      sharedMethodsOf(Model).map(({ name, isStatic, aliases, fullName }) => ({
        name,
        isStatic,
        aliases,
        stringName: `${Model.modelName}.${fullName}`
      })),
    findMethodByName: name => sharedMethodsOf(Model).find(method => namesOf(method).includes(name)) ?? null
  }
}
