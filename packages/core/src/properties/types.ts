import type { Calendar } from './calendar.js'
import type { DecimalLimits } from './decimal.js'
import type { Keywords } from './property-keywords.js'
import type { TextTransform } from './text-transforms.js'

/**
 * Kinds of property values. `date` is an instant (a JavaScript `Date`), stored and sent as ISO 8601 text; `decimal` a
 * text of digits (`decimal.ts`); `bigint` a whole number of 64 bits, a JavaScript bigint where no double holds it.
 */
export type PropertyKind =
  | 'string'
  | 'number'
  | 'integer'
  | 'long'
  | 'bigint'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'object'
  | 'array'
  | 'buffer'
  | 'geopoint'
  | 'any'
  | 'model'

/** The resolved type of a property or of an array's elements. */
export interface PropertyType {
  readonly kind: PropertyKind
  /** Element type of an `array` (kind `any` when the definition says only "array"). */
  readonly items?: PropertyType
  /** Name of the nested model, for kind `model`. */
  readonly model?: string
  /** Members of an anonymous nested object (`{ "type": { "w": "number" } }`), for kind `object`. */
  readonly members?: Readonly<Record<string, PropertyType>>
  /** For kind `object`: what members begin with where an object lacks them. */
  readonly defaults?: ReadonlyMap<string, () => unknown>
  /** Whether the object is the reference to a file that a storage keeps (`file-type.ts`). */
  readonly file?: true
  /** Whether other members than `members` are refused (setting `strictEmbeddedModels`). */
  readonly closed?: boolean
  /** For kind `array`: whether null is an item, as in a column of lists. */
  readonly nullItems?: true
  /** For kind `object`: whether lists and single values are taken as well, as a column of JSON has them. */
  readonly anyJson?: true
  /** For kind `string`: a day, or a time of day (types `dateOnly` and `time`). */
  readonly calendar?: Calendar
  /** For kind `string`: what is made of a text before it is stored (`trim`, `lowercase`, `uppercase`). */
  readonly transform?: TextTransform
  /** For kind `decimal`: how many digits its values have. */
  readonly limits?: DecimalLimits
  /** Of a member of an object: what its definition demands beside the type. */
  readonly demands?: MemberDemands
  /** For kind `buffer`: in JSON as LoopBack has it, and not in Base64 (setting `bufferFormat`). */
  readonly bytes?: 'loopback'
}

/** What the definition of a member demands: keywords of JSON Schema of the value, of a list, and presence. */
export interface MemberDemands {
  readonly value: Keywords
  readonly list: Keywords
  /** What is told of it. */
  readonly described: Keywords
  readonly required: boolean
}

export interface GeoPoint { readonly lat: number, readonly lng: number }

/**
 * One row as connectors take and give it: a plain object with a null prototype or `Object.prototype`, keyed by property
 * name. Values are JavaScript values of the property's type (`Date`, `Buffer`, plain objects, arrays, `{lat, lng}`). A
 * property that was never set has no key; `null` is a stored null.
 */
export type Row = Record<string, unknown>
