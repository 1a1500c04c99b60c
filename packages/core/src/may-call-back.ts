/** Whether a function of an application's may call back: `length` counts neither defaults nor rest parameters. */

type Callable = (...args: never[]) => unknown

/** How many values a function can get at, by its text, read once: it is asked of hooks at every operation. */
// eslint-disable-next-line no-restricted-syntax -- what follows from a function's text alone is nobody's
const counted = new WeakMap<Callable, number>()

/**
 * Whether a function that was given some values and a call-back after them may use the call-back: it has a parameter
 * for it, or, unless it is an async function, can get at it by a rest parameter or `arguments`.
 *
 * ```js
 * mayCallBack((mail, next) => {}, 1) // true
 * mayCallBack((...args) => {}, 1) // true
 * mayCallBack((mail = {}) => {}, 1) // false
 * ```
 * @param unknown what holds for functions that do not show their parameters (bound ones, proxies) and count no more
 * than the values. Default: that they call back where they count no parameter at all
 */
export function mayCallBack (fn: Callable, given: number, unknown: boolean = fn.length === 0): boolean {
  if (fn.length > given) return true
  let reach = counted.get(fn)
  if (reach === undefined) {
    reach = reachOf(Function.prototype.toString.call(fn))
    counted.set(fn, reach)
  }
  return Number.isNaN(reach) ? unknown : reach > given
}

/** NaN for a function without a text. */
function reachOf (source: string): number {
  if (/\{\s*\[native code\]\s*\}$/.test(source)) return Number.NaN
  if (/^(?:async\s+)?[\w$]+\s*=>/.test(source)) return 1
  const text = withoutComments(source)
  const parameters = parametersOf(text)
  // What gives a promise is waited for; what it passes on as "the rest" must not be called back behind its back.
  if (/^async\b/.test(text)) return parameters.filter(each => !each.startsWith('...')).length
  if (parameters.some(each => each.startsWith('...')) || usesArguments.test(text)) return Infinity
  return parameters.length
}

function withoutComments (source: string): string {
  const [first = '', ...others] = source.split('/*')
  return [first, ...others.map(part => part.slice(`${part}*/`.indexOf('*/') + 2))].join('').replace(/\/\/.*/g, '')
}

/** As code has it, not as prose of a message would. */
const usesArguments = /(?:[[(,=!]|\.{3})\s*arguments\b|\barguments\s*\[|\barguments\.length\b/

/** What stands between the outer parentheses, at its commas; those within defaults and patterns do not count. */
function parametersOf (text: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  for (let at = text.indexOf('('); at < text.length; at++) {
    const sign = text[at] as string
    if ('([{'.includes(sign) && ++depth === 1) from = at + 1
    const ends = ')]}'.includes(sign) && --depth === 0
    if (!ends && !(sign === ',' && depth === 1)) continue
    const parameter = text.slice(from, at).trim()
    if (parameter !== '') found.push(parameter)
    if (ends) break
    from = at + 1
  }
  return found
}
