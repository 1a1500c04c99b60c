/** The points at which version 3.0 differs from version 2 (specification, Versioning; generators.md, 10). */
import { createReturns, events, loadedHook, promises, upsertLists } from './rules/data.js'
import { dependencies } from './rules/dependencies.js'
import { errorHandler, getters } from './rules/middleware.js'
import { dots, fileModel, forceId, mixins, putReplaces } from './rules/models.js'
import { isStatic, stricterArguments } from './rules/remote-methods.js'
import { crossOrigin, currentContext, namedModels, versions } from './rules/server.js'
import { userProperties } from './rules/user.js'
import type { UpgradeRule } from './rule.js'

/** All rules, in their order; each is looked at, and mended, before the next. */
export const upgradeRules: readonly UpgradeRule[] = [
  dependencies, errorHandler, getters, putReplaces, mixins, isStatic, dots, fileModel, forceId,
  createReturns, loadedHook, events, upsertLists, userProperties, stricterArguments,
  currentContext, promises, crossOrigin, versions, namedModels
]
