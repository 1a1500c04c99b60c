/**
 * What a client may ask for, written so that every part can be made anew, repeated, grown and taken out: filters,
 * conditions, includes, bodies.
 */
import { operatorNames, type OperatorName } from '@fastback/core/query'
import type { ModelFacts } from '../inside/protocol.js'
import { Random } from './random.js'

/** The model that a filter is about; undefined where the application does not say, as in a polymorphic relation. */
type About = ModelFacts | undefined

/** Patterns, which cost the most, come up more often. */
const operators: readonly OperatorName[] = [...operatorNames, 'regexp', 'regexp', 'like', 'ilike']
/** Below properties that hold objects and lists; most rows of the fixtures have them. */
const below = [
  '',
  '',
  '',
  '',
  '',
  '.a',
  '.a.b',
  '.a.b.c',
  '.list',
  '.list.t',
  '.0',
  '.2.c',
  '.a.b.2.c',
  '.lat',
  `.${'x.'.repeat(30)}y`
]

export class Grammar {
  readonly #models: ReadonlyMap<string, ModelFacts>
  readonly #all: readonly ModelFacts[]

  constructor (models: readonly ModelFacts[], readonly random: Random) {
    this.#all = models.filter(({ properties }) => properties.length > 0)
    this.#models = new Map(this.#all.map(each => [each.name, each]))
  }

  model (name: string | undefined): About {
    return this.#models.get(name ?? '')
  }

  /** @param levels of relations within it */
  filter (about: About, levels = 4): Record<string, unknown> {
    const { random } = this
    const parts: Record<string, () => unknown> = {
      where: () => this.where(about, 3),
      ...(levels > 0 ? { include: () => this.include(about, levels - 1) } : {}),
      order: () => this.order(about),
      fields: () => this.fields(about),
      limit: () => this.number(),
      skip: () => this.number()
    }
    return Object.fromEntries(Object.entries(parts).filter(() => random.once(2)).map(([name, make]) => [name, make()]))
  }

  where (about: About, levels: number): Record<string, unknown> {
    const { random } = this
    if (levels > 0 && random.once(2)) {
      return { [random.of(['and', 'or', 'nor'])]: random.list(1, 4, () => this.where(about, levels - 1)) }
    }
    return Object.fromEntries(random.list(1, 2, () => [this.property(about), this.condition()]))
  }

  condition (): unknown {
    const { random } = this
    if (random.once(5)) return this.value()
    const operator = random.of(operators)
    const options = random.once(8) ? { options: 'i' } : {}
    switch (operator) {
      case 'between':
        return { between: [this.value(), this.value()] }
      case 'inq':
      case 'nin':
        return { [operator]: random.list(1, 40, () => this.value()) }
      case 'like':
      case 'nlike':
      case 'ilike':
      case 'nilike':
        return { [operator]: this.likePattern(), ...options }
      case 'regexp':
        return { regexp: this.pattern(), ...options }
      case 'near':
        return { near: { lat: random.below(90), lng: random.below(180) }, maxDistance: 1 + random.below(20_000) }
      case 'exists':
        return { exists: random.once(2) }
      default:
        return { [operator]: this.value() }
    }
  }

  include (about: About, levels: number): unknown {
    const { random } = this
    const one = (): unknown => {
      const relation = random.of(about?.relations ?? this.#all.flatMap(({ relations }) => relations))
      if (relation === undefined) return 'none'
      const other = this.model(relation.model)
      if (random.once(3)) return relation.name
      return { relation: relation.name, scope: this.filter(other, levels) }
    }
    return random.list(1, 4, one)
  }

  order (about: About): unknown {
    return this.random.list(1, 4, () => `${this.property(about)} ${this.random.of(['ASC', 'DESC'])}`)
  }

  fields (about: About): unknown {
    const names = this.random.list(1, 5, () => this.property(about))
    return this.random.once(2) ? names : Object.fromEntries(names.map(name => [name, this.random.once(2)]))
  }

  property (about: About): string {
    const { random } = this
    const { properties } = about ?? random.of(this.#all)
    const name = random.of(properties)
    return random.once(12) ? name.repeat(1 + random.below(8)) : name + random.of(below)
  }

  number (): number {
    return this.random.of([0, 1, 10, 100, 1_000, 10_000, 1e6, this.random.below(5_000)])
  }

  value (): unknown {
    const { random } = this
    return random.of<() => unknown>([
      () => this.number(),
      () => null,
      () => random.once(2),
      () => this.text(),
      () => this.text(),
      () => this.likePattern(),
      () => new Date(random.below(2 ** 31) * 1_000).toISOString(),
      () => random.list(0, 10, () => this.text()),
      () => this.tree(4)
    ])()
  }

  text (): string {
    const { random } = this
    return random
      .of(['a', 'ab', 'title 1', 'a b ', '\u0130', 'é', '0', '[1,2,3]', '{"a":1}'])
      .repeat(random.of([1, 1, 2, 10, 100, 400]))
  }

  /** Nested objects and lists. */
  tree (levels: number): unknown {
    const { random } = this
    if (levels === 0) return random.once(2) ? this.number() : this.text()
    if (random.once(3)) return random.list(0, 6, () => this.tree(levels - 1))
    return Object.fromEntries(
      random.list(0, 5, () => [random.of(['a', 'b', 'c', 'list', 't', 'x'.repeat(20)]), this.tree(levels - 1)])
    )
  }

  likePattern (): string {
    const { random } = this
    return random
      .list(1, 8, () => random.of(['%', '%', '_', 'a', 'b', ' ', 'ab', '%a_', '\\%']).repeat(random.of([1, 1, 3, 20])))
      .join('')
  }

  pattern (): string {
    const { random } = this
    const atom = (levels: number): string => {
      const made = random.of([
        'a',
        'b',
        ' ',
        '.',
        '[ab]',
        '[ab ]',
        '[^c]',
        '\\w',
        '\\s',
        '\\b',
        '^',
        '$',
        'title',
        '\\d',
        '[\\s\\S]'
      ])
      const grouped =
        levels > 0 && random.once(3)
          ? `(${random.list(1, 4, () => atom(levels - 1)).join(random.once(2) ? '|' : '')})`
          : made
      return (
        grouped +
        random.of([
          '',
          '',
          '*',
          '+',
          '?',
          '*?',
          `{${1 + random.below(200)}}`,
          `{${random.below(20)},${20 + random.below(180)}}`
        ])
      )
    }
    const pattern = random.list(1, 6, () => atom(2)).join('') + random.of(['', '[^ab ]', 'c', '$'])
    return random.once(3) ? `/${pattern}/i` : pattern
  }

  /** Data of a row: its properties, each with something in it. */
  row (about: About): unknown {
    const { random } = this
    const { properties } = about ?? random.of(this.#all)
    return Object.fromEntries(properties.filter(() => random.once(2)).map(name => [name, this.value()]))
  }
}
