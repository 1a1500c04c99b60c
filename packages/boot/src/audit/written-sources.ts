/** The files of a folder, by the models and rules that they define. */
import { ruleOf } from '@fastback/acl/review'
import type { ModelClass } from '@fastback/core'
import { lineageOf, type SourceLocation, type WrittenSources } from '@fastback/core/remote'
import type { JSONPath } from 'jsonc-parser'
import type { Configuration } from '../configuration.js'
import type { FindingLocation } from './finding.js'
import { listAt, saysTheSame } from './rows.js'
import { FolderSources, locationIn, type Source } from './sources.js'

/**
 * Reads the files of a folder as they are now.
 *
 * ```js
 * writtenSources(configuration).model(Note) // { file: 'common/models/note.json', line: 1 }
 * ```
 */
export function writtenSources ({ folder, env }: Configuration): WrittenSources {
  const sources = new FolderSources(folder, env)
  const listsOf = (Model: ModelClass): Array<[Source, JSONPath]> => {
    const definition = sources.definition(Model)
    const configured = sources.of('model-config').map(source => [source, [Model.modelName, 'acls']] as [Source, JSONPath])
    return definition === undefined ? configured : [[definition, ['acls']], ...configured]
  }
  return {
    model (Model, keys = []) {
      const definition = sources.definition(Model)
      return definition === undefined ? undefined : located(locationIn(definition, [...keys]))
    },
    rule (Model, rule) {
      const sought = ruleOf(rule, true)
      for (const each of lineageOf(Model).toReversed()) {
        for (const [source, keys] of listsOf(each)) {
          const i = listAt(source.value, keys).findIndex(row => saysTheSame(ruleOf(row, true), sought))
          if (i >= 0) return located(locationIn(source, [...keys, i]))
        }
      }
      return undefined
    }
  }
}

const located = ({ file, line }: FindingLocation): SourceLocation => ({ file, ...(line === undefined ? {} : { line }) })
