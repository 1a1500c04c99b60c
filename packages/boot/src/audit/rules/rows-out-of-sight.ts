import { lineageOf, sourceOf, hasOwnObserver } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import type { Found } from '../finding.js'
import { isOpenTo } from '../rows.js'
import type { PublishedModel, Subject } from '../subject.js'

export const rowsOutOfSight: AuditRule = {
  code: 'FBK_AUDIT_ROWS_OUT_OF_SIGHT',
  severity: 'medium',
  title: 'Rows that an `access` hook hides can be replaced, or clients choose the ids of rows that they may not see',
  why: 'LoopBack asks no access hook when a row is replaced by its id, and a folder that does not say is run so. Where clients choose ids (forceId: false), an upsert tells by 409 which ids exist out of sight.',
  find (subject) {
    return subject.models.flatMap(model => [...replaceable(subject, model), ...guessable(subject, model)])
  }
}

const open = ({ enforced }: Subject, { methods }: PublishedModel, ...names: readonly string[]): boolean =>
  methods.some(
    review => names.includes(review.method.builtin ?? '') && (!enforced || isOpenTo(review, 'anonymous', 'user'))
  )

/** Hooks of the folder's own models. */
const hides = ({ Model }: PublishedModel): boolean =>
  lineageOf(Model).some(each => sourceOf(each) !== undefined && hasOwnObserver(each, 'access'))

function replaceable (subject: Subject, model: PublishedModel): Found[] {
  const { Model, name } = model
  if (
    !hides(model) ||
    !open(subject, model, 'replaceById') ||
    (Model.settings.accessOnReplace ?? subject.registry.settings.accessOnReplace) !== false
  ) { return [] }
  return [
    {
      ...subject.sources.model(Model, ['accessOnReplace']),
      what: `PUT ${name}/:id replaces rows that the model's access hook hides.`,
      fix: '"accessOnReplace": true'
    }
  ]
}

function guessable (subject: Subject, model: PublishedModel): Found[] {
  const { Model, name } = model
  const hidden = hides(model) || Model.definition.scope !== undefined
  if (
    !hidden ||
    Model.settings.forceId !== false ||
    !open(subject, model, 'create', 'patchOrCreate', 'replaceOrCreate')
  ) { return [] }
  return [
    {
      ...subject.sources.model(Model, ['forceId']),
      severity: 'low',
      what: `Clients choose the ids of ${name}, and learn which exist out of sight.`,
      fix: '"forceId": true'
    }
  ]
}
