/** `new ModelBuilder()`: models of no data source. */
import type { ModelBuilder as Builder } from '@fastback/core'
import { ModelBuilder as CoreModelBuilder, modelBuilderOf, typeOfValue } from '@fastback/core/juggler'
import { createRegistry } from './registry.js'
import { substitute, types, type TypeStatics } from './types.js'

export interface ModelBuilderClass extends TypeStatics {
  /** The type of an example's values, as it stands in a definition. */
  introspect (example: unknown): unknown
  /** For models that code defines nowhere in particular. */
  readonly defaultInstance: Builder
  new (): Builder
  (): Builder
  readonly prototype: Builder
}

const create = (): Builder => modelBuilderOf(createRegistry())

/**
 * Defines models of no data source.
 *
 * ```js
 * const Note = new ModelBuilder().define('Note', { title: String })
 * new Note({ title: 'hello' }).isValid() // true
 * ```
 */
export const ModelBuilder = substitute<ModelBuilderClass>(CoreModelBuilder, create, {
  ...types, introspect: typeOfValue, defaultInstance: create()
})
