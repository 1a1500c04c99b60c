/**
 * `@fastback/core`: model definitions, the registry, data sources, relations, queries and operation hooks, with and
 * without Fastify.
 */
export { core, core as default, type CoreOptions } from './plugin.js'
export { ModelRegistry, type AttachOptions, type RegistryOptions } from './registry.js'
export { DataSource } from './data-source/data-source.js'
export type { Mixin } from './mixins.js'
export * as errors from './errors.js'
export { nearest } from './nearest.js'
export { RequestError, UniqueIndexError, ValidationError, badQuery, duplicateId, type Violation } from './errors.js'

// The path of a request, in one spelling
export { canonicalPath, canonicalTarget, foldPath } from './request/target.js'

// What packages beside this one agree on
export type {
  BootExtension,
  EnableAuthOptions,
  ExtensionContext,
  HostApplication,
  MiddlewareUse
} from './contracts/boot-extension.js'
export type { BuiltinModel } from './contracts/builtin-model.js'
export { sharedMethodOf, type RouteMethod } from './contracts/shared-route.js'

// Definitions
export type {
  AclDefinition,
  ModelDefinition,
  ModelDefinitionInput,
  ModelSettings,
  PolymorphicDefinition,
  PropertyDefinition,
  RelationDefinition,
  RelationType
} from './definition/definition.js'
export type {
  CompiledModel,
  CompiledProperty,
  CoercionFault,
  ModelSchemas,
  StoredIndex,
  StoredModel
} from './definition/compiled.js'
export type { GeoPoint, PropertyKind, PropertyType, Row } from './properties/types.js'

export { Property } from './properties/property.js'
export type { CreateInput, PatchInput, PropertyValue, RowOf } from './properties/infer.js'

export { defineModel } from './typed/define-model.js'
export type { CreateType, Definition, IdOf, ModelTypes, PatchType, RowType } from './typed/definitions.js'
export type { Filter, Include, Where } from './typed/filter.js'
export type { RemoteHookContext, TypedHookContext } from './typed/declarators.js'
export type { Result } from './typed/result.js'
export type { Instance, Model, Models, TypedModels } from './typed/model.js'

export { flattenDefinition } from './definition/flatten.js'
export { relationAcls } from './definition/relation-acls.js'

// Model classes
export type { ModelClass, ModelInstance, OperationCallback, OperationOptions } from './model/model-class.js'
export { compiledOf, instantiate, isInstance } from './instances/instance.js'
export { includedOf, setIncluded, INCLUDED } from './instances/included.js'
export { RELATION_METHOD, type Relation, type RelationMethod } from './relations/relation.js'
export type { IncludeGuard } from './operations/include-guard.js'
export { nestedMethods, type NestOptions } from './relations/nest.js'
export { persistedStatics, persistedMethods } from './model/persisted-model.js'
export { KeyIterator } from './model/key-value-model.js'
export {
  addRemoteHook,
  declaresProperty,
  extendsModel,
  hasObserver,
  hasOwnObserver,
  heirsOf,
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
  sourceOf
} from './model/facts.js'
export type { RemoteHook, RemoteHookMoment } from './model/state.js'
export {
  callWithNext,
  createsRow,
  hookNames,
  type HookContext,
  type HookName,
  type HookTable,
  type Observer
} from './hooks.js'

// For connectors
export type {
  Connector,
  ConnectorContext,
  ConnectorFactory,
  ConnectorLog,
  DataSourceSettings,
  Id,
  KeyValueSupport,
  StoreOptions,
  TextSupport,
  TransactionSupport
} from './data-source/connector.js'
export * from './query/index.js'
export { asApplication, asInternal, asRemote, isRemote, remoteOptions, type RemoteCall } from './operations/origin.js'
export { CALLER, type Caller } from './query/work.js'
export { chain, eachInTurn, isPromise, type MaybePromise } from './maybe-promise.js'

// JSON Schema
export { Validators, maxViolations, valuePath, type Validator } from './schemas/validators.js'
export { normaliseSchema, type JsonSchema } from './schemas/normalise.js'
export { longLimit } from './schemas/formats.js'

// Changes
export { changeFeedOf, Change, type ChangeFeed } from './changes/change-feed.js'
export {
  createChangeStream,
  ChangeGap,
  ChangeStreamOverflow,
  type ChangeStreamOptions
} from './changes/change-stream.js'

// For those who share models over a transport
export { sharedMethodsOf, isPersisted } from './remoting/shared-methods.js'
export { namesOf } from './remoting/method-selector.js'
export type {
  ArgumentDefinition,
  ArgumentSource,
  BuiltinOperation,
  HttpRoute,
  RemoteMethodOptions,
  RestHook,
  ReturnDefinition,
  SharedMethod
} from './remoting/shared-method.js'
export { findText, findByIdText, findOneText, createText, patchText, rowsText } from './operations/text.js'
export { countRows, findOneRow, findRowById, findRows, rowExists } from './operations/read.js'
export { createInstance, createInstances, insertRow } from './operations/create.js'
export { patchById, patchInstance } from './operations/patch.js'
export { replaceById } from './operations/replace.js'
export { deleteById, deleteRows } from './operations/delete.js'
export { updateRows } from './operations/update-all.js'
export { findOrCreate, replaceOrCreate, updateOrCreate, upsertWithWhere } from './operations/upsert.js'
export { largestGivenId } from './operations/validate.js'
export { bigIntAsJson } from './properties/write-json.js'
export { forgetOnChange, whenCommitted } from './operations/transaction.js'
export { settle, splitCallback } from './operations/settle.js'
