/**
 * All rules of the audit. A new one is one file here, one line below, one pair of folders in its test, and one line in
 * the README.
 */
import type { AuditRule, FolderRule } from '../rule.js'
import { accessControlOff } from './access-control-off.js'
import { adminOpen } from './admin-open.js'
import { allowWider } from './allow-wider.js'
import { allowWithoutDeny } from './allow-without-deny.js'
import { bodyLimit } from './body-limit.js'
import { builtinOpen } from './builtin-open.js'
import { cookieFlags } from './cookie-flags.js'
import { corsCredentials } from './cors-credentials.js'
import { includeCircle, regexpForAll } from './costly-queries.js'
import { debugErrors } from './debug-errors.js'
import { eternalTokens } from './eternal-tokens.js'
import { executeOpensAll } from './execute-opens-all.js'
import { explorerOpen } from './explorer-open.js'
import { guardByPath } from './guard-by-path.js'
import { hiddenByUpdateAll } from './hidden-by-update-all.js'
import { includePassesRules } from './include-passes-rules.js'
import { loginWeakened } from './login-weakened.js'
import { methodWithoutRule } from './method-without-rule.js'
import { namesNoProperty } from './names-no-property.js'
import { noLoadShedding } from './no-load-shedding.js'
import { noRateLimit } from './no-rate-limit.js'
import { noTimeout } from './no-timeout.js'
import { oauthGrants } from './oauth-grants.js'
import { oauthScopes } from './oauth-scopes.js'
import { oauthWeakened } from './oauth-weakened.js'
import { openModel } from './open-model.js'
import { ownerLists } from './owner-lists.js'
import { ownerFromClient } from './owner-from-client.js'
import { passwordByPatch } from './password-by-patch.js'
import { privilegesFromClient } from './privileges-from-client.js'
import { polymorphicToNowhere } from './polymorphic-to-nowhere.js'
import { queryDepth } from './query-depth.js'
import { queryLimits } from './query-limits.js'
import { relationPassesRules } from './relation-passes-rules.js'
import { resetTokenScope } from './reset-token-scope.js'
import { rowNeverMatches } from './row-never-matches.js'
import { rowShadowed } from './row-shadowed.js'
import { rowsWithoutIndex } from './rows-without-index.js'
import { rowsOutOfSight } from './rows-out-of-sight.js'
import { secretFile } from './secret-file.js'
import { secretInConfig } from './secret-in-config.js'
import { sessionFromToken } from './session-from-token.js'
import { shortPasswords } from './short-passwords.js'
import { studioOpen } from './studio-open.js'
import { staticServesFolder } from './static-serves-folder.js'
import { tlsNotVerified } from './tls-not-verified.js'
import { trustProxy } from './trust-proxy.js'
import { typeScriptNotLoaded } from './typescript-not-loaded.js'
import { unknownRole } from './unknown-role.js'
import { containerOwner } from './container-owner.js'
import { untypedTokensRule } from './untyped-tokens.js'
import { userEnumeration } from './user-enumeration.js'
import { usersUnderOauth } from './users-under-oauth.js'

export const auditRules: ReadonlyArray<AuditRule | FolderRule> = [
  // Who may call what
  accessControlOff,
  openModel,
  builtinOpen,
  allowWithoutDeny,
  allowWider,
  methodWithoutRule,
  rowNeverMatches,
  namesNoProperty,
  rowShadowed,
  unknownRole,
  executeOpensAll,
  includePassesRules,
  relationPassesRules,
  polymorphicToNowhere,
  rowsOutOfSight,
  ownerFromClient,
  ownerLists,
  privilegesFromClient,
  rowsWithoutIndex,
  hiddenByUpdateAll,
  guardByPath,
  // Accounts and tokens
  untypedTokensRule,
  containerOwner,
  eternalTokens,
  resetTokenScope,
  passwordByPatch,
  userEnumeration,
  shortPasswords,
  oauthGrants,
  oauthScopes,
  oauthWeakened,
  loginWeakened,
  usersUnderOauth,
  sessionFromToken,
  // The wire
  corsCredentials,
  cookieFlags,
  debugErrors,
  explorerOpen,
  adminOpen,
  studioOpen,
  staticServesFolder,
  trustProxy,
  tlsNotVerified,
  // Limits
  noTimeout,
  noRateLimit,
  bodyLimit,
  queryDepth,
  queryLimits,
  regexpForAll,
  includeCircle,
  noLoadShedding,
  // Secrets
  secretInConfig,
  secretFile,
  // Files that take no part
  typeScriptNotLoaded
]
