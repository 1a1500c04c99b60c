import { extendsModel } from '@fastback/core/remote'
import { untypedTokens } from '@fastback/auth/service'
import type { AuditRule } from '../rule.js'
import { some } from '../rows.js'

export const untypedTokensRule: AuditRule = {
  code: 'FBK_AUDIT_UNTYPED_TOKENS',
  severity: 'high',
  title: 'Several user models share tokens whose relations do not tell them apart',
  why: "Ids of different models are alike: where code or a table compares the id alone, the token of one model's user 1 is that of the other's.",
  find ({ registry, sources }) {
    const tokenModels = Object.values(registry.models).filter(
      Model => Model.dataSource !== null && extendsModel(Model, 'AccessToken')
    )
    return tokenModels.flatMap(TokenModel => {
      const shared = untypedTokens(TokenModel)
      if (shared === undefined) return []
      const names = some(shared.users.map(({ modelName }) => modelName))
      const fix =
        '"accessTokens": { "type": "hasMany", "polymorphic": { "foreignKey": "userId", "discriminator": "principalType" }, … }, and the same on the token model'
      return [
        {
          ...sources.config('config', ['auth', 'untypedTokens']),
          what: `${names} have their tokens in ${TokenModel.modelName}.`,
          fix
        }
      ]
    })
  }
}
