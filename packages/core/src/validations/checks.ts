/** The validations that look at one value: what each kind finds wrong with it. */
import type { ValidationConfig } from './config.js'

/** Reports what is wrong; the reason (`min`, `blank`) becomes part of the code, where the kind has several. */
export type Fail = (reason?: string) => void
export type ValueCheck = (value: unknown, config: ValidationConfig, fail: Fail) => void

/** Missing values as LoopBack sees them. */
export function isBlank (value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (typeof value === 'number' && Number.isNaN(value))
  )
}

/** Whether a value is there to be checked; if not, and that is not allowed, it is reported. */
function isThere (value: unknown, config: ValidationConfig, fail: Fail): boolean {
  if (value === undefined || value === '') {
    if (config.allowBlank !== true) fail('blank')
    return false
  }
  if (value === null) {
    if (config.allowNull !== true) fail('null')
    return false
  }
  return true
}

function checkLength (value: unknown, { min, max, is }: ValidationConfig, fail: Fail): void {
  const length = typeof value === 'string' || Array.isArray(value) ? value.length : undefined
  if (min !== undefined && length !== undefined && length < min) fail('min')
  if (max !== undefined && length !== undefined && length > max) fail('max')
  if (is !== undefined && length !== is) fail('is')
}

function checkNumber (value: unknown, { int }: ValidationConfig, fail: Fail): void {
  if (typeof value === 'bigint') return
  if (typeof value !== 'number' || Number.isNaN(value)) fail('number')
  else if (int === true && !Number.isInteger(value)) fail('int')
}

const ofPresent =
  (check: ValueCheck): ValueCheck =>
    (value, config, fail) => {
      if (isThere(value, config, fail)) check(value, config, fail)
    }

/** By kind. `format` gets its pattern in `config.with`, already made. */
export const valueChecks = {
  presence: (value, _, fail) => { if (isBlank(value)) fail() },
  absence: (value, _, fail) => { if (!isBlank(value)) fail() },
  length: ofPresent(checkLength),
  numericality: ofPresent(checkNumber),
  inclusion: ofPresent((value, config, fail) => { if (config.in?.includes(value) !== true) fail() }),
  exclusion: ofPresent((value, config, fail) => { if (config.in?.includes(value) === true) fail() }),
  format: ofPresent((value, config, fail) => {
    if ((typeof value !== 'string' && typeof value !== 'number') || !(config.with as RegExp).test(String(value))) fail()
  }),
  date: (value, _, fail) => {
    if (value === undefined || value === null) return
    if (!(value instanceof Date) && typeof value !== 'string' && typeof value !== 'number') fail()
    else if (Number.isNaN(new Date(value).getTime())) fail()
  }
} satisfies Record<string, ValueCheck>

export type ValueKind = keyof typeof valueChecks
