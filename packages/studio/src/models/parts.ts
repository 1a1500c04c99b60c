/** Properties, relations, indexes and methods of a model, as pages show them. */
import type { CompiledModel, CompiledProperty, ModelClass, PropertyType } from '@fastback/core'
import { OWN_METHOD } from '@fastback/core/remote'
import type { RoutedMethod } from '@fastback/rest/published'
import type { IndexDefinition, MethodDefinition, PropertyDefinition, RelationDefinition } from '@fastback/ui/contracts'
import { grouped } from './grouped.js'

export function propertyView (property: CompiledProperty): PropertyDefinition {
  const { name, type, idPosition, generated, required, hidden, definition } = property
  const { default: written, defaultFn, index, description, enum: values } =
    definition as Readonly<Record<string, unknown>>
  const usual = defaultFn ?? (typeof written === 'function' ? written.name : written)
  const text = Array.isArray(description) ? description.join('\n') : description
  return {
    name,
    type: typeText(type),
    id: idPosition > 0,
    generated,
    required,
    hidden,
    protected: property.protected,
    index: index !== undefined && index !== false,
    ...(usual === undefined || hidden ? {} : { default: usual }),
    ...(typeof text === 'string' ? { description: text } : {}),
    ...(Array.isArray(values) ? { enum: values as unknown[] } : {})
  }
}

/** `[number]`, `Address`, `{ street, city }`. */
export function typeText ({ kind, items, model, members, file, calendar }: PropertyType): string {
  if (kind === 'array') return `[${items === undefined ? 'any' : typeText(items)}]`
  if (file === true) return 'file'
  if (calendar !== undefined) return calendar === 'date' ? 'dateOnly' : 'time'
  if (members !== undefined) return `{ ${Object.keys(members).join(', ')} }`
  return model ?? kind
}

export function relationView (Model: ModelClass, name: string): RelationDefinition {
  const relation = Model.compiled.relations.get(name)
  const definition = (relation?.definition ?? Model.definition.relations[name]) as Readonly<Record<string, unknown>>
  const text = (value: unknown): string | undefined =>
    typeof value === 'function' ? (value as unknown as ModelClass).modelName : typeof value === 'string' ? value : undefined
  const found = {
    target: relation?.isResolved === true ? relation.target()?.modelName : text(definition.model),
    foreignKey: text(definition.foreignKey),
    through: text(definition.through),
    keyThrough: text(definition.keyThrough)
  }
  return {
    name,
    type: String(definition.type),
    embedded: relation?.embedded === true,
    holdsKey: relation?.holdsKey === true,
    multiple: relation?.multiple === true,
    ...Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined && value !== ''))
  }
}

export const indexView = ({ name, unique, columns }: CompiledModel['indexes'][number]): IndexDefinition =>
  ({ name, unique, columns })

/** Methods that have routes, each with all of its routes. */
export function methodViews (routed: readonly RoutedMethod[]): MethodDefinition[] {
  const byName = grouped(routed, ({ method }) => method.fullName)
  return [...byName].map(([name, [first, ...others]]) => {
    const { method } = first as RoutedMethod
    const { description } = method.options as { readonly description?: unknown }
    const text = Array.isArray(description) ? description.join('\n') : description
    return {
      name,
      accessType: (method.accessType ?? 'EXECUTE').toUpperCase(),
      ...(typeof text === 'string' ? { description: text } : {}),
      routes: [first as RoutedMethod, ...others].flatMap(({ verbs, path }) =>
        verbs.map(verb => `${verb} ${path.replace(/:(\w+)/g, '{$1}')}`)),
      own: method.builtin === undefined && method.relation === undefined && method.nested === undefined &&
        OWN_METHOD in method.options
    }
  })
}
