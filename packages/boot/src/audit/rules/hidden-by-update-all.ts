import type { ModelClass } from '@fastback/core'
import { lineageOf, sourceOf, ownObservers } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import { isOpenTo } from '../rows.js'

export const hiddenByUpdateAll: AuditRule = {
  code: 'FBK_AUDIT_HIDDEN_BY_UPDATE_ALL',
  severity: 'medium',
  title:
    'Clients may call updateAll on a model whose `before save` hook works on a hidden property of the instance only',
  why: 'The hook makes a hash of a secret, or checks it, on an instance. updateAll has none: it stores for many rows what the client sent, as it came.',
  find ({ models, sources, enforced }) {
    return models.flatMap(({ Model, name, methods }) => {
      const review = methods.find(({ method }) => method.builtin === 'updateAll')
      const hidden = review === undefined || (enforced && !isOpenTo(review, 'anonymous', 'user')) ? [] : workedOn(Model)
      if (hidden.length === 0) return []
      const what = `POST ${name}/update writes ${hidden.join(', ')} of many rows at once, past what the "before save" hook does to an instance.`
      return [
        {
          ...sources.config('model-config', [name, 'options', 'remoting', 'sharedMethods', 'updateAll']),
          what,
          fix: '"options": { "remoting": { "sharedMethods": { "updateAll": false } } }'
        }
      ]
    })
  }
}

/**
 * Hidden properties that hooks of the folder's own models name, where these know an instance and nothing of the `data`
 * of a bulk write.
 */
function workedOn (Model: ModelClass): string[] {
  const hooks = lineageOf(Model)
    .filter(each => sourceOf(each) !== undefined)
    .flatMap(each => ownObservers(each, 'before save'))
    .map(String)
  return Model.definition.hidden.filter(property =>
    hooks.some(hook => /\binstance\b/.test(hook) && !/\bdata\b/.test(hook) && hook.split(/[^\w$]+/).includes(property))
  )
}
