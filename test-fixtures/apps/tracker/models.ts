/** A ticket tracker: people, their tickets, what is said and attached. */
import { Type } from '@sinclair/typebox'
import { defineModel, Property } from '@fastback/core'

const nobody = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const may = (principalId: string, property: string | string[]) =>
  ({ principalType: 'ROLE', principalId, permission: 'ALLOW', property })

export const Person = defineModel({
  name: 'Person',
  plural: 'people',
  base: 'User',
  properties: Type.Object({ name: Type.String({ minLength: 1 }) }),
  relations: { tickets: { type: 'hasMany', model: 'Ticket', foreignKey: 'reporterId' } },
  acls: [may('$authenticated', 'me')],
  methods: {
    me: {
      returns: Type.Object({ name: Type.String(), email: Type.String(), open: Type.Integer() }),
      http: { verb: 'get', path: '/me' },
      async run (_args, { options }): Promise<{ name: string, email: string, open: number }> {
        const id = options.accessToken?.userId
        const person = typeof id === 'number' ? await this.findById(id) : null
        if (person === null) throw new Error('The caller has gone')
        return { name: person.name, email: person.email, open: await person.tickets.count({ state: 'open' }) }
      }
    }
  }
})

const State = Type.Union([Type.Literal('open'), Type.Literal('doing'), Type.Literal('done')])

export const Ticket = defineModel({
  name: 'Ticket',
  properties: Type.Object({
    title: Type.String({ minLength: 3 }),
    state: Property(State, { default: 'open' }),
    priority: Property(Type.Integer({ minimum: 1, maximum: 5 }), { default: 3 }),
    openedAt: Property(Type.Date(), { defaultFn: 'now' }),
    closedAt: Type.Optional(Type.Date())
  }),
  relations: {
    reporter: { type: 'belongsTo', model: 'Person', foreignKey: 'reporterId' },
    comments: { type: 'hasMany', model: 'Comment', foreignKey: 'ticketId' },
    files: { type: 'hasMany', model: 'Attachment', foreignKey: 'ticketId' }
  },
  ownerRelations: ['reporter'],
  ownerFromToken: true,
  acls: [
    nobody,
    may('$authenticated', ['create', 'find', 'findById', 'stats', '__get__comments', '__create__comments']),
    may('$owner', ['patchAttributes', 'close', 'attach', '__get__files']),
    may('admin', ['deleteById', 'close'])
  ],
  methods: {
    stats: {
      description: 'How many tickets there are in each state.',
      accepts: Type.Object({ since: Type.Optional(Type.Date()) }),
      returns: Type.Object({ open: Type.Integer(), doing: Type.Integer(), done: Type.Integer() }),
      http: { verb: 'get' },
      async run ({ since }, { options }) {
        const count = async (state: 'open' | 'doing' | 'done') =>
          await this.count(since === undefined ? { state } : { state, openedAt: { gte: since } }, options)
        return { open: await count('open'), doing: await count('doing'), done: await count('done') }
      }
    },
    'prototype.close': {
      accepts: Type.Object({ reason: Type.String({ minLength: 1 }) }),
      returns: { arg: 'ticket', type: 'Ticket', root: true },
      http: { verb: 'post' },
      async run ({ reason }) {
        await this.comments.create({ text: `Closed: ${reason}` })
        this.state = 'done'
        this.closedAt = new Date()
        return await this.save()
      }
    },
    'prototype.attach': {
      description: 'Uploads a file; its content is base64.',
      accepts: Type.Object({ name: Type.String({ minLength: 1 }), content: Type.String() }),
      returns: Type.Object({ id: Type.Integer(), bytes: Type.Integer() }),
      http: { verb: 'post' },
      async run ({ name, content }) {
        const data = Buffer.from(content, 'base64')
        const { id } = await this.files.create({ name, data })
        return { id, bytes: data.length }
      }
    }
  }
})

export const Comment = defineModel({
  name: 'Comment',
  properties: Type.Object({ text: Type.String({ minLength: 1 }), at: Property(Type.Date(), { defaultFn: 'now' }) }),
  relations: {
    ticket: { type: 'belongsTo', model: 'Ticket' },
    author: { type: 'belongsTo', model: 'Person', foreignKey: 'authorId' }
  },
  acls: [nobody]
})

export const Attachment = defineModel({
  name: 'Attachment',
  properties: { name: { type: 'string', required: true }, data: { type: 'buffer', required: true, hidden: true } },
  relations: { ticket: { type: 'belongsTo', model: 'Ticket' } },
  acls: [nobody]
})

declare module '@fastback/core' {
  interface ModelTypes {
    Person: typeof Person
    Ticket: typeof Ticket
    Comment: typeof Comment
    Attachment: typeof Attachment
  }
}
