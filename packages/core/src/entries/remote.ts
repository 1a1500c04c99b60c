/**
 * `@fastback/core/remote`: what a transport, access control and others beside the core are made with. Operations as
 * somebody outside asks for them, shared methods, and what may be asked of a model and told to it. Types come from
 * `@fastback/core`.
 */
export {
  backgroundJobsIn, deferredWorkIn, type BackgroundJobs, type DeferredWork, type FailedJobEntry, type JobQueue
} from '../contracts/background-jobs.js'
export { checkOptions } from '../contracts/check-options.js'
export {
  definitionChangesIn, type DefinitionChanges, type PlannedDefinition, type WantedChange, type WantedProperty
} from '../contracts/definition-changes.js'
export {
  definitionSourcesIn, type DefinitionSources, type SourceLocation, type WrittenSources
} from '../contracts/definition-sources.js'
export { instrumentOf, type Instrument, type Step, type StepValues } from '../contracts/instrumentation.js'
export { instrument, instrumentReads } from '../model/instrument.js'
export { measuresOf, type MeasureName, type Measures } from '../contracts/measures.js'
export { Sealing } from '../contracts/sealing.js'
export { startUpErrors } from '../contracts/start-up-errors.js'
export { explainWork } from '../explain/explain-work.js'
export { indexesMissingIn } from '../explain/missing-index.js'
export { nearest, nearestName } from '../nearest.js'
export { builtinNames, defineBuiltin, installModels, isBuiltin } from '../builtin-models.js'
export { canonicalPath, canonicalTarget, foldPath } from '../request/target.js'
export { typeNames } from '../properties/resolve-type.js'
export { withoutEndSlashes } from '../request/end-slashes.js'
export { propertyDeprecations, type Deprecation } from '../definition/deprecation.js'
export { sharedMethodOf } from '../contracts/shared-route.js'
export { pathDemandsIn, type DemandedPath, type PathDemand } from '../contracts/path-demands.js'
export { flattenDefinition } from '../definition/flatten.js'
export { accessTypes, permissions, ruleKeys } from '../definition/vocabulary/acl.js'
export { entryFaults, keyFaults } from '../definition/vocabulary/faults.js'
export { unread } from '../definition/vocabulary/kinds.js'
export { strictnessOf, reportFaults } from '../definition/vocabulary/check-definition.js'
export { hasOwnFormOfRules, rulesOf, rulesToExtend } from '../definition/access-rules.js'
export { relationAcls } from '../definition/relation-acls.js'
export { compiledOf, instantiate } from '../instances/instance.js'
export { includedOf, setIncluded, INCLUDED } from '../instances/included.js'
export { OWN_METHOD } from '../interfaces/shared-method.js'
export { RELATION_METHOD } from '../interfaces/relation.js'
export { scopesOf } from '../relations/scope.js'
export { nestedMethods } from '../relations/nest.js'
export { splitRow } from '../relations/nested/plan.js'
export {
  closeRowMethods, hasOwnCreate, ownSharedCtor, persistedStatics, persistedMethods
} from '../model/persisted-model.js'
export {
  addInternalProperty,
  addRemoteHook,
  declaresProperty,
  extendsModel,
  hasObserver,
  hasOwnObserver,
  hasRules,
  implyProperty,
  isPublic,
  isWatched,
  lineageOf,
  ownObservers,
  ownRemoteMethod,
  publish,
  relationsOf,
  remoteHooksOf,
  replaceRelation,
  setRemoteMethod,
  setStoreLayer,
  setWriteLayer,
  sourceOf,
  notifyRules
} from '../model/facts.js'
export { mayCallBack } from '../may-call-back.js'
export { builtinFunction, comesToOwn } from '../own-functions.js'
export { callWithNext, createsRow, hookNames, LEADING, NEW_ROW, RULE } from '../hooks.js'
export { isSettled, settleValue, validateAhead } from '../operations/settled.js'
export { asApplication, asInternal, asRemote, isFromCaller, remoteOptions } from '../operations/origin.js'
export {
  filterToHandOn, guardHandedOn, sightOf, whereToHandOn, type HandedInclude, type HandedOn
} from '../operations/hand-on.js'
export { filterKeys, hasFilterPart } from '../query/parse.js'
export {
  LOOKED_AT, PAGE_ENDS, ROW_KNOWN, ROW_SEEN, type LookedAt, type PageEnds, type RowSeen
} from '../interfaces/operation-options.js'
export { bulkLimit, tooManyRows } from '../operations/bulk/request.js'
export { CALLER, WORK, Work } from '../query/work.js'
export { Validators, valuePath } from '../schemas/validators.js'
export { normaliseSchema } from '../schemas/normalise.js'
export { sentenceOf } from '../schemas/sentences.js'
export { invalidData, maxViolations } from '../errors.js'
export { VersionConflictError } from '../operations/version-errors.js'
export { longLimit } from '../schemas/formats.js'
export { changeFeedOf } from '../changes/change-feed.js'
export { ChangeGap, LiveEvent, StreamSignal } from '../changes/change.js'
export { createChangeStream, openChangeStream, ChangeStreamOverflow } from '../changes/change-stream.js'
export { createOptionsFromRemotingContext } from '../remoting/declare.js'
export { argumentsOf } from '../remoting/method-schemas.js'
export { hasBulk, hasLive, methodNamesOf, sharedMethodsOf } from '../remoting/shared-methods.js'
export { hasShared, opensWrite, writesAreShared, type WriteKind } from '../remoting/ways-to-write.js'
export { idArgument, optionsArgument } from '../contracts/shared-arguments.js'
export { isWithdrawn, namesOf } from '../remoting/method-selector.js'
export {
  findText, findByIdText, findKeyedTexts, findAttachedTexts, findOneText, createText, patchText, rowText, rowsText,
  type KeyedTexts
} from '../operations/text.js'
export { readableResult, readableRow, readableRows } from '../operations/readable.js'
export { modelsWithin, readablePart } from '../operations/rows-within.js'
export { textOfResult, textResult, type JsonText } from '../contracts/text-result.js'
export { visibleCondition } from '../operations/access-condition.js'
export { aggregateRows } from '../operations/aggregate.js'
export { PagedRows } from '../operations/pages.js'
export { countRows, findOneRow, findRowById, findRows, rowExists } from '../operations/read.js'
export { createInstance, createInstances, createsPlainly, insertRow } from '../operations/create.js'
export { createList } from '../operations/create-list.js'
export { patchById, patchesBlindly, patchInstance } from '../operations/patch.js'
export { rowVersion } from '../operations/if-version.js'
export { withRowLock } from '../operations/write-locks.js'
export { historyOf, revert } from '../history/history.js'
export { addRecorder, type Entry, type RecorderFactory, type RowRecorder } from '../history/recorder.js'
export { rowOfText, rowWriter } from '../history/row-text.js'
export { ReaderView } from '../changes/reader-view.js'
export { restoreById } from '../operations/restore.js'
export { readDeleted } from '../operations/read-deleted.js'
export { replaceById } from '../operations/replace.js'
export { isIdTaken } from '../data-source/id-taken.js'
export { deleteById, deleteRows } from '../operations/delete.js'
export { deleteNamed } from '../operations/delete-named.js'
export { updateRows } from '../operations/update-all.js'
export { findOrCreate, replaceOrCreate, updateOrCreate, upsertWithWhere } from '../operations/upsert.js'
export { writeRecords } from '../properties/write-json.js'
export { looseRow } from '../properties/loose-row.js'
export { refuseRelatedRows } from '../operations/related-data.js'
export { whileModelsStay } from '../while-models-stay.js'
export { warnOnce } from '../warn-once.js'
export { toDate } from '../properties/convert.js'
export { GeoPoint } from '../properties/geo-point.js'
export { bigIntAsJson } from '../properties/write-json.js'
export { forgetOnChange, whenCommitted } from '../operations/transaction.js'
export { Inside } from '../data-source/inside.js'
export { sealingIsSet } from '../model/sealed-model.js'
export { resealRows, type Resealed, type ResealOptions } from '../operations/reseal.js'
export { storedAsOne } from '../operations/with-hooks.js'
export { nowAndThen } from '../now-and-then.js'
export { writesOf, type StoreWrites } from '../data-source/operation-kinds.js'
export { isInStore, textReads, withFunctions } from '../operations/store-layer.js'
export { judgeCondition } from '../operations/related-conditions.js'
export { mayAskAbout, ruleOf, narrowsRows } from '../operations/row-rules.js'
export { ruleView, rulesOfNow, type RuleView } from '../operations/rule-view.js'
export { namesAny } from '../query/named-properties.js'
export { mustPassCheck, withPreset } from '../operations/ruled-writes.js'
export { storeOptions } from '../operations/context.js'
export { logMasking, logSerializers, redactPaths } from '../logging/serializers.js'
export { maskText, maskUrl } from '../logging/mask-text.js'
export { maskLogger } from '../logging/mask-logger.js'
export { PendingOperations } from '../pending-operations.js'
export { accessReviewIn, type RowReader } from '../contracts/access-review.js'
export { isTokenOfProgram, kDelegated, type TokenOfProgram } from '../contracts/delegated-tokens.js'
export {
  knownUsersIn, userKeyOf, type KnownUsers, type LentTo, type TokenOfUser, type UsersChanged
} from '../contracts/known-users.js'
export { graphqlEndpointIn } from '../contracts/graphql-endpoint.js'
export { loginWaysIn, type LoginWay, type LoginWays } from '../contracts/login-ways.js'
export { addOuterRequests, outerRequest } from '../contracts/outer-requests.js'
export { afterTick, isTickEnding } from '../tick/end-of-tick.js'
export { clientBytes, clientValues, guardsClientValues } from '../operations/client-values.js'
export { lookedAt, lookOf } from '../operations/looked-at.js'
export type { ClientWrite } from '../operations/client-write.js'
export { isSetBy } from '../properties/set-by-clients.js'
export { relationOfMethod } from '../definition/relation-acls.js'
export { strayNames, type StrayName } from '../name-checks.js'
export { connectionsOf, type OpenConnections } from '../request/connections.js'
