/**
 * The shared methods of connected models (specification, Generic connected-model operations; behaviour.md, section 1).
 * Data only: `rest` makes routes of it, as of any remote method.
 */
import type {
  ArgumentDefinition,
  BuiltinOperation,
  HttpRoute,
  RemoteMethodOptions,
  ReturnDefinition
} from '../interfaces/shared-method.js'
import { idArgument, optionsArgument as options } from '../contracts/shared-arguments.js'

export interface BuiltinMethod extends RemoteMethodOptions {
  /** Undefined: it is called as methods of applications are. */
  builtin: BuiltinOperation | undefined
  aliases: string[]
}

const filter: ArgumentDefinition = {
  arg: 'filter',
  type: 'object',
  description: 'Filter defining fields, where, include, order, offset, and limit',
  modelFilter: 'filter'
}
const filterById: ArgumentDefinition = {
  arg: 'filter',
  type: 'object',
  description: 'Filter defining fields and include',
  modelFilter: 'fields'
}
const where: ArgumentDefinition = {
  arg: 'where',
  type: 'object',
  description: 'Criteria to match model instances',
  modelFilter: 'where'
}
const requiredWhere: ArgumentDefinition = { ...where, required: true, http: { source: 'query' } }
const id: ArgumentDefinition = { ...idArgument, modelId: true }
const one = (model: string): ReturnDefinition => ({ arg: 'data', type: model, root: true })
const counted: ReturnDefinition = {
  arg: 'info',
  description: 'The number of instances',
  type: { count: 'number' },
  root: true
}

const data = (
  model: string,
  variant: 'create' | 'replace' | 'patch',
  extra: Partial<ArgumentDefinition> = {}
): ArgumentDefinition => ({
  arg: 'data',
  type: 'object',
  model,
  http: { source: 'body' },
  modelSchema: { model, variant },
  description: 'Model instance data',
  ...extra
})

/**
 * The methods of one model by full name.
 * @param has which of the methods there are that a setting of the model asks for
 * @param replaceOnPut whether PUT replaces (the rule of 3.0) or, with `replaceOnPUT: false`, patches as in 2.x
 */
export function builtinMethods (
  model: string, replaceOnPut: boolean, has: Readonly<Record<'aggregates' | 'bulk' | 'softDelete' | 'history' | 'live', boolean>>
): Record<string, BuiltinMethod> {
  const put = (route: HttpRoute, owned: boolean): HttpRoute[] => owned ? [route] : []
  return {
    create: method('create', 'WRITE', 'Create a new instance of the model and persist it into the data source.', {
      accepts: [data(model, 'create', { allowArray: true }), options],
      returns: [one(model)],
      http: [{ verb: 'post', path: '/' }]
    }),
    patchOrCreate: method(
      'patchOrCreate',
      'WRITE',
      'Patch an existing model instance or insert a new one into the data source.',
      {
        aliases: ['upsert', 'updateOrCreate'],
        accepts: [data(model, 'patch'), options],
        returns: [one(model)],
        http: [...put({ verb: 'put', path: '/' }, !replaceOnPut), { verb: 'patch', path: '/' }]
      }
    ),
    replaceOrCreate: method(
      'replaceOrCreate',
      'WRITE',
      'Replace an existing model instance or insert a new one into the data source.',
      {
        accepts: [data(model, 'replace'), options],
        returns: [one(model)],
        http: [{ verb: 'post', path: '/replaceOrCreate' }, ...put({ verb: 'put', path: '/' }, replaceOnPut)]
      }
    ),
    upsertWithWhere: method(
      'upsertWithWhere',
      'WRITE',
      'Update an existing model instance or insert a new one into the data source based on the where criteria.',
      {
        aliases: ['patchOrCreateWithWhere'],
        accepts: [requiredWhere, data(model, 'patch'), options],
        returns: [one(model)],
        http: [{ verb: 'post', path: '/upsertWithWhere' }]
      }
    ),
    exists: method('exists', 'READ', 'Check whether a model instance exists in the data source.', {
      accepts: [id, options],
      returns: [{ arg: 'exists', type: 'boolean' }],
      http: [
        { verb: 'get', path: '/:id/exists' },
        { verb: 'head', path: '/:id' }
      ]
    }),
    findById: method('findById', 'READ', 'Find a model instance by {{id}} from the data source.', {
      accepts: [id, filterById, options],
      returns: [one(model)],
      http: [{ verb: 'get', path: '/:id' }]
    }),
    replaceById: method(
      'replaceById',
      'WRITE',
      'Replace attributes for a model instance and persist it into the data source.',
      {
        accepts: [id, data(model, 'replace'), options],
        returns: [one(model)],
        http: [{ verb: 'post', path: '/:id/replace' }, ...put({ verb: 'put', path: '/:id' }, replaceOnPut)]
      }
    ),
    find: method('find', 'READ', 'Find all instances of the model matched by filter from the data source.', {
      accepts: [filter, options],
      returns: [{ arg: 'data', type: [model], root: true }],
      http: [{ verb: 'get', path: '/' }]
    }),
    findOne: method('findOne', 'READ', 'Find first instance of the model matched by filter from the data source.', {
      accepts: [filter, options],
      returns: [one(model)],
      http: [{ verb: 'get', path: '/findOne' }]
    }),
    updateAll: method(
      'updateAll',
      'WRITE',
      'Update instances of the model matched by {{where}} from the data source.',
      {
        aliases: ['update'],
        accepts: [requiredWhere, data(model, 'patch'), options],
        returns: [counted],
        http: [{ verb: 'post', path: '/update' }]
      }
    ),
    deleteById: method('deleteById', 'WRITE', 'Delete a model instance by {{id}} from the data source.', {
      aliases: ['destroyById', 'removeById'],
      accepts: [id, options],
      returns: [{ arg: 'count', type: 'object', root: true }],
      http: [{ verb: 'delete', path: '/:id' }]
    }),
    // Closed unless `sharedMethods` opens it by name, as in LoopBack.
    destroyAll: {
      ...method('deleteById', 'WRITE', 'Delete all matching records.', {
        aliases: ['deleteAll', 'remove'],
        accepts: [where, options],
        returns: [{ ...counted, description: 'The number of instances deleted' }],
        http: [{ verb: 'del', path: '/' }]
      }),
      builtin: undefined,
      shared: false
    },
    count: method('count', 'READ', 'Count instances of the model matched by where from the data source.', {
      accepts: [where, options],
      returns: [{ arg: 'count', type: 'number' }],
      http: [{ verb: 'get', path: '/count' }]
    }),
    ...(has.aggregates ? { aggregate: aggregate() } : {}),
    ...(has.softDelete ? { restoreById: restoreById(model) } : {}),
    ...(has.history ? { historyOf: historyOf(), revert: revert(model) } : {}),
    ...(has.bulk ? bulkMethods(model) : {}),
    ...(has.live ? { live: live() } : {}),
    'prototype.patchAttributes': method(
      'patchAttributes',
      'WRITE',
      'Patch attributes for a model instance and persist it into the data source.',
      {
        aliases: ['updateAttributes'],
        accepts: [data(model, 'patch'), options],
        returns: [one(model)],
        http: [...put({ verb: 'put', path: '/' }, !replaceOnPut), { verb: 'patch', path: '/' }]
      }
    ),
    createChangeStream: method('createChangeStream', 'READ', 'Create a change stream.', {
      accepts: [{ arg: 'options', type: 'object' }],
      returns: [{ arg: 'changes', type: 'ReadableStream', json: true }],
      http: [
        { verb: 'post', path: '/change-stream' },
        { verb: 'get', path: '/change-stream' }
      ]
    })
  }
}

/** Their paths stand before those of rows: a row whose id is the text `bulk` is reached by `PATCH /` with its id. */
const bulkMethods = (model: string): Record<string, BuiltinMethod> => ({
  bulkPatch: bulk('Change instances by their ids, or those that match.', [{ verb: 'patch', path: '/bulk' }], model, 'patch'),
  bulkDelete: bulk('Delete instances by their ids, or those that match.', [{ verb: 'post', path: '/bulk/delete' }], model),
  bulkUpsert: bulk('Change or create instances by a unique key.', [{ verb: 'put', path: '/bulk' }], model, 'upsert')
})

function bulk (
  description: string, http: HttpRoute[], model: string, kind?: 'patch' | 'upsert'
): BuiltinMethod {
  const returned = { type: 'string', enum: ['count', 'rows'] }
  const properties = kind === 'upsert'
    ? { rows: { type: 'array', items: { type: 'object' } }, by: { type: 'array', items: { type: 'string' } }, return: returned }
    : {
        ids: { type: 'array', items: {} }, where: { type: 'object' }, all: { type: 'boolean' },
        ...(kind === 'patch' ? { data: { type: 'object' } } : {}), return: returned
      }
  const required = kind === 'upsert' ? ['rows'] : kind === 'patch' ? ['data'] : []
  return {
    ...method('updateAll', 'WRITE', description, {
      accepts: [{
        arg: 'request', type: 'object', required: true, http: { source: 'body' },
        jsonSchema: { type: 'object', properties, required },
        description: 'Which rows, what of them, and what the response has'
      }, options],
      returns: [{
        arg: 'result', type: 'object', root: true, description: 'How many, and the rows where they are wanted',
        jsonSchema: { type: 'object', properties: { count: { type: 'integer' }, rows: { type: 'array', items: { type: 'object' } } }, required: ['count'] }
      }],
      http
    }),
    builtin: undefined
  }
}

const historyOf = (): BuiltinMethod =>
  method('historyOf', 'READ', 'List the versions of a model instance by {{id}}, the oldest first.', {
    aliases: ['history'],
    accepts: [id, {
      arg: 'filter', type: 'object', http: { source: 'query' }, description: 'Filter defining limit and skip'
    }, options],
    returns: [{ arg: 'data', type: ['object'], root: true }],
    http: [{ verb: 'get', path: '/:id/history' }]
  })

const revert = (model: string): BuiltinMethod =>
  method('revert', 'WRITE', 'Write a model instance by {{id}} as it was after one of its versions.', {
    accepts: [id, { arg: 'version', type: 'number', required: true, http: { source: 'form' } }, options],
    returns: [one(model)],
    http: [{ verb: 'post', path: '/:id/revert' }]
  })

const restoreById = (model: string): BuiltinMethod =>
  method('restoreById', 'WRITE', 'Bring back a model instance by {{id}} that was deleted.', {
    aliases: ['restore'],
    accepts: [id, options],
    returns: [one(model)],
    http: [{ verb: 'post', path: '/:id/restore' }]
  })

/** What `find` would give: rules that name `find` hold for it, and it is closed where `find` is. */
const live = (): BuiltinMethod =>
  method('live', 'READ', 'Watch the instances of the model matched by filter: the rows, then what changes in them.', {
    accepts: [filter, options],
    returns: [{ arg: 'changes', type: 'ReadableStream', json: true }],
    http: [{ verb: 'get', path: '/live' }],
    ruledAs: ['find'],
    endsWithToken: true
  })

const aggregate = (): BuiltinMethod =>
  method('aggregate', 'READ', 'Group instances of the model matched by where from the data source.', {
    accepts: [
      {
        arg: 'filter',
        type: 'object',
        required: true,
        modelFilter: 'aggregate'
      },
      options
    ],
    returns: [{ arg: 'data', type: ['object'], root: true }],
    http: [{ verb: 'get', path: '/aggregate' }]
  })

function method (
  builtin: BuiltinOperation,
  accessType: string,
  description: string,
  rest: RemoteMethodOptions
): BuiltinMethod {
  return {
    aliases: [],
    ...rest,
    builtin,
    accessType,
    description: description.replaceAll(/\{\{(\w+)\}\}/g, '$1')
  } as BuiltinMethod
}
