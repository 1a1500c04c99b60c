/** Definitions of models in TypeBox. */
export { definitionModule, type DefinitionModule, type WrittenModel } from './definition-module.js'
export { tableModel } from './table-model.js'
export type { Language } from './property-code.js'
