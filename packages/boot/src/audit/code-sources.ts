/** What code has written of an application, named by where a person would look for it: there are no files to read. */
import type { JSONPath } from 'jsonc-parser'
import type { ModelClass } from '@fastback/core'
import type { FindingLocation } from './finding.js'
import { locationIn, sourceInCode, type ConfigurationName, type Source, type Sources } from './sources.js'

export class CodeSources implements Sources {
  readonly switchesAccessControlOn = {
    place: { file: 'plugins of the application', key: '', line: undefined },
    missing: 'nothing registers @fastback/acl before @fastback/rest',
    fix: 'await app.register(auth); await app.register(acl)'
  }

  of (): Source[] {
    return []
  }

  config (name: ConfigurationName, keys: JSONPath = []): FindingLocation {
    const file = name === 'model-config' ? 'models of the application' : 'settings of the application'
    return locationIn({ file, value: undefined, tree: undefined, text: '' }, keys)
  }

  model (Model: ModelClass, keys: JSONPath): FindingLocation {
    return locationIn(this.definition(Model), keys)
  }

  definition (Model: ModelClass): Source {
    return sourceInCode(Model)
  }
}
