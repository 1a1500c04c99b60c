/** Models of a random application: properties, settings, relations. */
import type { Choice } from './choice.js'
import type { Kind, MethodShape, ModelShape, PropertyShape, RelationShape } from './shapes.js'
import { codeFor, scriptFor } from './code.js'
import { methodsFor } from './methods.js'

const kinds: readonly Kind[] = ['string', 'string', 'number', 'number', 'boolean', 'date', 'object', 'array', 'geopoint']
const names = ['Item', 'Order', 'Person', 'Box']

const defaultOf: Partial<Record<Kind, unknown>> = { string: 'dflt', number: 7, boolean: true, object: { d: 1 }, array: ['d'] }

function propertyFor (choice: Choice, name: string): PropertyShape {
  const kind = choice.of(kinds)
  const type = kind === 'array' ? choice.of([['string'], 'array']) : kind === 'geopoint' ? 'geopoint' : kind
  const definition: Record<string, unknown> = { type }
  if (choice.chance(0.12)) definition.required = true
  if (choice.chance(0.2) && defaultOf[kind] !== undefined) definition.default = defaultOf[kind]
  if (choice.chance(0.05)) definition.index = true
  return { name, kind, definition }
}

/** Settings of a model that has these properties. */
function settingsFor (choice: Choice, properties: readonly PropertyShape[]): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  const plain = properties.filter(({ kind, definition }) => definition.hidden !== true && kind !== 'object' &&
    kind !== 'array' && kind !== 'geopoint')
  const maybe = (key: string, probability: number, ...values: unknown[]): void => {
    if (choice.chance(probability)) settings[key] = choice.of(values)
  }
  maybe('strict', 0.4, true, false, 'filter')
  maybe('replaceOnPUT', 0.3, true, false)
  // Absent, LoopBack validates and stores what is wrong all the same.
  maybe('validateUpsert', 1, true, true, false)
  maybe('plural', 0.2, 'things', 'stuff')
  if (choice.chance(0.1)) settings.http = { path: choice.of(['own', 'way']) }
  if (choice.chance(0.25) && plain.length > 0) {
    const { name, kind } = choice.of(plain)
    const scope: Record<string, unknown> = {}
    if (choice.chance(0.5) && kind !== 'date') scope.where = { [name]: { neq: kind === 'number' ? 3 : kind === 'boolean' ? false : 'bad' } }
    if (choice.chance(0.5)) scope.order = `${name} ${choice.of(['ASC', 'DESC'])}`
    if (choice.chance(0.4)) scope.limit = 1 + choice.below(4)
    settings.scope = scope
  }
  if (choice.chance(0.2) && plain.length > 0) {
    const { name } = choice.of(plain)
    settings.scopes = { hot: { order: `${name} DESC`, limit: 2 } }
  }
  const [first, second] = plain
  // LoopBack leaves a hidden property out of the default scope, too.
  const scoped = JSON.stringify(settings.scope ?? {})
  if (choice.chance(0.1) && first !== undefined && !scoped.includes(first.name)) settings.hidden = [first.name]
  if (choice.chance(0.1) && second !== undefined && !scoped.includes(second.name)) settings.protected = [second.name]
  return settings
}

const relationTypes = ['hasMany', 'hasMany', 'belongsTo', 'belongsTo', 'hasOne', 'hasAndBelongsToMany', 'embedsMany', 'embedsOne', 'referencesMany']

function relationFor (choice: Choice, owner: string, name: string, target: string): RelationShape {
  // Both sides of a model that belongs to itself would be joined by one key.
  const type = choice.of(relationTypes.filter(each => target !== owner || each !== 'hasAndBelongsToMany'))
  const definition: Record<string, unknown> = { type, model: target }
  if (type === 'hasMany' || type === 'hasOne') definition.foreignKey = `${name}OwnerId`
  if (type === 'belongsTo') definition.foreignKey = `${name}Id`
  if (type === 'embedsMany' && choice.chance(0.5)) definition.options = { persistent: true }
  if (choice.chance(0.1)) definition.options = { ...definition.options as object | undefined, disableInclude: true }
  return { name, type, model: target, definition }
}

/** The models of an application, the later ones sometimes based on earlier ones. */
export function modelsFor (choice: Choice): ModelShape[] {
  const chosen = names.slice(0, 2 + choice.below(3))
  const usedPaths = new Set<string>()
  const models: ModelShape[] = []
  for (const name of chosen) {
    const count = 2 + choice.below(4)
    const properties = Array.from({ length: count }, (_, i) => propertyFor(choice, `${name.toLowerCase()}${i}`))
    const settings = settingsFor(choice, properties)
    const givesIds = choice.chance(0.4)
    const http = settings.http as { path: string } | undefined
    let path = http?.path ?? settings.plural as string | undefined ?? pluralOf(name)
    if (usedPaths.has(path)) {
      delete settings.http
      delete settings.plural
      path = pluralOf(name)
    }
    usedPaths.add(path)
    // A relation to itself that a model inherits would join both sides by one key.
    const leadsHere = ({ type, model }: RelationShape): boolean => type === 'hasAndBelongsToMany' && model === name
    const earlier = models.filter(({ definition, relations }) =>
      definition.base === 'PersistedModel' && !relations.some(leadsHere))
    const base = choice.chance(0.2) && earlier.length > 0 ? choice.of(earlier) : undefined
    const relations = Array.from({ length: choice.below(3) }, (_, i) =>
      relationFor(choice, name, `${name.toLowerCase()}Rel${i}`, choice.of(chosen)))
    const methods: readonly MethodShape[] = methodsFor(choice, name, chosen)
    const all = [...properties, ...(base?.properties ?? [])]
    if (base !== undefined) {
      // LoopBack gives a model the path of its base, and then one of the two is never reached.
      const { plural, http } = base.definition
      if ((plural !== undefined || http !== undefined) && settings.http === undefined) {
        usedPaths.delete(path)
        path = `own-${pluralOf(name)}`
        settings.http = { path }
      }
    }
    models.push({
      name,
      path,
      givesIds: givesIds || base?.givesIds === true,
      properties: all,
      relations: [...relations],
      methods,
      definition: {
        name,
        base: base?.name ?? 'PersistedModel',
        ...settings,
        ...(givesIds ? { forceId: false } : {}),
        properties: Object.fromEntries(properties.map(each => [each.name, each.definition])),
        relations: Object.fromEntries(relations.map(each => [each.name, each.definition])),
        ...(choice.chance(0.2) ? { mixins: { Stamp: { value: `s${name}` } } } : {})
      },
      code: codeFor(choice, all),
      script: scriptFor(choice, name, settings.hidden !== undefined || base?.definition.hidden !== undefined)
    })
  }
  return models
}

const pluralOf = (name: string): string =>
  ({ Item: 'Items', Order: 'Orders', Person: 'People', Box: 'Boxes' })[name] as string
