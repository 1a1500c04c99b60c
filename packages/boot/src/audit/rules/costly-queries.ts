import { defaultQueryLimits } from '@fastback/core/connector'
import { relationsOf } from '@fastback/core/remote'
import type { ModelClass, Relation } from '@fastback/core'
import { isRecord } from '../../load/is-record.js'
import type { AuditRule } from '../rule.js'
import { isOpenTo, some } from '../rows.js'
import type { PublishedModel, Subject } from '../subject.js'

/** The limits that are wider than their default, with the value that is. */
function raised ({ settings: { queryLimits } }: Subject): string[] {
  if (!isRecord(queryLimits)) return []
  return Object.entries(defaultQueryLimits)
    .filter(([name, usual]) => Number(queryLimits[name]) > Number(usual))
    .map(([name]) => name)
}

/** Models whose rows everybody may ask for. */
const readByAll = ({ models, enforced }: Subject): PublishedModel[] =>
  models.filter(({ methods }) =>
    methods.some(
      review =>
        ['find', 'findOne', 'count', 'aggregate'].includes(review.method.builtin ?? '') &&
        (!enforced || isOpenTo(review, 'anonymous'))
    )
  )

export const regexpForAll: AuditRule = {
  code: 'FBK_AUDIT_REGEXP_FOR_ALL',
  severity: 'low',
  title: 'Everybody may search text by patterns, and the limits on that are raised',
  why: 'A pattern is tried on every row. The default limits keep what one stranger can ask for small; wider ones are an invitation where no login is needed.',
  find (subject) {
    const [name] = raised(subject).filter(each => each !== 'includes' && each !== 'includeDepth')
    const searched =
      name === undefined
        ? []
        : readByAll(subject).filter(({ Model }) =>
          Model.compiled.properties.some(({ type, hidden }) => type.kind === 'string' && !hidden)
        )
    if (name === undefined || searched.length === 0) return []
    const what = `Texts of ${some(searched.map(({ name }) => name))} can be searched without a login, beyond the default of queryLimits.${name}.`
    return [
      {
        ...subject.sources.config('config', ['queryLimits', name]),
        what,
        fix: `"${name}": ${String(defaultQueryLimits[name as keyof typeof defaultQueryLimits])}`
      }
    ]
  }
}

export const includeCircle: AuditRule = {
  code: 'FBK_AUDIT_INCLUDE_CIRCLE',
  severity: 'low',
  title: 'Everybody may include along a circle of relations, and the limits on that are raised',
  why: 'Each round of a circle multiplies the rows of an answer. The default limits end it early.',
  find (subject) {
    const [limit] = raised(subject).filter(each => /^(?:include|rows|bytes|answer)/i.test(each))
    if (limit === undefined) return []
    const circle = readByAll(subject).map(({ Model }) => circleFrom(Model)).find(found => found !== undefined)
    if (circle === undefined) return []
    const fix = `"${limit}": ${String(defaultQueryLimits[limit as keyof typeof defaultQueryLimits])}`
    return [
      {
        ...subject.sources.config('config', ['queryLimits', limit]),
        what: `Include may go round: ${circle.join(' → ')}.`,
        fix
      }
    ]
  }
}

const includable = (relation: Relation): boolean =>
  !relation.embedded && relation.definition.options?.disableInclude !== true

/** A way along relations that leads back to the model, as names; undefined where there is none. */
function circleFrom (start: ModelClass): string[] | undefined {
  const seen = new Set<ModelClass>()
  const walk = (Model: ModelClass, way: readonly string[]): string[] | undefined => {
    for (const relation of relationsOf(Model).values()) {
      const target = includable(relation) ? relation.target() : undefined
      if (target === start) return [...way, relation.name, start.modelName]
      if (target === undefined || seen.has(target)) continue
      seen.add(target)
      const found = walk(target, [...way, relation.name])
      if (found !== undefined) return found
    }
    return undefined
  }
  return walk(start, [start.modelName])
}
