import { Type } from '@sinclair/typebox'
import { defineModel } from '@fastback/core'

/** What notes are sorted into. Everybody who is signed in reads them, editors write them. */
export const Category = defineModel({
  name: 'Category',
  properties: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 50 })
  }),
  relations: {
    notes: { type: 'hasMany', model: 'Note', foreignKey: 'categoryId' }
  },
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', accessType: 'READ' },
    { principalType: 'ROLE', principalId: 'editor', permission: 'ALLOW' }
  ]
})

declare module '@fastback/core' {
  interface ModelTypes { Category: typeof Category }
}
