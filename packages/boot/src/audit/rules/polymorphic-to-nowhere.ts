import { relationsOf } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'

export const polymorphicToNowhere: AuditRule = {
  code: 'FBK_AUDIT_POLYMORPHIC_TO_NOWHERE',
  severity: 'low',
  title: 'A polymorphic relation that no model is declared for',
  why: 'In LoopBack it led to whatever model a client wrote into the row, accounts and tokens included. Here it leads nowhere until the models that are meant are said.',
  find ({ registry, sources }) {
    return Object.values(registry.models)
      .filter(({ dataSource }) => dataSource !== null)
      .flatMap(Model =>
        [...relationsOf(Model).values()]
          .filter(({ isReachable }) => !isReachable)
          .map(({ name }) => ({
            ...sources.model(Model, ['relations', name]),
            what: `No model is declared for the relation "${name}" of ${Model.modelName}.`,
            fix: '"polymorphic": { "models": ["…"] }'
          }))
      )
  }
}
