import type { RelationDefinition } from '../definition/definition.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { defineAccessor } from './accessor.js'
import type { RelationBase } from './base.js'
import { BelongsTo } from './belongs-to.js'
import { EmbedsMany } from './embeds-many.js'
import { EmbedsOne } from './embeds-one.js'
import { HasAndBelongsToMany } from './has-and-belongs-to-many.js'
import { HasMany } from './has-many.js'
import { HasManyThrough } from './has-many-through.js'
import { HasOne } from './has-one.js'
import { ReferencesMany } from './references-many.js'
import type { Relation } from '../interfaces/relation.js'

/**
 * Makes a relation from its definition and puts its accessor on the model. Related models are looked up when the
 * relation is first used.
 * @param definition as written; its type has been checked
 */
export function createRelation (model: ModelClass, name: string, definition: RelationDefinition): Relation {
  const relation = make(model, name, definition)
  defineAccessor(model, name, relation)
  return relation
}

function make (model: ModelClass, name: string, definition: RelationDefinition): RelationBase {
  switch (definition.type) {
    case 'belongsTo':
      return new BelongsTo(model, name, definition)
    case 'hasOne':
      return new HasOne(model, name, definition)
    case 'hasMany':
      return definition.through ? new HasManyThrough(model, name, definition) : new HasMany(model, name, definition)
    case 'hasAndBelongsToMany':
      return new HasAndBelongsToMany(model, name, definition)
    case 'referencesMany':
      return new ReferencesMany(model, name, definition)
    case 'embedsOne':
      return new EmbedsOne(model, name, definition)
    case 'embedsMany':
      return new EmbedsMany(model, name, definition)
  }
}
