/** What a method of a relation does to the models that the relation leads to, in their own words. */
import type { ModelClass, Relation, SharedMethod } from '@fastback/core'
import { isPublic, relationsOf, rulesOf } from '@fastback/core/remote'

/** One thing that the caller must be allowed to do. */
export interface Demand {
  readonly Model: ModelClass
  /** The method of that model; the first name is what resolvers are told. */
  readonly names: readonly string[]
  readonly accessType: 'READ' | 'WRITE'
  /**
   * What it is done to: the row that the path names by its key, the one row of the relation, rows in between, or none
   * that is known before.
   */
  readonly to: 'key' | 'row' | 'between' | 'none'
  readonly relation: Relation
  /** Whether rows are shown one by one where the whole list is refused, as by include. */
  readonly isList?: boolean
}

const deleting = ['deleteById', 'destroyById', 'removeById']
const patching = ['patchAttributes', 'updateAttributes']

type Part = Pick<Demand, 'names' | 'accessType' | 'to' | 'isList'>

const reading = (to: Demand['to']): Part => ({ names: ['findById'], accessType: 'READ', to })
const writing = (names: readonly string[], to: Demand['to']): Part => ({ names, accessType: 'WRITE', to })

/** By what the method's name begins with. */
const ofTarget: Readonly<Record<string, Part>> = {
  findById: reading('key'),
  exists: reading('key'),
  link: reading('key'),
  unlink: reading('key'),
  count: { names: ['count'], accessType: 'READ', to: 'none' },
  create: writing(['create'], 'none'),
  updateById: writing(patching, 'key'),
  update: writing(patching, 'row'),
  destroyById: writing(deleting, 'key'),
  destroy: writing(deleting, 'row')
}

/** Of the model in between, where there is one. Deleting all of such a relation parts rows and deletes none. */
const ofThrough: Readonly<Record<string, Part>> = {
  create: writing(['create'], 'none'),
  link: writing(['create'], 'none'),
  unlink: writing(deleting, 'between'),
  destroyById: writing(deleting, 'between'),
  delete: writing(deleting, 'between')
}

/**
 * What a relation's method (`__get__staffs`) does to other models: nothing where the rows are part of the one that is
 * asked, or where the row says itself which model it leads to (S-80).
 *
 * ```js
 * demandsOf(relation, '__count__staffs').map(({ Model, names }) => [Model.modelName, names[0]]) // [['Staff', 'count']]
 * ```
 */
export function demandsOf (relation: Relation, method: string): Demand[] {
  const target = relation.embedded ? undefined : relation.target()
  const [, verb = '', of] = /^__([^_]+)__(.+)$/.exec(method) ?? []
  if (target === undefined || of !== relation.name) return []
  const through = relation.through()
  const between = through === undefined || isPartOfRelation(through) ? undefined : through
  const parts: Array<readonly [ModelClass | undefined, Part | undefined]> = [
    [target, partOf(relation, verb, through !== undefined)], [between, ofThrough[verb]]
  ]
  return parts.flatMap(([Model, part]) =>
    Model === undefined || part === undefined ? [] : [{ Model, relation, ...part }])
}

function partOf ({ multiple }: Relation, verb: string, isThrough: boolean): Part | undefined {
  if (verb === 'get') {
    return multiple ? { names: ['find'], accessType: 'READ', to: 'none', isList: true } : reading('row')
  }
  if (verb === 'delete') return isThrough ? undefined : writing(deleting, 'none')
  return ofTarget[verb]
}

/** Whether a model in between is nothing by itself: no route leads to it, and nobody wrote a rule for it. */
const isPartOfRelation = (Through: ModelClass): boolean => isPublic(Through) !== true && rulesOf(Through).length === 0

/** The same of a method of the model that reads the row in between first (`nestRemoting`). */
export function innerDemandsOf ({ nested }: SharedMethod): Demand[] {
  const target = nested?.relation.target()
  const inner = target === undefined ? [] : [...relationsOf(target).values()]
  return nested === undefined ? [] : inner.flatMap(relation => demandsOf(relation, nested.method.name))
}
