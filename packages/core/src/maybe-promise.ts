/**
 * A value, or the promise of one.
 *
 * The memory and SQLite stores answer at once; PostgreSQL answers later. Operations are written once, in terms of this
 * type: a request that meets no asynchronous hook and no asynchronous store then runs without a single promise, which
 * is worth about a fifth of its processor time.
 */
export type MaybePromise<T> = T | Promise<T>

/**
 * Whether `value` must be awaited. Only real promises count: a row may have a property called `then` (security.md,
 * S-34). Thenables from user code are turned into promises where user code is called (`hooks.ts`).
 *
 * ```js
 * const rows = connector.find(model, query, {})
 * return isPromise(rows) ? rows.then(reply) : reply(rows)
 * ```
 */
export function isPromise<T> (value: MaybePromise<T>): value is Promise<T> {
  return value instanceof Promise
}

/**
 * Calls `next` with the value: now when it is there, after it has come otherwise.
 *
 * ```js
 * chain(2, value => value + 1) // 3
 * await chain(Promise.resolve(2), value => value + 1) // 3
 * ```
 */
export function chain<T, U> (value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/**
 * Runs `step` over the items one after the other, without a promise as long as no step returns one.
 *
 * ```js
 * await eachInSequence(rows, row => connector.create(model, row, {}))
 * ```
 */
export function eachInSequence<T> (
  items: readonly T[],
  step: (item: T, index: number) => MaybePromise<unknown>
): MaybePromise<void> {
  for (let i = 0; i < items.length; i++) {
    const result = step(items[i] as T, i)
    if (isPromise(result)) return restInTurn(result, items, i + 1, step)
  }
}

async function restInTurn<T> (
  first: Promise<unknown>,
  items: readonly T[],
  from: number,
  step: (item: T, index: number) => MaybePromise<unknown>
): Promise<void> {
  await first
  for (let i = from; i < items.length; i++) await step(items[i] as T, i)
}
