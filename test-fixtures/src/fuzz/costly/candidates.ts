/** Requests as the search changes them: an operation, and the values of its parameters and body as trees. */
import type { ModelFacts } from '../inside/protocol.js'
import type { Operation, Parameter } from '../routes.js'
import type { WireRequest } from '../wire-request.js'
import { Grammar } from './grammar.js'
import type { Random } from './random.js'

export interface Candidate {
  readonly operation: Operation
  /** For what stands in braces in the path. */
  readonly ids: readonly string[]
  /** `filter`, `where`, `data` …: what is given of them. */
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Bytes of a request, its head included: what Node accepts as a head by default, and what S-74 speaks of. */
export const largest = 16_384

const percent = (text: string): string =>
  text
    .replaceAll(/[^\w!$'()*,./:;?@[\]^`{|}~"\\-]/gu, encodeURIComponent)
    .replaceAll('"', '%22')
    .replaceAll('\\', '%5C')
    .replaceAll('^', '%5E')
    .replaceAll('`', '%60')

export function wireOf ({ operation, ids, query, body }: Candidate): WireRequest {
  let next = 0
  const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids[next++] ?? '1'))
  const written = Object.entries(query).map(
    ([name, value]) => `${name}=${percent(typeof value === 'string' ? value : JSON.stringify(value))}`
  )
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  return {
    operation: operation.id, verb: operation.verb, target: path + (written.length === 0 ? '' : `?${written.join('&')}`),
    headers: bytes === undefined ? [] : [['content-type', 'application/json']], body: bytes
  }
}

export const sizeOf = ({ target, body }: WireRequest): number => target.length + (body?.length ?? 0) + 100

/** What makes candidates, and others from those that are known. */
export class Breeder {
  readonly #grammar: Grammar
  readonly #operations: readonly Operation[]
  readonly #models: ReadonlyMap<string, ModelFacts>

  constructor (operations: readonly Operation[], models: readonly ModelFacts[], readonly random: Random) {
    this.#grammar = new Grammar(models, random)
    this.#models = new Map(models.map(each => [each.name, each]))
    this.#operations = operations.filter(
      each => each.parameters.some(({ in: place }) => place === 'query') || each.body !== undefined
    )
  }

  /** One that nothing is known of. */
  fresh (): Candidate {
    const operation = this.random.of(this.#operations)
    const about = this.#about(operation)
    const given = operation.parameters
      .filter(each => each.in === 'query')
      .map(each => [each.name, this.#valueOf(each, about)] as const)
    return {
      operation,
      ids: [...operation.path.matchAll(/\{\w+\}/g)].map(() => String(1 + this.random.below(20))),
      query: Object.fromEntries(given),
      body: operation.body === undefined ? undefined : this.#body(about)
    }
  }

  /** One near to another. */
  changed (candidate: Candidate): Candidate {
    const about = this.#about(candidate.operation)
    let { query, body } = candidate
    for (let times = 1 + this.random.below(3); times > 0 && JSON.stringify([query, body]).length <= largest; times--) {
      const names = Object.keys(query)
      if (body !== undefined && (names.length === 0 || this.random.once(2))) {
        body = this.#mutated(body, () => this.#body(about))
      } else if (names.length > 0) {
        const name = this.random.of(names)
        query = {
          ...query,
          [name]: this.#mutated(query[name], () => this.#valueOf({ name, in: 'query', schema: {} }, about))
        }
      }
    }
    return { ...candidate, query, body }
  }

  /** The model whose rows an operation is about: that of a relation where the path goes through one. */
  #about ({ model, method }: Operation): ModelFacts | undefined {
    const own = this.#models.get(model)
    const through = /__[a-zA-Z]+__(\w+)$/.exec(method)?.[1]
    if (through === undefined) return own
    const relation = own?.relations.find(({ name }) => name === through)
    return this.#models.get(relation?.model ?? '') ?? own
  }

  #valueOf ({ name }: Parameter, about: ModelFacts | undefined): unknown {
    if (name === 'filter') return this.#grammar.filter(about)
    if (name === 'where') return this.#grammar.where(about, 3)
    return this.#grammar.value()
  }

  #body (about: ModelFacts | undefined): unknown {
    return this.random.once(3) ? this.random.list(1, 30, () => this.#grammar.row(about)) : this.#grammar.row(about)
  }

  /** The same tree with one part of it changed. Each part is as likely as any other. */
  #mutated (root: unknown, anew: () => unknown): unknown {
    const parts = partsOf(root)
    const { path, value } = this.random.of(parts)
    if (path.length === 0 && this.random.once(4)) return anew()
    return replaced(root, path, this.#other(value, anew))
  }

  #other (value: unknown, anew: () => unknown): unknown {
    const { random } = this
    const grammar = this.#grammar
    if (Array.isArray(value)) {
      const item: unknown = value.length === 0 ? grammar.value() : random.of<unknown>(value)
      return random.of<() => unknown>([
        // What costs little once may cost much many times.
        () => [...value as unknown[], ...Array.from({ length: random.of([1, 2, 5, 20, 100]) }, () => item)],
        () => [...value as unknown[], ...value as unknown[]],
        () => (value as unknown[]).filter(() => !random.once(3)),
        () => item
      ])()
    }
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value)
      return random.of<() => unknown>([
        () => Object.fromEntries(entries.filter(() => !random.once(3))),
        () => ({ ...value, ...(anew() as object) }),
        () => ({ or: Array.from({ length: random.of([2, 5, 20]) }, () => value) }),
        () =>
          Object.fromEntries(
            entries.map(([name, each]) => [random.once(3) ? grammar.property(undefined) : name, each])
          ),
        () => grammar.where(undefined, 1),
        () => grammar.condition()
      ])()
    }
    if (typeof value === 'string') {
      return random.of<() => unknown>([
        () => value.repeat(random.of([2, 3, 10])),
        () => value.slice(0, Math.ceil(value.length / 2)),
        () => grammar.pattern(),
        () => grammar.likePattern(),
        () => grammar.text(),
        () => grammar.property(undefined),
        () =>
          value.replaceAll(/\d+/g, digits =>
            String(Math.max(1, Math.round(Number(digits) * random.of([0.5, 0.9, 1.1, 2]))))
          ),
        () => `${value}${grammar.pattern()}`
      ])()
    }
    return random.once(2) ? grammar.number() : grammar.value()
  }
}

interface Part { readonly path: ReadonlyArray<string | number>, readonly value: unknown }

function partsOf (value: unknown, path: ReadonlyArray<string | number> = []): Part[] {
  const within = Array.isArray(value)
    ? value.flatMap((each, index) => partsOf(each, [...path, index]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) => partsOf(each, [...path, name]))
      : []
  return [{ path, value }, ...within]
}

function replaced (root: unknown, [key, ...rest]: ReadonlyArray<string | number>, value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(root)) {
    return root.map((each, index) => (index === key ? replaced(each, rest, value) : (each as unknown)))
  }
  return { ...(root as object), [key]: replaced((root as Record<string, unknown>)[key], rest, value) }
}
