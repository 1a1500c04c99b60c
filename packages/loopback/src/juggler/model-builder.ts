/** `new ModelBuilder()`: models of no data source. */
import { ModelBuilder as CoreModelBuilder, modelBuilderOf } from '@fastback/core'
import { createRegistry } from './registry.js'

export interface ModelBuilderClass {
  new (): CoreModelBuilder
  (): CoreModelBuilder
  readonly prototype: CoreModelBuilder
}

const create = (): CoreModelBuilder => modelBuilderOf(createRegistry())

/**
 * Defines models of no data source.
 *
 * ```js
 * const Note = new ModelBuilder().define('Note', { title: String })
 * new Note({ title: 'hello' }).isValid() // true
 * ```
 */
export const ModelBuilder = new Proxy(CoreModelBuilder, {
  construct: () => create(),
  apply: () => create()
}) as unknown as ModelBuilderClass
