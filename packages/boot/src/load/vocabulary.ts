/** Keys of the folder's configuration files. Checks at start and JSON Schemas for editors are made of them. */
import { Type, type TObject } from '@sinclair/typebox'
import { unread } from '@fastback/core/remote'

const about = (description: string) => ({ description })
const Names = Type.Array(Type.String())
const Anything = (description: string) => Type.Optional(Type.Unknown(about(description)))
const text = (description: string) => Type.Optional(Type.String(about(description)))
const number = (description: string) => Type.Optional(Type.Union([Type.Number(), Type.String()], about(description)))
const flag = (description: string) => Type.Optional(Type.Boolean(about(description)))

/** The entry of a model in model-config.json. */
export const ModelEntryVocabulary = Type.Object({
  dataSource: Type.Optional(Type.Union([Type.String(), Type.Null(), Type.Literal(false)], about('Name of its data source; null or false: it has none.'))),
  public: flag('Whether it is published over REST. Default: true.'),
  relations: Anything('Relations that are added to the definition\'s, or change them.'),
  acls: Anything('Rules that are added to the definition\'s, or replace those for the same principal and method.'),
  methods: Anything('Remote methods that are added.'),
  options: Anything('Settings that win over the definition\'s.'),
  description: text('Carried along.'),
  $promise: Anything('Written by old generators; ignored.')
}, { additionalProperties: false })

/** What stands under `_meta` of model-config.json. */
export const MetaVocabulary = Type.Object({
  sources: Type.Optional(Type.Array(Type.String(), about('Folders with definitions. Default: ../common/models, ./models.'))),
  mixins: Type.Optional(Type.Array(Type.String(), about('Folders with mixins. Default: ../common/mixins, ./mixins.'))),
  hmr: Anything('Carried along.')
}, { additionalProperties: false })

/** One middleware in middleware.json. */
export const MiddlewareEntryVocabulary = Type.Object({
  name: text('What the environment\'s file knows it by, in a list.'),
  enabled: Type.Optional(Type.Union([Type.Boolean(), Type.String()], about('False switches it off. Default: true.'))),
  optional: flag('Whether it may be missing. Default: false.'),
  params: Anything('Arguments of its factory; "$!./x" is a path.'),
  paths: Anything('A path, or a list of paths, that it is for. Default: all.'),
  methods: Type.Optional(Type.Union([Type.String(), Names], about('HTTP methods that it is for. Default: all.'))),
  verbs: Type.Optional(Type.Union([Type.String(), Names], about('The same.'))),
  comment: text('Ignored.')
}, { additionalProperties: false })

/** What data sources say; connectors have settings of their own beside these. */
export const DataSourceVocabulary = Type.Object({
  name: text('Ignored; the key is the name.'),
  connector: Type.Optional(Type.String(about('Name of the connector: "memory", "sql", "mongodb", "kv-redis", "rest", "soap", "remote", "mail", a package, a file.'))),
  url: text('Address of the database: sqlite:FILE, postgres://…, mysql://…, mongodb://…'),
  migrate: Type.Optional(Type.Union(['none', 'update', 'reset'].map(each => Type.Literal(each)), about('What becomes of the tables at start. Default: "update" on SQLite, else "none".'))),
  file: text('File of the rows ("memory", SQLite).'),
  localStorage: unread(text(''), 'Rows of "memory" are kept in a "file".', true),
  database: Anything('Name of the database.'),
  host: text('Host of the database.'),
  port: number('Port of the database.'),
  user: text('User of the database.'),
  username: text('User of the database.'),
  password: text('Password of the user.'),
  schema: text('PostgreSQL: schema of the tables.'),
  ssl: Anything('True for TLS, or options of Node\'s tls.connect.'),
  poolSize: number('Most connections at a time. Default: 10.'),
  connectionLimit: number('The same.'),
  max: number('The same.'),
  min: unread(number(''), 'Connections are opened when they are needed.'),
  connectionTimeout: number('Milliseconds to wait for a connection. Default: 5000.'),
  idleTimeout: number('Milliseconds after which an idle connection is closed. Default: 30000.'),
  statementTimeout: number('Milliseconds of one statement. Default: 30000.'),
  replicaSet: text('MongoDB: name of the replica set.'),
  replicas: Anything('Databases that answer reads in its place: URLs, or what is different of these settings.'),
  replicaRetry: number('Milliseconds for which a replica that failed is left out. Default: 5000.'),
  replicaWait: number('Milliseconds that who wrote waits for a replica. Default: 100.'),
  primaryAfterWrite: number('Milliseconds for which who wrote reads from the primary.'),
  rowSecurity: Anything('PostgreSQL: { "role": "…" }, the role of the database that callers of requests have.'),
  transactionTimeout: number('Milliseconds after which a forgotten transaction is rolled back. Default: 30000.'),
  adapter: text('Another application ("remote"): "rest", which is the default.'),
  forwardToken: flag('Another application: whether the token of the caller goes along. Default: false.'),
  transports: Anything('Mail: a list of transports.'),
  transport: Anything('Mail: one transport.'),
  provider: Anything('File storage: "filesystem", "amazon", "google", "azure", a package, a driver. Default: "filesystem".'),
  root: text('File storage: an existing folder, unless "createRoot"; a relative one is below the folder above "server".'),
  nameConflict: text('File storage: "makeUnique" gives stored files random names.'),
  allowedContentTypes: Anything('File storage: declared types that are taken. Default: all.'),
  maxFileSize: Anything('File storage: bytes of a file. Default: 10485760.'),
  acl: Anything('File storage: handed to the provider.'),
  maxFiles: number('File storage: files of a form. Default: 20.'),
  maxFields: number('File storage: text fields of a form. Default: 1000.'),
  maxFieldsSize: number('File storage: bytes of all text fields of a form. Default: 1048576.'),
  maxFieldNameSize: number('File storage: bytes of the name of a field. Default: 100.'),
  maxTotalSize: number('File storage: bytes of a form. Default: 104857600.'),
  maxConcurrentUploads: number('File storage: uploads at a time. Default: 20.'),
  maxUploadsPerClient: number('File storage: of them those of one user, or of one network without a token. Default: half of them.'),
  maxList: number('File storage: entries of a list without a limit. Default: 10000.'),
  uploadTimeout: number('File storage: milliseconds in which a byte of an upload must come. Default: 30000.'),
  downloadTimeout: number('File storage: milliseconds in which a byte of a download must go. Default: 30000.'),
  sniff: flag('File storage: the first bytes must fit the declared type.'),
  disposition: text('File storage: "auto", "attachment" or "inline". Default: "auto".'),
  createContainers: flag('File storage: an upload makes its container.'),
  allowDotNames: flag('File storage: names that begin with a dot are served.'),
  followLinks: flag('File storage: links below the root are followed.'),
  quota: Anything('File storage: bytes of a container, or "container" and "total".'),
  minFree: number('File storage: bytes of the disk that stay free.'),
  presign: flag('File storage: clients may ask for signed addresses.'),
  presignTtl: number('File storage: seconds that they are good for. Default: 300.'),
  presignSecret: text('File storage: what addresses are signed with where the provider signs none, 32 characters at least.'),
  presignBase: text('File storage: where clients reach the routes of the model, for addresses that code asks for.'),
  redirect: flag('File storage: downloads lead to signed addresses.'),
  createRoot: flag('File storage: the folder is made where it is not there.'),
  resumable: flag('File storage: uploads can be resumed (tus 1.0).'),
  resumableTtl: number('File storage: seconds that an upload which does not go on is kept. Default: 86400.'),
  maxResumable: number('File storage: uploads of a caller that have begun. Default: 100.'),
  maxResumablePerNetwork: number('File storage: the same of one network, of callers without a token. Default: 10.'),
  resumableIdle: number('File storage: seconds that an upload without a token which does not go on is kept. Default: 3600.'),
  containerOwner: Type.Optional(Type.Union(
    [Type.String(), Type.Object({ model: Type.String() })],
    about('File storage: "userId", a container belongs to the user whose id is its name; { "model": … }: of that user model; "principal": its name is "<model>-<id>".')
  )),
  keyId: text('File storage on S3: id of the key.'),
  key: text('File storage on S3: the secret key.'),
  region: text('File storage on S3: the region.'),
  endpoint: text('File storage: address of the store, where it is not the provider\'s own.'),
  projectId: text('File storage on Google: the project.'),
  keyFilename: text('File storage on Google: file with the key of a service account.'),
  credentials: Anything('File storage on Google: "client_email" and "private_key", instead of a file.'),
  storageAccount: text('File storage on Azure: the account.'),
  storageAccessKey: text('File storage on Azure: its key.'),
  connectionString: text('File storage on Azure: account and key in one.')
})

const fileSchemas: Readonly<Record<string, () => object>> = {
  'model-config': () => fileOf(
    'Models of the application: their data sources, and whether they are published.',
    { _meta: MetaVocabulary },
    ModelEntryVocabulary
  ),
  datasources: () => fileOf('Data sources of the application, by name.', {}, DataSourceVocabulary),
  middleware: () => fileOf('Middleware by phase.', {}, Type.Record(
    Type.String(), Type.Union([MiddlewareEntryVocabulary, Type.Array(MiddlewareEntryVocabulary)])
  )),
  'component-config': () => fileOf('Components by name, with their options; false switches one off.', {}, Type.Union([
    Type.Object({}), Type.Boolean(), Type.Null(), Type.String()
  ]))
}

/** The JSON Schemas of the configuration files, by the files' names without `.json`. */
export function configurationSchemas (): Record<string, object> {
  return Object.fromEntries(Object.entries(fileSchemas).map(([name, schema]) => [name, schema()]))
}

function fileOf (description: string, named: TObject['properties'], each: object): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    description,
    type: 'object',
    properties: { $schema: { type: 'string' }, ...named },
    additionalProperties: each
  }
}
