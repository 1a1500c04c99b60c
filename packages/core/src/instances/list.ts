/** Lists as instances hold them: arrays whose items are of the property's type, also those that code adds. */

/** Turns an item into one of the list's type; what is one already stays the same. */
export type ToItem = (item: unknown) => unknown

const TO_ITEM = Symbol('fastback.toItem')

/**
 * What a property of the type array holds on an instance.
 *
 * ```js
 * const team = new Team({ addresses: [{ street: 'Storgata 1' }] })
 * team.addresses.push({ street: 'Lillegata 2' })
 * team.addresses[1] instanceof Address // true
 * team.addresses.toObject() // plain objects
 * team.addresses.toArray() // the same instances in an array
 * ```
 */
export class List<T = unknown> extends Array<T> {
  /** What is made of a list (`map`, `filter`, `slice` …) are plain arrays. */
  static override get [Symbol.species] (): ArrayConstructor { return Array }

  declare private readonly [TO_ITEM]: ToItem | undefined

  /** A list of the items, each turned into one of the list's type. */
  static holding (items: readonly unknown[], toItem?: ToItem): List {
    const list = new List()
    if (toItem !== undefined) Object.defineProperty(list, TO_ITEM, { value: toItem })
    for (let i = 0; i < items.length; i++) list[i] = toItem === undefined ? items[i] : toItem(items[i])
    return list
  }

  override push (...items: T[]): number {
    const toItem = this[TO_ITEM]
    return super.push(...(toItem === undefined ? items : items.map(toItem) as T[]))
  }

  /** The same items in a plain array. */
  toArray (): T[] {
    return Array.from(this)
  }

  /** The items as plain objects; arguments are those of instances' `toObject`. */
  toObject (onlySchema?: boolean, removeHidden?: boolean, removeProtected?: boolean): unknown[] {
    return Array.from(this, item => {
      if (item instanceof List) return item.toObject(onlySchema, removeHidden, removeProtected)
      const { toObject } = (item ?? {}) as { toObject?: (...args: unknown[]) => unknown }
      return typeof toObject === 'function' ? toObject.call(item, onlySchema, removeHidden, removeProtected) : item
    })
  }

  /** What `JSON.stringify` shows: items hide what they hide. */
  toJSON (): unknown[] {
    return Array.from(this, item => {
      const { toJSON } = (item ?? {}) as { toJSON?: () => unknown }
      return typeof toJSON === 'function' ? toJSON.call(item) : item
    })
  }

  override toString (): string {
    return JSON.stringify(this)
  }
}
