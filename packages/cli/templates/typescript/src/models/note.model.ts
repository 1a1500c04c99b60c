import { Type } from '@sinclair/typebox'
import { defineModel, Property } from '@fastback/core'

/** A note of one user: the rules show it to nobody else. */
export const Note = defineModel({
  name: 'Note',
  properties: Type.Object({
    title: Type.String({ minLength: 1, maxLength: 100 }),
    text: Type.Optional(Type.String({ maxLength: 10_000 })),
    state: Property(Type.Union([Type.Literal('open'), Type.Literal('done')]), { default: 'open' }),
    createdAt: Property(Type.Date(), { defaultFn: 'now', readOnly: true })
  }),
  relations: {
    category: { type: 'belongsTo', model: 'Category', foreignKey: 'categoryId' },
    owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' }
  },
  // The owner of a new note is who makes it, whatever the request says.
  ownerFromToken: true,
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', accessType: 'READ', rows: 'own' },
    { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', accessType: 'WRITE', rows: 'own' },
    { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW', property: 'finish' }
  ],
  methods: {
    // GET /api/Notes/summary
    summary: {
      description: 'How many notes are open and done',
      accessType: 'READ',
      http: { verb: 'get', path: '/summary' },
      returns: Type.Object({ open: Type.Integer(), done: Type.Integer() }),
      async run (_args, { options }) {
        const [open, done] = await Promise.all([
          this.count({ state: 'open' }, options),
          this.count({ state: 'done' }, options)
        ])
        return { open, done }
      }
    },
    // POST /api/Notes/:id/finish
    'prototype.finish': {
      description: 'Marks a note as done',
      http: { verb: 'post', path: '/finish' },
      returns: { arg: 'note', type: 'Note', root: true },
      async run (_args, { options }) {
        return await this.updateAttribute('state', 'done', options)
      }
    }
  }
})

declare module '@fastback/core' {
  interface ModelTypes { Note: typeof Note }
}
