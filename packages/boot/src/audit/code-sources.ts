/** What code has written of an application, named by where a person would look for it: there are no files to read. */
import { isDeepStrictEqual } from 'node:util'
import type { JSONPath } from 'jsonc-parser'
import type { ModelClass } from '@fastback/core'
import { lineageOf, sourceOf } from '@fastback/core/remote'
import type { Place } from './finding.js'
import { placeIn, type ConfigurationName, type Source, type Sources } from './sources.js'

export class CodeSources implements Sources {
  readonly switchesAccessControlOn = {
    place: { file: 'plugins of the application', key: '', line: undefined },
    missing: 'nothing registers @fastback/acl before @fastback/rest',
    fix: 'await app.register(auth); await app.register(acl)'
  }

  of (): Source[] {
    return []
  }

  config (name: ConfigurationName, keys: JSONPath = []): Place {
    const file = name === 'model-config' ? 'models of the application' : 'settings of the application'
    return placeIn({ file, value: undefined, tree: undefined, text: '' }, keys)
  }

  model (Model: ModelClass, keys: JSONPath): Place {
    return placeIn(this.definition(Model), keys)
  }

  /** Its own rows, without those that it inherits. */
  definition (Model: ModelClass): Source {
    const inherited = rowsOf(lineageOf(Model).at(-2))
    const acls = rowsOf(Model).filter(row => !inherited.some(other => isDeepStrictEqual(row, other)))
    const file = sourceOf(Model) ?? `definition of ${Model.modelName}`
    return { file, value: { acls }, tree: undefined, text: '' }
  }
}

const rowsOf = (Model: ModelClass | undefined): unknown[] => (Model?.settings.acls ?? []) as unknown[]
