/** What a random application is made of, as its requests need to know it. */
import type { Choice } from './choice.js'

export type Kind = 'string' | 'number' | 'boolean' | 'date' | 'object' | 'array' | 'geopoint'

export interface PropertyShape {
  readonly name: string
  readonly kind: Kind
  readonly definition: Record<string, unknown>
}

export interface RelationShape {
  readonly name: string
  readonly type: string
  readonly model: string
  readonly definition: Record<string, unknown>
}

export interface ArgumentShape {
  readonly arg: string
  readonly type: unknown
  readonly source: string | undefined
  readonly required: boolean
}

export interface MethodShape {
  readonly name: string
  readonly isStatic: boolean
  readonly verb: string
  readonly path: string
  readonly args: readonly ArgumentShape[]
}

export interface ModelShape {
  readonly name: string
  readonly path: string
  readonly definition: Record<string, unknown>
  readonly properties: readonly PropertyShape[]
  readonly relations: RelationShape[]
  readonly methods: readonly MethodShape[]
  /** Whether clients give ids. */
  readonly givesIds: boolean
  /** Code of the model's file, and of a boot script. */
  readonly code: readonly string[]
  readonly script: readonly string[]
}

export interface ApplicationShape {
  readonly models: readonly ModelShape[]
  readonly files: Readonly<Record<string, string>>
  /** Whether it takes arguments as LoopBack 3 does: `"coercion": "loopback3"`. */
  readonly loose: boolean
}

/** Values that a property of a kind takes. */
export const valuesOf: Readonly<Record<Kind, readonly unknown[]>> = {
  string: ['a', 'b', 'lima', 'x y', 'é', 'bad'],
  number: [1, 2, 3, 2.5, -3, 0],
  boolean: [true, false],
  date: ['2020-01-02T03:04:05.678Z', '2021-05-06T00:00:00.000Z'],
  object: [{ a: 1 }, { b: { c: [1, 2] } }, {}],
  array: [['x', 'y'], ['z'], []],
  geopoint: [{ lat: 10, lng: 20 }, { lat: -5.5, lng: 7.25 }]
}

/** A row for a model: most of its properties, now and then one more, or none. */
export function rowFor (choice: Choice, model: ModelShape, id?: number): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  if (id !== undefined) row.id = id
  for (const { name, kind } of model.properties) {
    if (choice.chance(0.8)) row[name] = choice.chance(0.04) ? null : choice.of(valuesOf[kind])
  }
  for (const { type, definition } of model.relations) {
    if (type === 'belongsTo' && choice.chance(0.7)) row[definition.foreignKey as string] = 1 + choice.below(4)
  }
  if (choice.chance(0.05)) row.beyond = 'b'
  return row
}
