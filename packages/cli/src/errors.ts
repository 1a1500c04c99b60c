/** Errors of the command line. `FBK_CLI_USAGE` ends the process with exit code 2, every other error with 1. */
import createError from '@fastify/error'

/** An unknown command or option, or a missing value: exit code 2. */
export const UsageError = createError('FBK_CLI_USAGE', '%s')
/** A name that npm does not allow. */
export const InvalidNameError = createError('FBK_CLI_INVALID_NAME', '"%s" cannot be the name of an application: %s')
export const FolderNotEmptyError = createError(
  'FBK_CLI_FOLDER_NOT_EMPTY',
  'The folder "%s" is not empty. Choose another name, or empty it first.'
)
export const UnknownTemplateError = createError('FBK_CLI_UNKNOWN_TEMPLATE', 'There is no template "%s". There are: %s.')
export const CancelledError = createError('FBK_CLI_CANCELLED', 'Cancelled; nothing was written.')
/** The package manager failed. The application is complete, unless it was to be made of a database's tables. */
export const InstallError = createError('FBK_CLI_INSTALL', '"%s" failed%s. %s')
export const AddressInUseError = createError(
  'FBK_CLI_ADDRESS_IN_USE',
  'Something else listens on port %s%s. Choose another one with --port.'
)
/** The address to listen on does not belong to this machine. */
export const HostError = createError(
  'FBK_CLI_HOST',
  'Nothing can listen on "%s" (%s): it is no address of this machine. %s says it; "127.0.0.1" is this machine alone, "0.0.0.0" are all its addresses.'
)
/** `types --check` found that the file is out of date. */
export const OutOfDateError = createError(
  'FBK_CLI_OUT_OF_DATE',
  'The file "%s" is not what the models say. Run "fastback types".'
)
/** `push settings` found settings from which no provider can be created. */
export const PushSettingsLeftError = createError('FBK_CLI_PUSH_SETTINGS', 'The push settings are not complete: %s.')
/** `migrate --rebuild` without `--yes`, and no terminal to ask for confirmation. */
export const ConfirmError = createError(
  'FBK_CLI_CONFIRM',
  'Rebuilding the tables of %s loses all their rows. Add --yes when that is meant.'
)
/** `migrate --dry-run` or `--check` found changes to make: exit code 2. */
export const MigrationNeededError = createError('FBK_CLI_MIGRATION_NEEDED', 'The tables are not what the models say: %s.')
/** `migrate --dry-run` or `--check` found differences that no migration changes: exit code 3. */
export const DifferencesLeftError = createError(
  'FBK_CLI_DIFFERENCES_LEFT',
  'The tables differ from the models: %s. This needs a decision.'
)
/** `--allow-drop` names a column that does not exist, or that belongs to a property. Nothing was changed. */
export const NotDroppableError = createError(
  'FBK_CLI_NOT_DROPPABLE',
  '"%s" is no column that could be dropped: those without a property are %s. Write "Table.column".'
)
/** `rekey` names a model that is not there, or that has no sealed properties. Nothing was changed. */
export const NotSealedError = createError('FBK_CLI_NOT_SEALED', 'The model "%s" %s. Models with sealed properties: %s.')
/** `rekey` left values as they were: they do not open, or their rows were being written. The report names them. */
export const RekeyLeftError = createError('FBK_CLI_REKEY_LEFT', '%s. These values are as they were.')
/** `rekey --dry-run` found values to seal: exit code 2. */
export const RekeyNeededError = createError('FBK_CLI_REKEY_NEEDED', '%s values are not sealed with the current key. Run "fastback rekey".')
/** `oauth2 rotate-keys` of an application without an OpenID Connect provider. */
export const NoSigningKeysError = createError(
  'FBK_CLI_NO_SIGNING_KEYS',
  'The application has no keys that sign: "@fastback/oauth2" with the option "openid" is not set up.'
)
/** A folder of migration files that cannot be used. */
export const MigrationFilesError = createError('FBK_CLI_MIGRATION_FILES', 'The file "%s" %s.')
/** `migrate --row-security` of a data source that has no policies: only PostgreSQL has. */
export const NoPoliciesError = createError(
  'FBK_CLI_NO_POLICIES',
  'The data source "%s" has no policies, and rules say which rows of "%s" callers get. Only PostgreSQL has policies: name the data sources that are meant with --data-source.'
)
/** `migrate --row-security`: policies cannot say all that rules say. Nothing was changed. */
export const UnsaidPoliciesError = createError(
  'FBK_CLI_UNSAID_POLICIES',
  'Policies cannot say all of the rules: %s. Change these rules, or leave the tables of these models without policies (--force).'
)
export const UnknownDataSourceError = createError(
  'FBK_CLI_UNKNOWN_DATA_SOURCE',
  'The application has no data source "%s". It has: %s.'
)
/** A module that cannot be imported, or whose function throws. */
export const ModuleError = createError('FBK_CLI_MODULE', 'The module "%s" gives no application: %s')
/** A TypeScript module, on a Node.js version that does not run TypeScript. */
export const TypeScriptError = createError(
  'FBK_CLI_TYPESCRIPT',
  'This Node.js does not run "%s". Use Node.js 22.18 or later with types that can be stripped, or a loader ' +
    '(NODE_OPTIONS="--import tsx" fastback …), or give the JavaScript that "%s" is compiled to.'
)
/** A module that exports no application. */
export const NoApplicationError = createError(
  'FBK_CLI_NO_APPLICATION',
  'The module "%s" must export an application, a promise of one or a function that makes one, as "default", "app", ' +
    '"build" or "createApp": %s.'
)
/** A Fastify instance without `@fastback/core`. */
export const NoRegistryError = createError(
  'FBK_CLI_NO_REGISTRY',
  'The application has no models: register @fastback/core in it, not in a context within it.'
)
/** `build` without the package that it bundles with. */
export const EsbuildMissingError = createError(
  'FBK_CLI_ESBUILD_MISSING',
  '"fastback build" needs the package esbuild: npm install --save-dev esbuild'
)
/** `audit` found something. */
export const FindingsError = createError('FBK_CLI_FINDINGS', '%s.')
/** A file that should be JSON, but is not. */
export const NotJsonError = createError('FBK_CLI_NOT_JSON', 'The file "%s" is not JSON that can be edited. Mend it first.')
/** A name that points outside the application's folder. */
export const OutsideFolderError = createError(
  'FBK_CLI_OUTSIDE_FOLDER',
  'The file "%s" is not in the folder of the application.'
)
/** A file that another program wrote while a command was running. */
export const ChangedMeanwhileError = createError(
  'FBK_CLI_CHANGED_MEANWHILE',
  'The file "%s" is not what it was when the command looked at it. Nothing was written; run it again.'
)
/** Files with uncommitted changes, which git could not restore. */
export const NotCleanError = createError(
  'FBK_CLI_NOT_CLEAN',
  'These files have changes that are not committed: %s. Commit them first, or add --allow-dirty.'
)
/** `undo`, but no previous state is stored. */
export const NothingToUndoError = createError(
  'FBK_CLI_NOTHING_TO_UNDO',
  'In "%s" no command has kept what was there before. Where git keeps the folder, use git.'
)
/** The application does not start with the changes; everything is as before. */
export const WrittenBrokenError = createError(
  'FBK_CLI_WRITTEN_BROKEN',
  'The application would not start with these changes, so nothing was written: %s'
)
/** It is not clear which data source is meant: there are several, or none. */
export const NoDataSourceError = createError(
  'FBK_CLI_NO_DATA_SOURCE',
  'Which data source? The folder has: %s. Name one: "fastback discover NAME".'
)
/** A folder without `model-config.json`. */
export const NoFolderError = createError(
  'FBK_CLI_NO_FOLDER',
  'The folder "%s" is no application folder: there is no server/model-config.json. "fastback new NAME" makes one.'
)
/** A command that edits application folders, in an application whose plugins are registered by code. */
export const CodeApplicationError = createError(
  'FBK_CLI_CODE_APPLICATION',
  'The application in "%s" is made in code: this command edits application folders. Write it into its source; ' +
  '"fastback add model" and "fastback discover" write models there.'
)
/** `introspect` found no samples. */
export const NoSamplesError = createError('FBK_CLI_NO_SAMPLES', 'There are no samples to make a model of. %s')
/** Samples that cannot be read. */
export const SamplesError = createError('FBK_CLI_SAMPLES', 'The samples cannot be read: %s.')
/** `new --database` with a URL of an unknown kind. */
export const DatabaseUrlError = createError(
  'FBK_CLI_DATABASE_URL',
  'The address of the database must begin with one of %s:, as in "postgres://localhost/shop" or "sqlite:shop.db".'
)
/** `add` names a model for which the folder has no file. */
export const UnknownModelError = createError(
  'FBK_CLI_UNKNOWN_MODEL',
  'The folder has no file of a model "%s". It has: %s.'
)
/** A model whose definition is a module: edit the module yourself. */
export const DefinedInCodeError = createError(
  'FBK_CLI_DEFINED_IN_CODE',
  'The model "%s" is defined in code, in %s. Write it there: commands edit definitions in JSON only.'
)
/** What `add` would write already exists, with different content. */
export const ExistsError = createError(
  'FBK_CLI_EXISTS',
  '%s is there already, and is not what would be written. Choose another name, or add --force to replace it.'
)
/** A folder without a readable recording. */
export const RecordingError = createError(
  'FBK_CLI_RECORDING',
  'The folder "%s" holds no recording: %s. "fastback record --target URL --out DIR" makes one.'
)
/** `record` into a folder that already has a recording. */
export const RecordingExistsError = createError(
  'FBK_CLI_RECORDING_EXISTS',
  'There is a recording in "%s" already. Name another folder with --out, or remove it first.'
)
/** An address that is not an HTTP URL. */
export const TargetError = createError('FBK_CLI_TARGET', '"%s" is no address of HTTP, such as http://localhost:3000.')
/** `compare`, but the other server does not respond. */
export const NoResponseError = createError('FBK_CLI_NO_ANSWER', '%s did not respond: %s. Is it running?')
/** A mark of `--ignore` that cannot be read. */
export const IgnoreError = createError(
  'FBK_CLI_IGNORE',
  'What should "%s" ignore? Write status, header:NAME, or body:$.a.b with [*], .* and ..name.'
)
/** `compare` found differences: exit code 3. */
export const DifferencesError = createError('FBK_CLI_DIFFERENCES', '%s of %s responses differ.')
/** `upgrade --check` found code that breaks: exit code 3. */
export const UpgradeLeftError = createError(
  'FBK_CLI_UPGRADE_LEFT',
  'With version 3, %s places break. "fastback upgrade --fix" repairs what it can; the list says what to do by hand.'
)
/** `--env-file` with a file that cannot be read. */
export const EnvFileError = createError('FBK_CLI_ENV_FILE', 'The file "%s" of --env-file cannot be read: %s.')
/** `serve --workers`: a worker ended before it served, or took too long to start. */
export const WorkerError = createError('FBK_CLI_WORKER', 'A worker %s.')
/** `serve --workers` with a store for only one process: rows in memory that are written to a file. */
export const OneProcessStoreError = createError(
  'FBK_CLI_ONE_PROCESS_STORE',
  'The data source "%s" keeps its rows in memory and writes them to a file: several workers would undo each other\'s ' +
    'changes. Serve it with one process, or move the rows to SQLite or a database server.'
)
/** `doctor` or `datasource test` found something: exit code 3. */
export const NotWellError = createError('FBK_CLI_NOT_WELL', 'Needs a look: %s.')
/** A file of `seed` that cannot be read, or a row that a model refuses. Stores with transactions are as before. */
export const SeedError = createError('FBK_CLI_SEED', '%s: %s.')
/** `seed` in production without `--force`. */
export const SeedInProductionError = createError(
  'FBK_CLI_SEED_PRODUCTION',
  'This is the environment "production". Add --force when its rows are meant.'
)
/** `import-api` with a file that is not a supported API description. */
export const ApiDescriptionError = createError('FBK_CLI_API_DESCRIPTION', 'The description of the API cannot be used: %s.')
/** `query` names a model without rows, or `--user` asks over REST, which has no list of it or reads no tokens. */
export const UnqueriedModelError = createError('FBK_CLI_NOT_ASKED', 'Rows of %s cannot be asked for: %s')
/** `mcp --user` of an application that reads no tokens. */
export const NoTokensError = createError(
  'FBK_CLI_NO_TOKENS',
  'The application reads no tokens (enableAuth(), @fastback/auth), so nobody is a user there. Leave --user out.'
)
/** `acl shadow` can read neither a log nor metrics there. */
export const NoTriedRulesError = createError('FBK_CLI_NO_TRIED_RULES', 'Nothing can be read of rules on trial from "%s": %s.')
