/** Settings of a model, whoever of the house reads them: the one list of them. */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Deprecated, Keys, Nullable, Sentences, unread } from './kinds.js'

const about = (description: string) => ({ description })
const flag = (description: string) => Type.Optional(Type.Boolean(about(description)))
const count = (description: string, minimum = 0) => Type.Optional(Type.Number({ minimum, description }))
const text = (description: string) => Type.Optional(Type.String(about(description)))
const names = (description: string) => Type.Optional(Type.Array(Type.String(), about(description)))
const oneOf = <T extends TSchema[]>(schemas: [...T], description: string) =>
  Type.Optional(Type.Union(schemas, about(description)))

/** How rows are written and read. */
const rows = {
  strict: oneOf(
    [Type.Boolean(), Type.Literal('filter'), Type.Literal('throw'), Type.Literal('validate')],
    'What becomes of properties that the model does not declare: false stores them, true, "throw" and "validate" refuse them, "filter" drops them. Default: false, and true on SQL.'
  ),
  idInjection: flag('Whether the model gets an id that it does not declare. Default: true for PersistedModel.'),
  forceId: oneOf([Type.Boolean(), Type.Literal('auto')], 'Whether callers may not choose ids. Default: "auto", which is true for generated ids.'),
  replaceOnPUT: flag('Whether PUT replaces a row, and not patches it. Default: true.'),
  validateUpsert: flag('False: updateOrCreate does not validate. Default: true.'),
  validateUpdate: flag('False: updates are not validated. Default: true.'),
  automaticValidation: flag('False: nothing is validated unless a call asks for it. Default: true.'),
  applyDefaultsOnReads: flag('False: rows that lack a value are read without its default. Default: true.'),
  persistUndefinedAsNull: flag('Whether what a row does not say is stored as null. Default: false.'),
  updateOnLoad: flag('Whether a default that a stored row lacks is written back when it is read. Default: false.'),
  hooksInTransaction: flag('False: an error of a hook after a write leaves the write in place, as in LoopBack. Default: true, where the store has transactions.'),
  strictEmbeddedModels: flag('Whether members that anonymous objects do not declare are refused. Default: false.'),
  strictDelete: flag('Whether deleting a row that is not there is an error. Default: false.'),
  accessOnReplace: flag('Whether observers of "access" decide about the row of replaceById, too. Default: true, and false in folders that do not say.'),
  readOnlyProperties: oneOf(
    [Type.Literal('refuse'), Type.Literal('ignore')],
    'What becomes of values that clients send for "readOnly" and "writeOnce" properties: "refuse" (422; default) or "ignore" (default in folders that do not say).'
  ),
  nestedWrites: oneOf(
    [Type.Literal('refuse'), Type.Literal('ignore')],
    'What becomes of rows of relations within the data of a row: "refuse" (400; default), or "ignore", which leaves them out and which the log tells once (default in folders that do not say).'
  ),
  maxNestedRows: count('Rows of relations that the data of one request may carry, at all levels ("nestedWrite" of relations). Default: the application\'s, which is 1,000.', 1),
  bulk: flag('Whether many rows are changed, deleted, or upserted by a unique key in one request (/Notes/bulk), and created from lines of JSON. Default: the application\'s, which is false.'),
  maxBulkRows: count('Rows that one bulk write names, gives or reads. Default: the application\'s, which is 10,000.', 1),
  propertyKeywords: oneOf(
    [Type.Literal('apply'), Type.Literal('ignore')],
    'What "format", "trim", "lowercase" and "uppercase" of properties in JSON, and the rules of members of objects, do: "apply" (default), or "ignore": nothing, as in LoopBack, which the log tells once (default in folders that do not say).'
  ),
  version: oneOf(
    [Type.Boolean(), Type.String({ minLength: 1 })],
    'Whether each row counts its writes: true for the property "version", or the name of a property that is a whole number. Clients see it as the ETag of a row, and write a row only as they saw it with If-Match. Default: false.'
  ),
  softDelete: oneOf(
    [
      Type.Boolean(),
      Type.Object({
        property: Type.Optional(Type.String({ minLength: 1, description: 'The property that says when a row was put away. Default: "deletedAt".' })),
        purgeAfter: count('Seconds after which rows that are put away are removed for good. Default: never.', 1)
      })
    ],
    'Whether deletes put rows away, where nothing finds them until they are restored: true, or what differs. Default: false.'
  ),
  history: oneOf(
    [
      Type.Boolean(),
      Type.Object({
        keepFor: count('Seconds that versions are stored; the last one of a row that is there stays. Default: for ever.', 1),
        keepVersions: count('How many versions of a row are stored. Default: all.', 1)
      })
    ],
    'Whether it is written down who changed which row when, what it was before and what it is: true, or how long that is stored. Default: false.'
  ),
  events: oneOf(
    [
      Type.Boolean(),
      Type.Object({
        operations: Type.Optional(Type.Array(
          Type.Union([Type.Literal('create'), Type.Literal('update'), Type.Literal('delete'), Type.Literal('restore')]),
          about('What is told. Default: all of it.')
        )),
        properties: names('Updates are told where one of these has changed. Default: whatever has changed.')
      })
    ],
    'Whether what happens to rows is told to webhooks, where @fastback/events is registered with "webhooks": true, or what of it. Default: false.'
  ),
  etag: flag('Whether responses of one row have an ETag where the model has no "version": a hash of the text. Default: the application\'s, which is false.'),
  requireMatch: flag('Whether clients must say with If-Match, or with the version in their data, which row they change, replace or delete by its id; else 428. Default: false.'),
  patchDocuments: flag('Whether PATCH by id takes application/merge-patch+json and application/json-patch+json. Default: the application\'s, which is true, and false in folders that do not say.'),
  atomicCreate: flag('Whether code that creates a list stores all of it or nothing, as clients always do. False: the good rows are stored, and the errors are a list by position, as in LoopBack. Default: true, and false in folders that do not say.'),
  bufferFormat: oneOf(
    [Type.Literal('base64'), Type.Literal('loopback')],
    'What "buffer" properties are in JSON: "base64" (default), or "loopback": {"type": "Buffer", "data": [bytes]}, and texts for their letters.'
  ),
  configureModelMerge: oneOf(
    [Type.Boolean(), Type.Record(Type.String(), Type.Unknown())],
    'How settings of the base are inherited: true for what LoopBack recommends, or a policy for each setting.'
  ),
  excludeBaseProperties: names('Properties of the base that this model does not have.'),
  hideInternalProperties: unread(flag(''), 'Instances have no internal properties that could be seen: take it away.', true),
  validations: unread(Type.Optional(Type.Unknown()), 'Validations are declared in code: Model.validatesLengthOf("title", …).'),
  description: Type.Optional(Sentences),
  deprecated: Type.Optional(Deprecated),
  indexes: Type.Optional(Type.Record(Type.String(), Type.Unknown(), about('Indexes of the table, by name.'))),
  foreignKeys: unread(Type.Optional(Keys), 'Write "foreignKeys": true at the relation, or at the data source.', true)
}

/** What queries may ask. */
const queries = {
  maxLimit: count('Largest page that "find" gives; a larger or missing "limit" is refused. Default: none.', 1),
  maxDepthOfQuery: count('Levels of a condition. Default: 12.'),
  maxDepthOfData: count('Levels of data that is written. Default: 32.'),
  inqLimit: count('Keys that one query of include names at most; longer lists are split. Default: any number.', 1),
  allowExtendedOperators: flag('Whether operators of the store ("$exists") are passed on. Default: false.'),
  prohibitHiddenPropertiesInQuery: unread(
    flag(''), 'No client may ask about hidden properties; for a call in the process its option of this name says so.', true
  ),
  prohibitProtectedPropertiesInQuery: flag('Whether conditions may not name protected properties. Default: false.'),
  unknownFilterKeys: oneOf(
    [Type.Literal('refuse'), Type.Literal('ignore')],
    'What becomes of parts of a filter that are none of "where", "order" and so on, and that no observer of "access" reads, and of relations among its conditions and its order: "refuse" (400; default), or "ignore", which the log tells once (default in folders that do not say).'
  ),
  relatedConditions: flag('Whether conditions may be about related rows: { "customer.city": "Lima" }, { items: { some: { … } } }. Default: true, and false in folders that do not say.'),
  aggregates: flag('Whether rows may be grouped: the method "aggregate", and "distinct" in filters. Default: true, and false in folders that do not say.'),
  live: flag('Whether clients may watch the rows of a filter: the method "live", GET /Notes/live. Default: the application\'s, which is false.'),
  maxLiveRows: count('Rows that one live query may have, with those that its "skip" leaves out. Default: the application\'s, which is 1,000.', 1),
  maxLiveQueries: count('Live queries that clients may have of the model at one process. Default: the application\'s, which is 10,000.', 1),
  cursors: flag('Whether pages may be asked for by cursors: "after" and "before" in filters. Default: true, and false in folders that do not say.'),
  includeBeyondFields: flag('Whether an include has its rows where "fields" leaves the key out that joins them. False, as in LoopBack: then it finds none, and a list of rows is refused (400). Default: true, and false in folders that do not say.'),
  normalizeUndefinedInQuery: oneOf(
    [Type.Literal('ignore'), Type.Literal('nullify'), Type.Literal('throw')],
    'What becomes of undefined in a condition. Default: "ignore".'
  ),
  strictObjectIDCoercion: flag('MongoDB: false reads texts that look like ids as ids. Default: false.')
}

/** How the model is published. */
const remoting = {
  http: Type.Optional(Type.Object({ path: Type.Optional(Type.String()) }, about('"path": its path below the root of the API. Default: the plural.'))),
  remoting: Type.Optional(Keys),
  remoteMethods: unread(Type.Optional(Keys), 'Write "methods".'),
  coercion: oneOf(
    [Type.Literal('strict'), Type.Literal('loopback3')],
    'How values of arguments and rows are taken: "loopback3" converts them as LoopBack 3 does. Default: the application\'s.'
  ),
  streaming: oneOf(
    [
      Type.Boolean(),
      Type.Object({
        rows: count('Rows of a response.', 1),
        seconds: count('Seconds that it may take.', 1),
        pageSize: count('Rows that are read at once.', 1)
      })
    ],
    'Whether lists of its rows are written row by row as NDJSON and CSV to who asks for these: true, false, or the limits that differ. Default: the application\'s.'
  ),
  idempotency: oneOf(
    [
      Type.Boolean(),
      Type.Object({
        ttl: count('Seconds that a response is stored.', 1),
        required: flag('Whether POST and PATCH are refused without a key.')
      })
    ],
    'Whether requests that write may have an "Idempotency-Key", by which repeats of one have its effect once: true, false, or what differs. Default: the application\'s.'
  ),
  changeStream: Type.Optional(Type.Unknown(about('Options of the change stream, or false for none.'))),
  injectOptionsFromRemoteContext: unread(flag(''), 'Methods have "options" without it: take it away.', true),
  resourceName: text('Name of the resource in addresses of the connector "rest". Default: the plural.')
}

/** Who may do what (`@fastback/acl`). */
const access = {
  defaultPermission: oneOf(
    ['ALLOW', 'DENY', 'ALARM', 'AUDIT'].map(each => Type.Literal(each)),
    'What holds where no rule says anything. Default: "ALLOW".'
  ),
  aclErrorStatus: oneOf([Type.Literal(401), Type.Literal(403), Type.Literal(404)], 'Status for those who are signed in and may not. Default: 401, as in LoopBack.'),
  ownerRelations: oneOf([Type.Boolean(), Type.Array(Type.String())], 'Relations whose user owns the row. Default: the first that leads to a user.'),
  ownerFromToken: flag('Whether the owner\'s key comes from the token on create, and cannot be changed. Default: false.'),
  relatedAccess: oneOf(
    [Type.Literal('parent'), Type.Literal('related')],
    'Whose rules decide about rows that come by include or by relation routes: "related" asks those of their own model as well. Default: "parent", as in LoopBack.'
  ),
  includeAccess: oneOf([Type.Literal('parent'), Type.Literal('related')], 'The same for include alone; "relatedAccess" implies it. Default: "parent", as in LoopBack.'),
  tenant: Type.Optional(Type.Object({
    property: Type.String(about('The property by which rows of one tenant are told from those of others.')),
    value: Type.String(about('The caller\'s value of it: a variable, such as "$user.tenantId".')),
    unique: flag('Whether unique values are unique among the rows of one tenant, and not among all: its property is part of unique indexes and of the validation of uniqueness. Default: false.')
  }, {
    additionalProperties: false,
    ...about('Requests see and change the rows of their tenant alone, whatever rules say; new rows get its value. Callers without one get nothing.')
  })),
  enforceRows: flag('False: what "rows" and "fields" of its rules, and "tenant", would change is logged and counted, and nothing else. Default: true.'),
  executeAllowsAll: flag('Whether a row that allows EXECUTE for all methods opens all of them, as in LoopBack. Default: false.')
}

/** Users and tokens (`@fastback/auth`). */
const accounts = {
  realmRequired: flag('Whether users log in with a realm. Default: false.'),
  realmDelimiter: text('What stands between realm and name in one text.'),
  caseSensitiveEmail: flag('Whether "A@x" and "a@x" are two users. Default: true, as in LoopBack.'),
  emailVerificationRequired: flag('Whether only verified users log in. Default: false.'),
  rejectPasswordChangesViaPatchOrReplace: flag('Whether passwords change by their own methods only. Default: false, as in LoopBack.'),
  statusLocks: flag('Whether the login of the API and tokens take no user whose `status` is locked, disabled, or a like word. Default: false.'),
  restrictResetPasswordTokenScope: flag('Whether tokens of a reset can do nothing else. Default: false, as in LoopBack.'),
  accountAnswerTime: count('Milliseconds after which a reset, or a verification, is answered, whether or not there is such an account. Default: 100.'),
  resetPasswordTokenTTL: count('Seconds that a token of a reset lives. Default: 900.'),
  verificationTokenTTL: count('Seconds that a token of a verification lives. Default: until it is used.'),
  verifyOptions: Type.Optional(Keys),
  redirectWhitelist: oneOf([Type.String(), Type.Array(Type.String())], 'Addresses that a verification may lead to.'),
  allowUserEnumeration: flag('Whether responses tell which users there are, as in LoopBack. Default: false.'),
  secondFactor: oneOf([
    Type.Boolean(),
    Type.Object({}, { additionalProperties: true })
  ], 'Second factors of this user model: true, false, or members of "auth.secondFactors" for this model alone. Default: what the application says.'),
  saltWorkFactor: unread(count('', 1), 'Passwords are hashed with argon2id, whose cost is fixed: take it away.'),
  ttl: count('Seconds that a token lives. Default: 1,209,600.', -1),
  maxTTL: count('Largest that a caller may ask for. Default: 31,556,926.', -1),
  allowEternalTokens: flag('Whether a token may live for ever. Default: false.'),
  accessTokenIdLength: count('Length of the text of tokens. Default: 64.', 32)
}

/** The setting `sync`, for the routes below `/sync`. */
const replication = {
  keep: names('Further columns of a row that are kept with its changes, to tell who could read it.'),
  conflict: oneOf(
    [Type.Literal('client'), Type.Literal('server'), Type.Literal('fields'), Type.Literal('manual')],
    'Whose row stays where client and server changed one. Default: "manual", which lets the client decide.'
  ),
  merge: oneOf([Type.Literal('fields')], 'Whether pushes of single properties are merged that do not overlap. Default: they are not.'),
  version: count('The version of the rows: clients that name another are refused. Default: none.'),
  secret: text('What cursors are signed with. Default: a key that is kept in the data source.'),
  idempotencyTtl: count('Seconds that responses are kept for a repeated push. Default: 604,800 (7 days).', 1)
}

/** Change tracking and replication (`@fastback/sync`). */
const tracking = {
  trackChanges: flag('Whether changes are tracked for replication. Default: false.'),
  enableRemoteReplication: flag('Whether methods of replication are published. Default: as "trackChanges".'),
  changeCleanupInterval: count('Milliseconds after which all rows are looked at again, for writes of others. Default: never.', -1),
  replicationChunkSize: count('Changes in one batch.', -1),
  additionalChangeModelProperties: Type.Optional(Keys),
  tombstoneTtl: count('Seconds that deletes are remembered. Default: 7,776,000 (90 days).'),
  sync: oneOf([Type.Boolean(), Type.Object(replication)], 'The protocol of today: false leaves its routes off. Default: they come with "trackChanges".'),
  hashAlgorithm: text('Of revisions. Default: "sha1".')
}

const settings = { ...rows, ...queries, ...remoting, ...access, ...accounts, ...tracking }

/** Settings that stand at the top of a definition, under `options`, and in model-config.json's `options`. */
export const SettingsVocabulary = Type.Object(settings)

/** The parts of a definition that are not settings. */
export const DefinitionVocabulary = Type.Object({
  $schema: text('Address of the JSON Schema of this file, for editors.'),
  name: Type.String({ minLength: 1, description: 'Name of the model.' }),
  base: Type.Optional(Nullable(Type.Unknown(about('Model that it extends. Default: PersistedModel.')))),
  super: Type.Optional(Type.Unknown(about('The older word for "base".'))),
  plural: Type.Optional(Nullable(Type.String(about('Its plural; also its path. Default: by the rules of English.')))),
  properties: Type.Optional(Nullable(Type.Unknown(about('Properties by name.')))),
  relations: Type.Optional(Nullable(Type.Unknown(about('Relations by name.')))),
  acls: Type.Optional(Nullable(Type.Unknown(about('Rules of access.')))),
  methods: Type.Optional(Nullable(Type.Unknown(about('Remote methods by name.')))),
  mixins: Type.Optional(Nullable(Type.Unknown(about('Mixins by name, with their options.')))),
  scopes: Type.Optional(Nullable(Type.Unknown(about('Named filters.')))),
  scope: Type.Optional(Type.Unknown(
    about('A filter that holds for all reads. Values that it asks for are set on rows that are written.')
  )),
  attributes: Type.Optional(Type.Unknown(
    about('Values that are set on rows that are written, in place of those of "scope"; false: none.')
  )),
  hidden: Type.Optional(Type.Unknown(about('Names of properties that no response has.'))),
  hiddenProperties: Type.Optional(Type.Unknown(about('The older word for "hidden".'))),
  protected: Type.Optional(Type.Unknown(about('Names of properties that are left out where the row is included in another.'))),
  protectedProperties: Type.Optional(Type.Unknown(about('The older word for "protected".'))),
  settings: Type.Optional(Nullable(Type.Unknown())),
  options: Type.Optional(Nullable(Type.Unknown())),
  instanceMethods: Type.Optional(Type.Unknown()),
  config: unread(Type.Optional(Type.Unknown()), 'Write settings at the top of the definition, or under "options".'),
  dataSource: unread(Type.Optional(Type.Unknown()), 'Say it where the model is attached: model-config.json, or "models" in code.'),
  public: unread(Type.Optional(Type.Boolean()), 'Say it where the model is attached: model-config.json, or "models" in code.')
})

/** What is known of a model's settings. */
export type KnownSettings = Static<typeof SettingsVocabulary>
/** The parts of a definition that are not settings, by name. */
export type DefinitionKey = keyof Static<typeof DefinitionVocabulary>
