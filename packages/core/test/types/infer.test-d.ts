/** Checked by `tsc` alone (`npm run types`): every line below fails to compile when a type is not what it should be. */
import { Type } from '@sinclair/typebox'
import { defineModel } from '@fastback/core'
import type { IdOf, RowType } from '../../src/typed/definitions.js'
import type { CreateInput, PatchInput, PropertyValue, RowOf } from '../../src/properties/infer.js'
import { Property } from '../../src/properties/property.js'
import type { FileInput, FileReference } from '../../src/properties/file-type.js'
import type { GeoPoint } from '../../src/properties/types.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const json = <const P>(properties: P): P => properties

const note = Type.Object({
  title: Type.String({ minLength: 1 }),
  done: Type.Optional(Type.Boolean()),
  at: Type.Optional(Type.Date()),
  state: Property(Type.String(), { default: 'new' })
})
expect<Equal<RowOf<typeof note>, { id: number, title: string, done?: boolean, at?: Date, state: string }>>()
expect<Equal<
  CreateInput<typeof note>, { title: string, done?: boolean, at?: Date | string | number, state?: string }
>>()
expect<Equal<
  PatchInput<typeof note>, { title?: string, done?: boolean, at?: Date | string | number, state?: string }
>>()

const tag = Type.Object({
  slug: Property(Type.String(), { id: true }),
  token: Property(Type.String(), { defaultFn: 'uuidv4' })
})
expect<Equal<RowOf<typeof tag>, { slug: string, token: string }>>()
expect<Equal<CreateInput<typeof tag>, { slug: string, token?: string }>>()
expect<Equal<PatchInput<typeof tag>, { token?: string }>>()

const generated = Type.Object({ key: Property(Type.Integer(), { id: true, generated: true }), name: Type.String() })
expect<Equal<RowOf<typeof generated>, { key: number, name: string }>>()
expect<Equal<CreateInput<typeof generated>, { name: string }>>()
expect<Equal<RowOf<typeof note, never>, { title: string, done?: boolean, at?: Date, state: string }>>()
expect<Equal<RowOf<typeof note, string>['id'], string>>()

const product = json({
  name: { type: 'string', required: true },
  price: 'number',
  stock: { type: 'Number', default: 0 },
  at: { type: 'date', defaultFn: 'now' },
  tags: ['string'],
  dims: { type: { w: 'number', box: { depth: 'number' } } },
  spot: 'GeoPoint',
  meta: 'object',
  list: 'array',
  extra: 'any',
  cover: Buffer,
  flag: Boolean,
  category: 'Category'
})
expect<Equal<RowOf<typeof product>, {
  id: number
  name: string
  price?: number | null
  stock: number | null
  at: Date | null
  tags?: string[] | null
  dims?: { w?: number | null, box?: { depth?: number | null } | null } | null
  spot?: GeoPoint | null
  meta?: Record<string, unknown> | null
  list?: unknown[] | null
  extra?: unknown
  cover?: Buffer | null
  flag?: boolean | null
  category?: Record<string, unknown> | null
}>>()
expect<Equal<CreateInput<typeof product>['at'], Date | string | number | null | undefined>>()
expect<Equal<CreateInput<typeof product>['spot'], GeoPoint | string | readonly [number, number] | null | undefined>>()
expect<Equal<CreateInput<typeof product>['name'], string>>()
expect<Equal<PatchInput<typeof product>['name'], string | undefined>>()
expect<Equal<PatchInput<typeof product>['price'], number | null | undefined>>()

const keyed = json({
  id: { type: 'number', id: true, generated: true },
  code: { type: 'string', id: false, required: { message: 'please' } }
})
expect<Equal<RowOf<typeof keyed>, { id: number, code: string }>>()
expect<Equal<CreateInput<typeof keyed>, { code: string }>>()

expect<Equal<PropertyValue<['date']>, Date[]>>()
expect<Equal<PropertyValue<[]>, unknown[]>>()
expect<Equal<PropertyValue<string>, unknown>>()
expect<Equal<PropertyValue<StringConstructor>, string>>()

// What must not compile.
const create = <P>(_properties: P, _data: CreateInput<P>): void => {}
create(note, { title: 'x' })
create(tag, { slug: 'x' })
create(generated, { name: 'x' })
// @ts-expect-error a required property is missing
create(note, { done: true })
// @ts-expect-error the wrong type
create(note, { title: 5 })
// @ts-expect-error an id that the store gives out
create(keyed, { code: 'x', id: 5 })
// @ts-expect-error a name that nobody declared
create(product, { name: 'x', colour: 'red' })

const line = defineModel({
  name: 'TypedLine',
  properties: {
    orderId: { type: 'number', id: 1 },
    place: { type: 'string', id: 2 },
    text: 'string'
  }
})
expect<Equal<IdOf<typeof line>, { orderId: number, place: string }>>()
const typedLine = defineModel({
  name: 'TypedBoxLine',
  properties: Type.Object({
    orderId: Property(Type.Integer(), { id: 1 }), lineNo: Property(Type.Integer(), { id: 2 }), text: Type.String()
  })
})
expect<Equal<IdOf<typeof typedLine>, { orderId: number, lineNo: number }>>()
expect<Equal<RowType<typeof typedLine>, { orderId: number, lineNo: number, text: string }>>()

const photo = {
  title: { type: 'string', required: true },
  image: { type: 'file', storage: 'photos' },
  cover: { type: 'file', storage: 'photos', required: true },
  papers: { type: ['file'], storage: 'photos' }
} as const
expect<Equal<RowOf<typeof photo>['image'], FileReference | null | undefined>>()
expect<Equal<RowOf<typeof photo>['cover'], FileReference>>()
expect<Equal<RowOf<typeof photo>['papers'], FileReference[] | null | undefined>>()
expect<Equal<CreateInput<typeof photo>['image'], FileInput | null | undefined>>()
expect<Equal<PatchInput<typeof photo>['papers'], FileInput[] | null | undefined>>()
const photoSchema = Type.Object({ image: Type.Optional(Type.Unsafe<FileReference>({ type: 'file', storage: 'photos' })) })
expect<Equal<RowOf<typeof photoSchema>['image'], FileReference | null | undefined>>()
expect<Equal<PatchInput<typeof photoSchema>['image'], FileInput | null | undefined>>()
const fromBlob: PatchInput<typeof photo> = { image: new Blob(['x']) }
void fromBlob
