/** Changes of definitions that are looked at before they are written: `POST models/propose`, `apply`, `undo`. */
import { randomUUID } from 'node:crypto'
import { RequestError, type ModelRegistry } from '@fastback/core'
import { definitionChangesIn, type DefinitionChanges, type PlannedDefinition } from '@fastback/core/remote'
import type { Applied, Proposal } from '@fastback/ui/contracts'
import { Type, type Static } from '@sinclair/typebox'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Text = Type.String({ maxLength: 1_000 })
const Flag = Type.Optional(Type.Boolean())
const closed = { additionalProperties: false }

const Property = { name: Name, type: Name, required: Flag, default: Type.Optional(Text) }

export const ChangeBodies = {
  model: Type.Object({
    kind: Type.Literal('model'),
    name: Name,
    base: Type.Optional(Name),
    dataSource: Type.Optional(Name),
    public: Flag,
    plural: Type.Optional(Name),
    properties: Type.Optional(Type.Array(Type.Object(Property, closed), { maxItems: 200 }))
  }, closed),
  property: Type.Object({ kind: Type.Literal('property'), model: Name, ...Property, replace: Flag }, closed),
  relation: Type.Object({
    kind: Type.Literal('relation'),
    model: Name,
    type: Type.Union(['belongsTo', 'hasMany', 'hasOne', 'hasAndBelongsToMany'].map(each =>
      Type.Literal(each as 'belongsTo' | 'hasMany' | 'hasOne' | 'hasAndBelongsToMany'))),
    to: Name,
    name: Type.Optional(Name),
    foreignKey: Type.Optional(Name),
    through: Type.Optional(Name),
    replace: Flag
  }, closed)
}
export const KindBody = Type.Object({
  kind: Type.Union([Type.Literal('model'), Type.Literal('property'), Type.Literal('relation')])
}, { additionalProperties: true })
export const ApplyBody = Type.Object({ token: Name }, closed)

export type ChangeBody = { [K in keyof typeof ChangeBodies]: Static<typeof ChangeBodies[K]> }[keyof typeof ChangeBodies]

/** Proposals that are kept until one of them is applied. */
const mostProposed = 20

export class ProposedChanges {
  readonly #proposed = new Map<string, PlannedDefinition>()

  constructor (readonly registry: ModelRegistry) {}

  async propose (change: ChangeBody): Promise<Proposal> {
    const planned = await this.#by.plan(change)
    const token = randomUUID()
    const [oldest] = this.#proposed.keys()
    if (this.#proposed.size >= mostProposed && oldest !== undefined) this.#proposed.delete(oldest)
    this.#proposed.set(token, planned)
    return { token, files: planned.files, warnings: planned.warnings }
  }

  async apply (token: string): Promise<Applied> {
    const planned = this.#proposed.get(token)
    if (planned === undefined) {
      throw new RequestError(404, 'Propose the change again: this proposal is not kept', { code: 'PROPOSAL_NOT_FOUND' })
    }
    this.#proposed.delete(token)
    return this.#applied(await planned.write())
  }

  async undo (): Promise<Applied> {
    return this.#applied(await this.#by.undo())
  }

  #applied (files: readonly string[]): Applied {
    // The others were planned over files that are no more.
    this.#proposed.clear()
    return { files, restart: this.#by.restarts ? 'watch' : 'manual' }
  }

  /** @throws RequestError 409 where nobody writes files */
  get #by (): DefinitionChanges {
    const { by } = definitionChangesIn(this.registry)
    if (by === undefined) {
      throw new RequestError(409, 'Start the application with "fastback serve": it writes the files of definitions', { code: 'CHANGES_NOT_AVAILABLE' })
    }
    return by
  }
}
