import { RequestError } from '@fastback/core'

/** Whether a type is `integer` or a list of them. */
export const hasIntegers = (type: unknown): boolean =>
  String(Array.isArray(type) ? type[0] : type).toLowerCase() === 'integer'

/** 500: a method gave something else where it is declared to give an integer. */
export const integerViolation = (name: string, value: unknown): RequestError =>
  new RequestError(500, `The result "${name}" must be an integer that is exact, and is ${String(value)}.`)
