/** `new ModelDefinition(…)`: a definition without a class. */
import type { ModelBuilder as CoreModelBuilder } from '@fastback/core'
import { ModelDefinition as CoreDefinition } from '@fastback/core/juggler'
import { ModelBuilder } from './model-builder.js'

type Properties = Readonly<Record<string, unknown>>
interface Schema {
  readonly name: string
  readonly properties?: Properties
  readonly settings?: Record<string, unknown>
}

export interface ModelDefinitionClass {
  new (
    modelBuilder: CoreModelBuilder | null | undefined,
    name: string | Schema, properties?: Properties, settings?: Record<string, unknown>
  ): CoreDefinition
  readonly prototype: CoreDefinition
}

/**
 * What a model consists of, types as constructors.
 *
 * ```js
 * new ModelDefinition(modelBuilder, 'Note', { title: 'string' }).properties.title.type === String
 * ```
 */
export const ModelDefinition = new Proxy(CoreDefinition, {
  construct (_target, [given, name, properties, settings]: ConstructorParameters<ModelDefinitionClass>) {
    const builder = given ?? ModelBuilder.defaultInstance
    return typeof name === 'string'
      ? new CoreDefinition(builder, name, properties, settings)
      : new CoreDefinition(builder, name.name, name.properties, name.settings)
  }
}) as unknown as ModelDefinitionClass
