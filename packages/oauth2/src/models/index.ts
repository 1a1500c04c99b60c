/** The built-in models of this package. */
import type { BuiltinModel } from '@fastback/core'
import { keyDefinition } from '../openid/models.js'
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

export const oauth2Models: readonly BuiltinModel[] = [
  { definition: accessTokenDefinition },
  { definition: authorizationCodeDefinition },
  { definition: permissionDefinition },
  { definition: scopeDefinition },
  { definition: scopeMappingDefinition },
  { definition: clientDefinition, setUp: setUpClient },
  { definition: stateDefinition },
  { definition: keyDefinition }
]
