import { defineModel } from '@fastback/core'

const text = { type: 'string' } as const

/** Rules kept as rows. They count beside those of the model definitions. */
export const aclDefinition = defineModel({
  name: 'ACL',
  base: 'PersistedModel',
  plural: 'ACLs',
  properties: {
    model: text,
    property: text,
    accessType: text,
    permission: text,
    principalType: text,
    principalId: text
  }
})

export const roleDefinition = defineModel({
  name: 'Role',
  base: 'PersistedModel',
  properties: {
    id: { type: 'string', id: true, generated: true },
    name: { type: 'string', required: true },
    description: text,
    created: { type: 'date', default: '$now' },
    modified: { type: 'date', default: '$now' }
  },
  relations: { principals: { type: 'hasMany', model: 'RoleMapping', foreignKey: 'roleId' } }
})

export const roleMappingDefinition = defineModel({
  name: 'RoleMapping',
  base: 'PersistedModel',
  properties: {
    id: { type: 'string', id: true, generated: true },
    principalType: text,
    principalId: { type: 'string', index: true }
  },
  relations: { role: { type: 'belongsTo', model: 'Role', foreignKey: 'roleId' } }
})

/** Named by LoopBack's configurations; nothing reads it. */
export const scopeDefinition = defineModel({
  name: 'Scope',
  base: 'PersistedModel',
  properties: { name: { type: 'string', required: true }, description: text }
})
