import { Type } from '@sinclair/typebox'

/** What a form may cost (security.md, S-33; storage.md, SS-07). Every limit has an end. */
export interface FormLimits {
  /** Files of one form. Default: 20. */
  readonly files: number
  /** Text fields of one form. Default: 1,000. */
  readonly fields: number
  /** Bytes of all text fields together. Default: 1 MiB. */
  readonly fieldsSize: number
  /** Bytes of the name of a field. Default: 100. */
  readonly fieldNameSize: number
  /** Bytes of the whole body. Default: 100 MiB. */
  readonly totalSize: number
  /** Milliseconds in which at least one byte must come. Default: 30,000. */
  readonly idleTimeout: number
}

export const defaultFormLimits: FormLimits = {
  files: 20,
  fields: 1_000,
  fieldsSize: 1024 * 1024,
  fieldNameSize: 100,
  totalSize: 100 * 1024 * 1024,
  idleTimeout: 30_000
}

/** Bytes of the headers of one part, and how many there may be. */
export const partHeaders = { headerSize: 16 * 1024, headerPairs: 100 } as const

const count = Type.Optional(Type.Integer({ minimum: 1 }))

/** The limits as settings. */
export const FormLimitSettings = Type.Object(
  { files: count, fields: count, fieldsSize: count, fieldNameSize: count, totalSize: count, idleTimeout: count },
  { additionalProperties: false }
)
