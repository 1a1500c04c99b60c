/**
 * What must be in the store: for each key the value that was acknowledged last, and the one that was asked for and not
 * answered. A value is a number, or undefined where there is no row.
 */
export class Ledger {
  #entries = new Map()
  /** Lists of keys that were sent in one request, and are all there or none, unless it was answered. */
  #batches = []
  acknowledged = 0

  /** Notes a request before it is sent. */
  ask (keys, value) {
    for (const key of keys) {
      const entry = this.#entries.get(key) ?? { value: undefined, asked: [] }
      entry.asked.push(value)
      this.#entries.set(key, entry)
    }
    const batch = keys.length > 1 ? keys : undefined
    if (batch !== undefined) this.#batches.push(batch)
    return {
      acknowledged: () => {
        this.acknowledged++
        for (const key of keys) this.#entries.set(key, { value, asked: [] })
        if (batch !== undefined) this.#batches.splice(this.#batches.indexOf(batch), 1)
      }
    }
  }

  /**
   * Compares with the rows, and takes what is there for what must be there from now on.
   * @param {Array<{ key: string, size: number }>} rows
   */
  settle (rows) {
    const found = { lost: [], doubled: [], torn: [], strange: [], survived: 0, vanished: 0 }
    const byKey = new Map()
    for (const { key, size } of rows) {
      if (byKey.has(key)) found.doubled.push(key)
      byKey.set(key, size)
    }
    for (const key of byKey.keys()) if (!this.#entries.has(key)) found.strange.push(key)
    for (const batch of this.#batches) {
      const there = batch.filter(key => byKey.has(key)).length
      if (there !== 0 && there !== batch.length) found.torn.push(batch)
    }
    for (const [key, { value, asked }] of this.#entries) {
      const is = byKey.get(key)
      if (is !== value && !asked.includes(is)) {
        found.lost.push(`${key}: ${is} instead of ${[value, ...asked].join(' or ')}`)
      }
      if (asked.length > 0) found[asked.includes(is) ? 'survived' : 'vanished']++
      this.#entries.set(key, { value: is, asked: [] })
    }
    this.#batches = []
    return found
  }
}
