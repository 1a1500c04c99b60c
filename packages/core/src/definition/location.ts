import type { ModelDefinition } from './definition.js'

/** The file, the model and the key of a part of a definition, for messages. */
export const locationOf = (definition: Pick<ModelDefinition, 'name' | 'source'>, key: string): string =>
  `${definition.source === undefined ? '' : `${definition.source}: `}model "${definition.name}", ${key}`
