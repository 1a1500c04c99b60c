/**
 * `@fastback/core/juggler`: what the face of LoopBack's juggler is made with: classes of models, builders and
 * definitions, and its types of properties.
 */
export { Any, AnyJson, constructors, registerType, Text } from '../properties/constructors.js'
export { DateString } from '../properties/date-string.js'
export { GeoPoint } from '../properties/geo-point.js'
export { modelsOfSamples, type IntrospectedModel } from '../introspection/models-of-samples.js'
export { typeOfValue } from '../introspection/type-of-value.js'
export { BaseModel } from '../model/base-model.js'
export { keyValueStatics } from '../model/key-value-model.js'
export { ModelBuilder, modelBuilderOf } from '../model-builder/model-builder.js'
export { ModelDefinition } from '../model-builder/model-definition.js'
export { Transaction } from '../data-source/transaction.js'
