/** What a model class says about its properties, as LoopBack code asks. */
import type { ModelClass } from '../interfaces/model-class.js'
import type { PropertyDefinition } from '../definition/definition.js'
import { InvalidDefinitionError } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { definitionOf, type ClassDefinition } from '../model-builder/class-definition.js'
import type { PropertyKind } from '../properties/types.js'
import { EmittingModel } from './emitting-model.js'

const typeNames: Readonly<Record<PropertyKind, string>> = {
  string: 'String',
  number: 'Number',
  integer: 'Number',
  long: 'Number',
  bigint: 'Number',
  decimal: 'String',
  boolean: 'Boolean',
  date: 'Date',
  object: 'Object',
  array: 'Array',
  buffer: 'Buffer',
  geopoint: 'GeoPoint',
  any: 'Any',
  model: 'Object'
}

export class DescribedModel extends EmittingModel {
  declare static readonly modelName: string

  static get definition (): ClassDefinition {
    return definitionOf(this.state)
  }

  static get compiled (): CompiledModel {
    return this.state.compiled
  }

  static getIdName (): string | undefined {
    const { idName, idNames } = this.state
    return idNames.length === 0 ? undefined : idName
  }

  /**
   * The type of a property by the name that LoopBack code knows: `String`, `Number`, `Array`, a model's name; null for
   * what is no property.
   */
  static getPropertyType (name: string): string | null {
    const type = this.compiled.propertyByName.get(name)?.type
    return type === undefined ? null : (type.model ?? typeNames[type.kind])
  }

  /** Calls `visit` with the name and the definition of each property. */
  static forEachProperty (visit: (name: string, definition: PropertyDefinition) => void): void {
    for (const [name, definition] of Object.entries(this.definition.properties)) visit(name, definition)
  }

  static isHiddenProperty (name: string): boolean {
    return this.compiled.hidden.has(name)
  }

  static isProtectedProperty (name: string): boolean {
    return this.compiled.protectedNames.has(name)
  }

  /** Names of properties that only updates may set. */
  static getUpdateOnlyProperties (): string[] {
    return Object.entries(this.definition.properties)
      .filter(([, { updateOnly }]) => updateOnly === true)
      .map(([name]) => name)
  }

  /** LoopBack makes accessors then; here properties need none. @throws FBK_CORE_INVALID_DEFINITION for no property */
  static registerProperty (name: string): void {
    if (this.compiled.propertyByName.has(name)) return
    throw new InvalidDefinitionError(`model "${this.modelName}"`, `has no property "${name}"`)
  }

  /** The model's `strict`, as code of LoopBack applications reads it. */
  get __strict (): unknown {
    return (this.constructor as unknown as ModelClass).settings.strict ?? false
  }

  getIdName (): string | undefined {
    return (this.constructor as typeof DescribedModel).getIdName()
  }

  /** As the static function of this name. */
  getPropertyType (name: string): string | null {
    return (this.constructor as typeof DescribedModel).getPropertyType(name)
  }

  /**
   * Does work as LoopBack's code of old hooks calls it. The hooks themselves run with the operations, not here.
   * @param work gets a function to call when it is done, which calls the function that it is given
   */
  trigger (_action: string, work?: ((this: this, next: (done?: () => void) => void) => void) | null): void {
    work?.call(this, done => { done?.call(this) })
  }
}
