/** What is wrong with the process as such: prototypes that gained members, memory that is not given back. */
import v8 from 'node:v8'
import vm from 'node:vm'

const builtIns: Readonly<Record<string, object>> = {
  Object: Object.prototype,
  Array: Array.prototype,
  Function: Function.prototype,
  String: String.prototype,
  Number: Number.prototype,
  Boolean: Boolean.prototype,
  Date: Date.prototype,
  Error: Error.prototype,
  Promise: Promise.prototype,
  RegExp: RegExp.prototype,
  Map: Map.prototype,
  Set: Set.prototype,
  Buffer: Buffer.prototype,
  'Object (static)': Object,
  'Array (static)': Array
}

const memberName = (name: string, key: string | symbol): string => `${name}.${String(key)}`
const members = (): Set<string> =>
  new Set(
    Object.entries(builtIns).flatMap(([name, object]) => Reflect.ownKeys(object).map(key => memberName(name, key)))
  )

export class ProcessView {
  readonly #clean = members()
  readonly #collect: () => void
  #spent = 0

  constructor () {
    v8.setFlagsFromString('--expose-gc')
    this.#collect = vm.runInNewContext('gc') as () => void
  }

  /** Milliseconds of the processor since this was asked last. */
  takeCpu (): number {
    const { user, system } = process.cpuUsage()
    const spent = (user + system) / 1_000
    const since = spent - this.#spent
    this.#spent = spent
    return since
  }

  /**
   * Members of built-in prototypes that were not there before. They are removed, so that the next request is not blamed
   * for them.
   */
  takePollution (): string[] {
    return Object.entries(builtIns).flatMap(([name, object]) =>
      Reflect.ownKeys(object)
        .filter(key => !this.#clean.has(memberName(name, key)))
        .map(key => {
          Reflect.deleteProperty(object, key)
          return memberName(name, key)
        })
    )
  }

  collect (): void {
    this.#collect()
  }

  async memory (): Promise<number> {
    for (let time = 0; time < 3; time++) {
      this.collect()
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
}
