/** What the routes of today say and take, in JSON Schema: for their description (SYD-20 to SYD-26). */
import { Type } from '@sinclair/typebox'

const about = (description: string) => ({ description })
const Id = Type.Union([Type.String(), Type.Number()], about('The id of a row'))
const Data = Type.Object({}, { additionalProperties: true, description: 'A row, without its hidden properties' })
const Rev = Type.String(about('The revision of the row'))
const Where = Type.Object({ where: Type.Optional(Type.Object({}, { additionalProperties: true })) }, about('Which rows'))
const at = Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()], about('When it was')))

export const PullResponse = Type.Object({
  changes: Type.Array(Type.Object({
    id: Id,
    rev: Type.Optional(Rev),
    data: Type.Optional(Data),
    deleted: Type.Optional(Type.Literal(true, about('The row is gone'))),
    left: Type.Optional(Type.Literal(true, about('The row is none of the filter or of the caller any more'))),
    at
  })),
  cursor: Type.String(about('What to send as "after" next time')),
  more: Type.Boolean(about('Whether there is more by now'))
})

export const PushBody = Type.Object({
  changes: Type.Array(Type.Object({
    id: Id,
    base: Type.Optional(Type.Union([Type.String(), Type.Null()], about('The revision written upon; null: there was no row'))),
    data: Type.Optional(Data),
    fields: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Some properties' })),
    deleted: Type.Optional(Type.Literal(true))
  }), about('At most 1,000; each with one of "data", "fields" and "deleted"')),
  atomic: Type.Optional(Type.Boolean(about('All or none. Default: false'))),
  version: Type.Optional(Type.Number(about('The version of the rows that the client was made for')))
})

const Conflict = Type.Object({
  rev: Type.Union([Type.String(), Type.Null()]),
  data: Type.Optional(Data),
  deleted: Type.Optional(Type.Literal(true))
}, about('The row as it is instead'))

export const PushResponse = Type.Object({
  results: Type.Array(Type.Object({
    id: Id,
    ok: Type.Optional(Type.Literal(true)),
    rev: Type.Optional(Type.Union([Type.String(), Type.Null()], about('null: the row is gone'))),
    data: Type.Optional(Data),
    deleted: Type.Optional(Type.Literal(true)),
    resolved: Type.Optional(Type.Union(
      [Type.Literal('client'), Type.Literal('server'), Type.Literal('fields'), Type.Literal('hook')],
      about('There was a conflict, which the server settled: whose row it is by now')
    )),
    conflict: Type.Optional(Conflict),
    error: Type.Optional(Type.Object({
      statusCode: Type.Integer(),
      code: Type.Optional(Type.String()),
      message: Type.String(),
      details: Type.Optional(Type.Unknown())
    }, { additionalProperties: true, description: 'Why the row was refused' })),
    skipped: Type.Optional(Type.Literal(true, about('Not written, as another change of an atomic push was not')))
  }), about('In the order of the changes'))
})

export const SeveralBody = Type.Object({
  models: Type.Record(
    Type.String(), Type.Union([Type.String(), Type.Null()]), about('For each model the cursor of last time, or null')),
  filters: Type.Optional(Type.Record(Type.String(), Where)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Changes of each model. Default: 500' })),
  version: Type.Optional(Type.Number())
})

export const MultiPullResponse = Type.Object({ models: Type.Record(Type.String(), PullResponse) })
