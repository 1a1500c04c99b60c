/**
 * `@fastback/core`: model definitions, the registry, data sources, relations, queries and operation hooks, with and
 * without Fastify.
 */
export { core, core as default } from './plugin.js'
export type { CoreOptions } from './options.js'
export { ModelRegistry, type RegistryOptions } from './registry.js'
export type { AttachOptions, RegistryExtensions } from './interfaces/model-registry.js'
export { DataSource } from './data-source/data-source.js'
export type { DiscoveredModel, DiscoveryOptions } from './data-source/discovered-schema.js'
export type { ModelBuilder, TransactionModels, TransactionWork } from './interfaces/data-source.js'
export type {
  TransactionContext, TransactionEvent, TransactionOptions, TransactionSettings
} from './data-source/transaction.js'
export type { RetrySettings } from './data-source/retry.js'
export type { DefinedModel } from './definition/defined-model.js'
export type { Mixin } from './mixins.js'
export * as errors from './errors.js'
export { RequestError, UniqueIndexError, ValidationError, type Violation } from './errors.js'
export type { VersionConflictError } from './operations/version-errors.js'

// What packages beside this one agree on
export type {
  BootExtension,
  EnableAuthOptions,
  ExtensionContext,
  HostApplication,
  MiddlewareUse
} from './contracts/boot-extension.js'
export type { BuiltinModel } from './contracts/builtin-model.js'
export type { RouteMethod } from './contracts/shared-route.js'
export type { StartUpError, StartUpErrorClass } from './contracts/start-up-errors.js'

// Definitions
export type {
  AccessAssurance,
  AclDefinition,
  ModelDefinition as EffectiveDefinition,
  ModelDefinitionInput,
  ModelSettings,
  PolymorphicDefinition,
  PropertyDefinition,
  RelationDefinition,
  RelationType
} from './definition/definition.js'
export type { CompiledModel } from './interfaces/compiled-model.js'
export type { CompiledProperty, StoredIndex, StoredModel, StoredReference, StoredTextIndex } from './definition/stored-model.js'
export type { CoercionViolation, ModelSchemas } from './properties/row-model.js'
export type { FileInput, FileReference, IncomingFile } from './properties/file-type.js'
export type { GeoPoint, PropertyKind, PropertyType, Row } from './properties/types.js'
export { Decimal } from './properties/decimal-schema.js'
export { Property } from './properties/property.js'
export type { CreateInput, PatchInput, PropertyValue, RowOf } from './properties/infer.js'
export { defineModel } from './typed/define-model.js'
export type { BuiltinModelTypes, CreateType, Definition, IdOf, ModelTypes, PatchType, RowType } from './typed/definitions.js'
export type { Aggregated, AggregateFilter } from './typed/aggregate.js'
export type { Filter, Include, Where } from './typed/filter.js'
export type { CallOptions } from './typed/call-options.js'
export type { CheckedRun, MethodContext } from './typed/methods.js'
export type { Draft, WrittenDefinition } from './typed/define-model.js'
export type { RemoteHookContext, TypedHookContext } from './typed/declarators.js'
export type { Result } from './typed/result.js'
export type { Acting, RuledModel, UntypedRuledModel } from './typed/ruled.js'
export type { ClassOf, Instance, Model, ModelName, ModelNamed, Models, RuledModels, TypedModels } from './typed/model.js'

// Model classes
export type { ModelClass, ModelFacts } from './interfaces/model-class.js'
export type { ModelInstance } from './instances/model-instance.js'
export type { OperationCallback } from './callbacks.js'
export type { OperationOptions } from './interfaces/operation-options.js'
export { isInstance } from './instances/instance.js'
export type { Relation, RelationMethod, NestOptions } from './interfaces/relation.js'
export type { PageSettings, RowPages } from './interfaces/row-pages.js'
export type { IncludeGuard, MethodRights, RowGuard } from './interfaces/include-guard.js'
export type { RowVersion } from './interfaces/row-version.js'
export type { PropertyTest, RowAction, RowRule, RowRules } from './interfaces/row-rules.js'
export { KeyIterator } from './model/key-value-model.js'
export type { RemoteHook, RemoteHookMoment } from './interfaces/model-state.js'
export type { HookContext, HookName, HookTable, Observer } from './hooks.js'

// For connectors
export type {
  Connector,
  ConnectorContext,
  ConnectorFactory,
  ConnectorLog,
  Counting,
  DataSourceSettings,
  Ending,
  Id,
  JoinedDataSource,
  StoredValue,
  KeyValueSupport,
  Merge,
  NewRow,
  PoolUsage,
  SetSupport,
  UnitSupport,
  StoreOptions,
  TogetherSupport,
  TransactionBeginning,
  Savepoint,
  TransactionSupport
} from './data-source/connector.js'
export type { StoredAggregation, StoredGroup, StoredResult, StoredTotal } from './data-source/aggregation.js'
export type {
  Belonging, AttachedRow, RowsWithAttached, RowsIncluding, RowTexts, Share, TextSupport
} from './data-source/text-support.js'
export type { Explanation, RowAccess, StoreRead, StoreStatement } from './data-source/explanation.js'
export type { MissingIndex, QueryReport, StatementReport } from './explain/report.js'
export type {
  DescribedColumn,
  DescribedTable,
  MigrationFile,
  MigrationOptions,
  MigrationPlan,
  MissingTable,
  PlannedChange,
  PlannedDifference,
  PlanSupport
} from './data-source/migration-plan.js'
export type {
  CallerSettings, CallerValue, PlannedPolicies, PolicySupport, PolicyTest, RowPolicy, StoreCaller, UnsaidPolicy
} from './data-source/row-policies.js'
export type * from './query/index.js'
export { isRemote, type RemoteCall } from './operations/origin.js'
export type { Caller } from './query/work.js'
export type { MaybePromise } from './maybe-promise.js'
export type { Bus, BusDriverFactory, BusListener } from './bus/bus.js'
export type { Around } from './observers.js'

// JSON Schema
export type { Validator, Validators } from './schemas/validators.js'
export type { JsonSchema } from './schemas/normalise.js'

// Changes
export { Change } from './changes/change.js'
export type { ChangeFeed } from './interfaces/change-feed.js'
export type { ChangeStreamOptions } from './changes/options.js'
export type {
  ArgumentDefinition,
  ArgumentSource,
  BuiltinOperation,
  HttpRoute,
  MethodResponse,
  RemoteMethodOptions,
  RestHook,
  ReturnDefinition,
  SharedMethod
} from './interfaces/shared-method.js'
export type { DefineSharedMethod, DescribedSharedMethod, SharedClass } from './remoting/shared-class.js'
