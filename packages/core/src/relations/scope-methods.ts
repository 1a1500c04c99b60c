/** The endpoints of named scopes: `GET`, `POST` and `DELETE /Products/cheap`, `GET /Products/cheap/count`. */
import type { ModelClass } from '../model/model-class.js'
import type { ArgumentDefinition, RemoteMethodOptions } from '../remoting/shared-method.js'
import { scopesOf } from './scope.js'

const optionsArgument: ArgumentDefinition = { arg: 'options', type: 'object', http: 'optionsFromRequest' }

/** Shared methods of all scopes of a model; the functions are on the class. */
export function scopeMethods (Model: ModelClass): Array<{ readonly name: string, readonly options: RemoteMethodOptions }> {
  return Object.keys(scopesOf(Model)).flatMap(name => methodsOf(Model.modelName, name))
}

function methodsOf (model: string, name: string): Array<{ name: string, options: RemoteMethodOptions }> {
  const method = (prefix: string, verb: string, path: string, accepts: ArgumentDefinition[], options: RemoteMethodOptions) =>
    ({ name: `__${prefix}__${name}`, options: { ...options, accepts: [...accepts, optionsArgument], http: [{ verb, path }], accessType: verb === 'get' ? 'READ' : 'WRITE' } })
  const path = `/${name}`
  return [
    method('get', 'get', path, [{ arg: 'filter', type: 'object', model, modelFilter: 'filter' }],
      { returns: { arg: name, type: [model], root: true }, description: `Queries ${name} of ${model}.` }),
    method('create', 'post', path, [{ arg: 'data', type: 'object', model, allowArray: true, http: { source: 'body' }, modelSchema: { model, variant: 'create' } }],
      { returns: { arg: 'data', type: model, root: true }, description: `Creates a new instance in ${name} of this model.` }),
    method('delete', 'delete', path, [{ arg: 'where', type: 'object', http: () => undefined, documented: false }],
      { returns: [], description: `Deletes all ${name} of this model.` }),
    method('count', 'get', `${path}/count`, [{ arg: 'where', type: 'object', model, modelFilter: 'where' }],
      { returns: { arg: 'count', type: 'number' }, description: `Counts ${name} of ${model}.` })
  ]
}
