/**
 * `'title' in note` holds for all declared properties, also of an instance that has no value for one, as in LoopBack:
 * the prototype has a slot for each, which reads as undefined and which assignment leaves alone.
 */

const slot = { value: undefined, writable: true, enumerable: false, configurable: true }

/**
 * Gives a prototype slots for properties. Names that a class uses otherwise get none.
 * @returns the names that have one
 */
export function defineSlots (prototype: object, names: readonly string[]): ReadonlySet<string> {
  const slots = new Set<string>()
  for (const name of names) {
    if (!(name in prototype)) Object.defineProperty(prototype, name, slot)
    if (isSlot(prototype, name)) slots.add(name)
  }
  return slots
}

/** A slot may be that of a base model. */
function isSlot (prototype: object, name: string): boolean {
  let holder = prototype
  while (!Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder) as object
  const { value, writable } = Object.getOwnPropertyDescriptor(holder, name) as PropertyDescriptor
  return value === undefined && writable === true
}
