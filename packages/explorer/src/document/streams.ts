/** Responses that are streams of objects: the changes of a model, or what a method of the application gives. */
import type { SharedMethod } from '@fastback/core'
import type { ModelSchemas } from './model-schemas.js'
import type { Content, Schema } from '@fastback/ui/openapi'

export function streamContent (method: SharedMethod, models: ModelSchemas): Content {
  if (method.builtin === 'live') return liveContent(method, models)
  const piece = method.builtin === 'createChangeStream' ? changeSchema(method, models) : {}
  return {
    'text/event-stream': {
      schema: models.components.ref('events', 'EventStream', () => ({
        type: 'string',
        description:
          'Server-sent events. The data of those named "data" is an object each; "gap" says that changes were missed, "end" and "error" that no more follow'
      })),
      // Not the bare reference: linters know those within schemas only, and this is a word of our own.
      'x-itemSchema': typeof piece.$ref === 'string' ? { allOf: [piece] } : piece
    },
    // Asked for with Accept: application/json.
    'application/json; boundary=NL': {
      schema: models.components.ref('event-lines', 'EventLines', () => ({
        type: 'string',
        description: 'A line of JSON each: the name of the stream, what the line says, and with "data" the object'
      })),
      'x-itemSchema': lineSchema(piece)
    }
  }
}

/** The rows of a live query, and the steps from one list of them to the next. */
function liveContent ({ model }: SharedMethod, models: ModelSchemas): Content {
  const row = models.of(model, 'response')
  const position = { type: 'integer', minimum: 0 }
  const step = {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['insert', 'update', 'move', 'remove'] },
      index: position, from: position, to: position, row
    },
    required: ['type']
  }
  const list = (name: string, items: Schema): Schema =>
    ({ type: 'object', properties: { [name]: { type: 'array', items } }, required: [name] })
  return {
    'text/event-stream': {
      schema: models.components.ref('live-events', 'LiveEventStream', () => ({
        type: 'string',
        description:
          'Server-sent events: "rows" has all rows, "changes" the steps from those that the event before has left, which are taken one after the other; "error" and "end" that no more follow'
      })),
      'x-itemSchema': { anyOf: [list('rows', row), list('changes', step)] }
    }
  }
}

/** A change as it is sent: of a removed row, its id alone. */
function changeSchema ({ model, modelName }: SharedMethod, models: ModelSchemas): Schema {
  const make = (): Schema => ({
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['create', 'update', 'remove'] },
      target: { ...models.id(model), description: 'Id of the row' },
      data: { ...models.of(model, 'response'), description: 'The row, unless it was removed' }
    },
    required: ['type', 'target']
  })
  return models.published.has(model) ? models.components.ref(`change:${modelName}`, `${modelName}Change`, make) : make()
}

/** Linters want to know of every array what is in it, whatever is said of its first items. */
const lineSchema = (piece: Schema): Schema => {
  const name = { type: 'string' }
  return {
    anyOf: [
      { type: 'array', prefixItems: [name, { type: 'string', enum: ['data'] }, piece], items: {}, minItems: 3, maxItems: 3 },
      {
        type: 'array',
        prefixItems: [name, { type: 'string', enum: ['new', 'gap', 'end', 'error'] }],
        items: {},
        minItems: 2,
        maxItems: 3
      }
    ]
  }
}
