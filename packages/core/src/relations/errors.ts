/**
 * What can be wrong with a request to a relation. Texts and codes are LoopBack's where its clients know them
 * (behaviour.md, B-8.12).
 */
import { InvalidDefinitionError, modelNotFound, RequestError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'

/** 404 without a code: the row is not there, or belongs to another parent. */
export const notAmongChildren = (id: unknown, target: string): RequestError =>
  new RequestError(404, `No instance with id ${String(id)} found for ${target}`)

/** 404 MODEL_NOT_FOUND: a relation to one row has none. */
export const noRelated = (target: string): RequestError => modelNotFound(`No "${target}" instance(s) found`)

/** 404 without a code: no row of the model in between joins the two. */
export const notLinked = (through: string, from: string, fromId: unknown, target: string, id: unknown): RequestError =>
  new RequestError(404, `No relation found in ${through} for (${from}.${String(fromId)},${target}.${String(id)})`)

/** 400: the id is not in the list of keys. What else is in it is not told: the property may be hidden. */
export const keyMismatch = (from: string, property: string, id: unknown): RequestError =>
  new RequestError(400, `Key mismatch: ${from}.${property} has no ${String(id)}`)

/** 400: a body would move a row to another parent (security.md, S-62). */
export const keyIsFixed = (key: string, from: unknown, to: unknown): RequestError =>
  new RequestError(400, `Cannot override foreign key ${key} from ${String(from)} to ${String(to)}`, {
    code: 'FOREIGN_KEY_FIXED'
  })

/** 409: the one row that a hasOne relation can have is there already. */
export const onlyOne = (target: string): RequestError =>
  new RequestError(409, `HasOne relation cannot create more than one instance of ${target}`, { code: 'RELATED_EXISTS' })

/** 400: a relation needs the key of its owner, which an unsaved row does not have. */
export const notSaved = (model: string, relation: string): RequestError =>
  new RequestError(400, `The ${model} must be saved before its ${relation} can be changed.`)

/** A relation that cannot work, with the place where it was written. */
export const invalidRelation = (model: ModelClass, relation: string, problem: string): Error => {
  const { source } = model.definition
  const place = `model "${model.modelName}", relation "${relation}"`
  return new InvalidDefinitionError(source === undefined ? place : `${source}: ${place}`, problem)
}
