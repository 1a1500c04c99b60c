/** The endpoints of named scopes: `GET`, `POST` and `DELETE /Products/cheap`, `GET /Products/cheap/count`. */
import type { ModelClass } from '../interfaces/model-class.js'
import type { ArgumentDefinition, RemoteMethodOptions } from '../interfaces/shared-method.js'
import { optionsArgument } from '../contracts/shared-arguments.js'
import { dataOf, filterOf, noCondition, whereOf } from './method-parts.js'
import { scopesOf } from './scope.js'

/** Shared methods of all scopes of a model; the functions are on the class. */
export function scopeMethods (
  Model: ModelClass
): Array<{ readonly name: string; readonly options: RemoteMethodOptions }> {
  return Object.keys(scopesOf(Model)).flatMap(name => methodsOf(Model.modelName, name))
}

function methodsOf (model: string, name: string): Array<{ name: string, options: RemoteMethodOptions }> {
  const method = (
    prefix: string,
    verb: string,
    path: string,
    accepts: ArgumentDefinition[],
    options: RemoteMethodOptions
  ) => ({
    name: `__${prefix}__${name}`,
    options: {
      ...options,
      accepts: [...accepts, optionsArgument],
      http: [{ verb, path }],
      accessType: verb === 'get' ? 'READ' : 'WRITE'
    }
  })
  const path = `/${name}`
  return [
    method('get', 'get', path, [filterOf(model)], {
      returns: { arg: name, type: [model], root: true },
      description: `Queries ${name} of ${model}.`
    }),
    method('create', 'post', path, [{ ...dataOf(model, 'create'), allowArray: true }], {
      returns: { arg: 'data', type: model, root: true },
      description: `Creates a new instance in ${name} of this model.`
    }),
    method('delete', 'delete', path, [noCondition], { returns: [], description: `Deletes all ${name} of this model.` }),
    method('count', 'get', `${path}/count`, [whereOf(model)], {
      returns: { arg: 'count', type: 'number' },
      description: `Counts ${name} of ${model}.`
    })
  ]
}
