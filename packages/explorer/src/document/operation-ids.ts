import type { PublishedRoute } from '@fastback/rest'

/**
 * Gives every route its own, stable id: `Note.find`, `Note.prototype.patchAttributes`. Of a method with several routes
 * the first has the plain id, others have their verb behind it (`Note.exists.head`), and a number where that is not
 * enough.
 */
export class OperationIds {
  readonly #taken = new Set<string>()

  of ({ method, verb }: PublishedRoute): string {
    const plain = `${method.modelName}.${method.fullName}`
    const withVerb = `${plain}.${verb.toLowerCase()}`
    let id = this.#taken.has(plain) ? withVerb : plain
    for (let count = 2; this.#taken.has(id); count++) id = `${withVerb}${count}`
    this.#taken.add(id)
    return id
  }
}
