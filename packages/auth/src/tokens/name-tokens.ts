/**
 * Where two or more user models are attached, every token names the one that made it, whatever the relations say
 * (security.md, S-71). Relations that compare ids only are completed before the models are compiled; the discriminator
 * is a hidden property then, so that answers stay as they were.
 */
import type { ModelClass, ModelRegistry, Relation, RelationDefinition } from '@fastback/core'
import { declaresProperty, extendsModel, implyProperty, relationsOf, replaceRelation } from '@fastback/core/remote'
import { DiscriminatorError } from '../errors.js'
import { userModelsOf, type UserModels } from '../user/user-models.js'

/** The one name that the specification allows. */
export const discriminator = 'principalType'

interface Written {
  readonly Model: ModelClass
  readonly name: string
  readonly definition: RelationDefinition
}

/**
 * Completes what user and token models say of each other. To be called before the models are compiled, each time.
 * @throws FBK_AUTH_DISCRIMINATOR
 */
export function nameTokens (registry: ModelRegistry): void {
  const users = userModelsOf(registry)
  const tokenModels = Object.values(registry.models).filter(Model => Model.dataSource !== null && isTokenModel(Model))
  const fromUsers = users.attached.flatMap(Model => written(users, Model, 'accessTokens'))
  const fromTokens = tokenModels.flatMap(Model => written(users, Model, 'user'))
  for (const relation of [...fromUsers, ...fromTokens]) checkDiscriminator(relation)
  if (users.attached.length < 2) return
  const targetOf = ({ Model, name }: Written): ModelClass | undefined => {
    const target = relationsOf(Model).get(name)?.target()
    return target === undefined || !tokenModels.includes(target) ? undefined : target
  }
  const used = new Set(fromUsers.filter(({ Model }) => users.inUse.some(each => each === Model)).map(targetOf))
  for (const relation of fromUsers) {
    const TokenModel = targetOf(relation)
    if (TokenModel === undefined || !used.has(TokenModel) || Boolean(relation.definition.polymorphic)) continue
    complete(users, relation, {})
    hideName(users, TokenModel)
  }
  for (const relation of fromTokens) {
    if (relation.definition.polymorphic) showName(relation.Model)
    else if (used.has(relation.Model)) complete(users, relation, { idType: idTypeOf(relation) })
  }
}

export const isTokenModel = (Model: ModelClass): boolean =>
  extendsModel(Model, 'AccessToken')

/** A relation as it was written. */
function written (users: UserModels, Model: ModelClass, name: string): Written[] {
  const definition = Model.definition.relations[name]
  return definition === undefined ? [] : [{ Model, name, definition: users.completed.get(definition) ?? definition }]
}

function checkDiscriminator ({ Model, name, definition: { polymorphic } }: Written): void {
  if (!polymorphic) return
  const found = (relationsOf(Model).get(name) as Relation & { polymorphic?: { discriminator: string } })
    .polymorphic?.discriminator
  if (found !== undefined && found !== discriminator) throw new DiscriminatorError(Model.modelName, name, found)
}

/** The type of the key that a token has: that of the ids that it was meant for. */
function idTypeOf ({ Model, name }: Written): unknown {
  const relation = relationsOf(Model).get(name) as Relation
  return (
    (relation.definition.polymorphic as { idType?: unknown } | undefined)?.idType ??
    relation.impliedProperties()[0]?.definition.type
  )
}

/** Makes a relation compare model and id. */
function complete (users: UserModels, { Model, name, definition }: Written, keys: { idType?: unknown }): void {
  const now = Model.definition.relations[name] as RelationDefinition
  if (users.completed.get(now) === definition) return
  const { foreignKey } = relationsOf(Model).get(name) as Relation & { foreignKey: string }
  const { model, ...rest } = definition
  const completed = {
    ...rest,
    ...(definition.type === 'belongsTo' ? {} : { model }),
    polymorphic: { foreignKey, discriminator, ...keys }
  } as RelationDefinition
  users.completed.set(completed, definition)
  replaceRelation(Model, name, completed)
}

function hideName (users: UserModels, Model: ModelClass): void {
  users.namedTokens.add(Model)
  implyProperty(Model, discriminator, { type: 'string', index: true, hidden: true })
}

/** Tokens whose own relation names it show it, also where those that they extend do not. */
function showName (Model: ModelClass): void {
  if (Model.definition.properties[discriminator]?.hidden !== true || declaresProperty(Model, discriminator)) return
  Model.defineProperty(discriminator, { type: 'string', hidden: false })
}
