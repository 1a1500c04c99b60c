/** Where the models of a folder and their rules are written. */
import type { DefinitionSources } from '@fastback/core/remote'
import type { Configuration } from './configuration.js'

/** Loads what finds them when it is first asked: a server that shows them to nobody does without. */
export const definitionSources = (configuration: Configuration): DefinitionSources => async () =>
  (await import('./audit/written-sources.js')).writtenSources(configuration)
