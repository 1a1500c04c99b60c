/**
 * Where two or more user models are attached, every token names the one that made it, whatever the relations say
 * (security.md, S-71). Relations that compare ids only are completed before the models are compiled; the discriminator
 * is a hidden property then, so that answers stay as they were.
 */
import type { ModelClass, ModelRegistry, Relation, RelationDefinition } from '@fastback/core'
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
    const target = Model.state.relations.get(name)?.target()
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
  Model.state.chain().some(({ own }) => own.name === 'AccessToken')

/** A relation as it was written. */
function written (users: UserModels, Model: ModelClass, name: string): Written[] {
  const definition = Model.definition.relations[name]
  return definition === undefined ? [] : [{ Model, name, definition: users.completed.get(definition) ?? definition }]
}

function checkDiscriminator ({ Model, name, definition: { polymorphic } }: Written): void {
  if (!polymorphic) return
  const found = (Model.state.relations.get(name) as Relation & { polymorphic?: { discriminator: string } })
    .polymorphic?.discriminator
  if (found !== undefined && found !== discriminator) throw new DiscriminatorError(Model.modelName, name, found)
}

/** The type of the key that a token has: that of the ids that it was meant for. */
function idTypeOf ({ Model, name }: Written): unknown {
  const relation = Model.state.relations.get(name) as Relation
  return (
    (relation.definition.polymorphic as { idType?: unknown } | undefined)?.idType ??
    relation.impliedProperties()[0]?.definition.type
  )
}

/** Makes a relation compare model and id. */
function complete (users: UserModels, { Model, name, definition }: Written, keys: { idType?: unknown }): void {
  const { state } = Model
  const now = Model.definition.relations[name] as RelationDefinition
  if (users.completed.get(now) === definition) return
  const { foreignKey } = state.relations.get(name) as Relation & { foreignKey: string }
  const { model, ...rest } = definition
  const completed = {
    ...rest,
    ...(definition.type === 'belongsTo' ? {} : { model }),
    polymorphic: { foreignKey, discriminator, ...keys }
  } as RelationDefinition
  users.completed.set(completed, definition)
  // Where it was declared in code, by the model or one that it extends, that counts.
  if (state.chain().some(({ lateRelations }) => lateRelations.has(name))) state.lateRelations.set(name, completed)
  else (state.settings.relations as Record<string, RelationDefinition>)[name] = completed
  state.invalidate()
}

function hideName (users: UserModels, { state }: ModelClass): void {
  users.namedTokens.add(state.Model)
  if (state.implied.has(discriminator) || state.definition.properties[discriminator] !== undefined) return
  state.implied.set(discriminator, { type: 'string', index: true, hidden: true })
  state.invalidate()
}

/** Tokens whose own relation names it show it, also where those that they extend do not. */
function showName ({ state }: ModelClass): void {
  if (
    state.definition.properties[discriminator]?.hidden === true &&
    state.own.properties[discriminator] === undefined
  ) {
    state.defineProperty(discriminator, { type: 'string', hidden: false })
  }
}
