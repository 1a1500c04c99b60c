import { Type } from '@sinclair/typebox'
import { defineModel } from '@fastback/core'

export const Person = defineModel({
  name: 'Person',
  plural: 'People',
  strict: true,
  properties: Type.Object({ name: Type.String({ minLength: 1 }), mail: Type.String({ format: 'email' }) })
})

export const Ticket = defineModel({
  name: 'Ticket',
  strict: true,
  properties: Type.Object({
    title: Type.String({ minLength: 3, maxLength: 200 }),
    state: Type.Union([Type.Literal('open'), Type.Literal('doing'), Type.Literal('done')], { default: 'open' }),
    priority: Type.Integer({ minimum: 1, maximum: 5, default: 3 })
  }),
  relations: {
    assignee: { type: 'belongsTo', model: 'Person', foreignKey: 'assigneeId' },
    comments: { type: 'hasMany', model: 'Comment', foreignKey: 'ticketId' }
  }
})

export const Comment = defineModel({
  name: 'Comment',
  strict: true,
  properties: Type.Object({ text: Type.String({ minLength: 1, maxLength: 2_000 }) }),
  relations: { ticket: { type: 'belongsTo', model: 'Ticket', foreignKey: 'ticketId' } }
})

/** From here on models, filters and what they include are typed by these definitions, wherever the registry is used. */
declare module '@fastback/core' {
  interface ModelTypes {
    Person: typeof Person
    Ticket: typeof Ticket
    Comment: typeof Comment
  }
}
