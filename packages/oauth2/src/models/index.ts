/** The built-in models of this package. */
import type { ModelClass, ModelDefinitionInput } from '@fastback/core'
import { setUpClient } from './client.js'
import {
  accessTokenDefinition,
  authorizationCodeDefinition,
  clientDefinition,
  permissionDefinition,
  scopeDefinition,
  scopeMappingDefinition,
  stateDefinition
} from './definitions.js'

export interface BuiltinModel {
  readonly definition: ModelDefinitionInput
  setUp? (Model: ModelClass): void
}

export const oauth2Models: readonly BuiltinModel[] = [
  { definition: accessTokenDefinition },
  { definition: authorizationCodeDefinition },
  { definition: permissionDefinition },
  { definition: scopeDefinition },
  { definition: scopeMappingDefinition },
  { definition: clientDefinition, setUp: setUpClient },
  { definition: stateDefinition }
]
