/** Instances of models, and how they are made. */

/** An instance: its properties are own enumerable data properties, methods come from the class. */
export interface ModelInstance {
  [property: string]: unknown
}

/** What `new Model(data, options)` takes. */
export interface InstanceOptions {
  readonly fields?: unknown
  readonly applySetters?: boolean
  readonly persisted?: boolean
  readonly applyDefaultValues?: boolean
}
