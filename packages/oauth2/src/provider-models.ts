/** The models of the authorization server. */
import type { ModelClass } from '@fastback/core'

/** The models of the provider. */
export interface ProviderModels {
  readonly Token: ModelClass
  readonly Code: ModelClass
  readonly Permission: ModelClass
  readonly Scope: ModelClass
  readonly ScopeMapping: ModelClass
  readonly Client: ModelClass
  readonly State: ModelClass
  readonly User: ModelClass
  /** Keys that sign; only with the option `openid`. */
  readonly Key?: ModelClass | undefined
}
