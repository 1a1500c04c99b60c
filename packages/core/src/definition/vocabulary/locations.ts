/** Where each part of the vocabulary stands in a definition: for who tries each of its keys. */
import type { TObject } from '@sinclair/typebox'
import { AclVocabulary } from './acl.js'
import { ArgumentVocabulary, MethodVocabulary } from './method.js'
import { PropertyVocabulary } from './property.js'
import { RelationOptionsVocabulary, RelationVocabulary } from './relation.js'
import { SettingsVocabulary } from './settings.js'

export interface DefinitionLocation {
  readonly schema: TObject
  /** A definition that has some keys there, and nothing that is wrong beside them. */
  write (part: object): object
}

export const definitionLocations: Readonly<Record<string, DefinitionLocation>> = {
  settings: { schema: SettingsVocabulary, write: part => part },
  property: { schema: PropertyVocabulary, write: part => ({ properties: { title: { type: 'string', ...part } } }) },
  relation: { schema: RelationVocabulary, write: part => ({ relations: { owner: { type: 'hasOne', ...part } } }) },
  'options of a relation': {
    schema: RelationOptionsVocabulary,
    write: options => ({ relations: { owner: { type: 'hasOne', options } } })
  },
  acl: { schema: AclVocabulary, write: part => ({ acls: [{ permission: 'ALLOW', ...part }] }) },
  method: { schema: MethodVocabulary, write: part => ({ methods: { greet: part } }) },
  argument: { schema: ArgumentVocabulary, write: part => ({ methods: { greet: { accepts: [part] } } }) }
}
