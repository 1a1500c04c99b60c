/**
 * Numbers of 32 bits. They are shown with the fewest digits that tell them apart, as those who wrote them meant them:
 * 0.1, and not 0.10000000149011612. Conditions are on what is shown.
 */
const number = new Float32Array(1)
const bits = new Int32Array(number.buffer)

/** Digits that every number of 32 bits keeps, and those that tell any two of them apart. */
const [fewest, most] = [6, 9]

/** What is shown of a stored number. */
export function shownSingle (stored: number): number {
  if (!Number.isFinite(stored)) return stored
  const isSmall = Math.abs(stored) < 2 ** -126
  for (let digits = isSmall ? 1 : fewest; digits < most; digits++) {
    const shown = Number(digits > fewest ? toEven(stored, digits) : stored.toPrecision(digits))
    if (Math.fround(shown) === stored) return shown
  }
  return Number(stored.toPrecision(most))
}

/** `toPrecision`, but that a half becomes an even digit, as PostgreSQL has it. Of few digits there is no half. */
function toEven (stored: number, digits: number): string {
  const [whole = '', exponent = ''] = stored.toExponential(60).split('e')
  const end = digits + (whole.startsWith('-') ? 2 : 1)
  const isHalf = /^50*$/.test(whole.slice(end)) && '02468'.includes(whole[end - 1] as string)
  return isHalf ? `${whole.slice(0, end)}e${exponent}` : stored.toPrecision(digits)
}

/** Whether a value is shown of some stored number. */
export const isSingle = (value: unknown): boolean => shownSingle(Math.fround(Number(value))) === Number(value)

/** The stored number that comes next. */
function next (stored: number, step: 1 | -1): number {
  if (stored === 0) return step * 2 ** -149
  number[0] = stored
  bits[0] = bits[0] as number + (stored > 0 ? step : -step)
  return number[0]
}

/** The first stored number that is shown as this one or more, and the last that is shown as this one or less. */
export function spanOfSingle (given: unknown): { readonly first: number, readonly last: number } {
  const value = Number(given)
  const nearest = Math.fround(value)
  const shown = shownSingle(nearest)
  return {
    first: shown < value ? next(nearest, 1) : nearest,
    last: shown > value ? next(nearest, -1) : nearest
  }
}
