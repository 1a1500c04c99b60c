/** The JSON Schema of a model's file, for editors. */
import type { TObject } from '@sinclair/typebox'
import { AclVocabulary } from './acl.js'
import { ArgumentVocabulary, MethodVocabulary } from './method.js'
import { PropertyVocabulary } from './property.js'
import { RelationOptionsVocabulary, RelationVocabulary } from './relation.js'
import { DefinitionVocabulary, SettingsVocabulary } from './settings.js'

/**
 * The schema of `common/models/*.json`. Keys that are not known are allowed, as mixins and components have their own.
 */
export function modelFileSchema (): object {
  const settings = SettingsVocabulary.properties
  const named = (each: object): object => ({ type: 'object', additionalProperties: each })
  const values = { anyOf: [ArgumentVocabulary, { type: 'array', items: ArgumentVocabulary }] }
  const parts = {
    properties: named(described(PropertyVocabulary, ['string', 'array', 'null', 'boolean'])),
    relations: named(extended(RelationVocabulary, { options: RelationOptionsVocabulary })),
    acls: { anyOf: [{ type: 'array', items: AclVocabulary }, { type: 'object' }] },
    methods: named(extended(MethodVocabulary, { accepts: values, returns: values }))
  }
  const top = Object.fromEntries(Object.entries(DefinitionVocabulary.properties)
    .filter(([key]) => !['instanceMethods', 'config', 'dataSource', 'public', 'settings'].includes(key)))
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    description: 'A model of an application folder.',
    type: 'object',
    required: ['name'],
    properties: { ...top, ...settings, ...parts, options: { type: 'object', properties: settings } }
  }
}

const extended = (schema: TObject, properties: object): object =>
  ({ ...schema, properties: { ...schema.properties, ...properties } })

/** A property may also be written as its type alone. */
const described = (schema: TObject, shorthands: readonly string[]): object =>
  ({ anyOf: [schema, ...shorthands.map(type => ({ type }))] })
