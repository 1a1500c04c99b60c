import type { ModelDefinition } from './definition.js'

/** Where something of a definition is written, for messages. */
export const place = (definition: ModelDefinition, key: string): string =>
  `${definition.source === undefined ? '' : `${definition.source}: `}model "${definition.name}", ${key}`
