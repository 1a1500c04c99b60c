// What to do about the errors that beginners meet most, where their messages do not say it by themselves: on the wire
// they tell strangers as little as they may. A code that there is not stops the build.
export const cures = {
  AUTHORIZATION_REQUIRED: 'send a token, or allow it by a rule: `fastback acl explain MODEL METHOD` names the one that decides ([access rules](/guides/access-rules.md)).',
  ACCESS_DENIED: 'this user may not do it: `fastback acl explain MODEL METHOD --user ID` says why ([access rules](/guides/access-rules.md#ask-why)).',
  INVALID_TOKEN: 'log in again: the token has ended, or is none ([users](/guides/users.md)).',
  LOGIN_FAILED: 'check address and password. Which of them is wrong is told to nobody ([users](/guides/users.md)).',
  PATH_NOT_FOUND: '`fastback routes` lists the paths that there are; a model is there when it is public and has a data source ([models](/guides/models.md#when-it-does-not-work)).',
  MODEL_NOT_FOUND: 'there is no row with this id, or the caller may not know of it.',
  DUPLICATE_ID: 'a row with this id is there: leave the id out, or change that row with PATCH.',
  HIDDEN_PROPERTY_IN_QUERY: 'take the property out of the filter: what answers do not show cannot be asked about ([properties](/guides/properties.md#keep-it-inside)).',
  INVALID_INCLUDE: 'name a relation that the model has: the explorer lists them ([relations](/guides/relations.md)).',
  QUERY_LIMIT_EXCEEDED: 'ask for less, or raise the limit that the message names: `queryLimits` ([limits](/packages/core.md#limits-on-queries-from-outside)).',
  QUERY_TOO_EXPENSIVE: 'ask for fewer rows: a `limit`, also in the `scope` of an include ([filters](/guides/filters.md#order-pages-fields)).',
  VALIDATION_FAILED: 'each entry of `error.details` has the path, the code and what is allowed ([validation](/guides/validation.md)).',
  MALFORMED_JSON: 'the body is no JSON: names and texts stand in double quotes, and nothing follows the last brace.',
  FOREIGN_KEY: 'rows lead to this one: delete them first, or say `onDelete` ([relations](/guides/relations.md#when-a-row-goes)).',
  DATABASE_BUSY: 'try again; in transactions `retry: true` does it ([transactions](/guides/transactions.md)).',
  FBK_CORE_UNKNOWN_MODEL: 'define the model, or write its name as it is: the message has the nearest one. A definition must be loaded before somebody asks for the model.',
  FBK_CORE_UNKNOWN_BASE: 'define the base as well; `User` and its kin come with `@fastback/auth`.',
  FBK_CORE_INVALID_DEFINITION: 'the message has file, model and key: [what each wrong name and value gives](/internals/definition-keys.md).',
  FBK_CORE_UNKNOWN_CONNECTOR: 'install the package of the connector and give its factory, or one of the names in [models](/guides/models.md#which-data-source).',
  FBK_CORE_NOT_ATTACHED: 'give the model a data source: `models: { Note: { dataSource: "db" } }`, or `model-config.json` ([models](/guides/models.md)).',
  FBK_CORE_NO_TRANSACTIONS: 'use a store that has them: SQLite, PostgreSQL, MySQL, or MongoDB with a replica set ([transactions](/guides/transactions.md)).',
  FBK_REST_MISSING_REGISTRY: 'register `@fastback/core` in the same Fastify context, before `@fastback/rest` ([in TypeScript](/guides/start-typescript.md)).',
  FBK_REST_RULES_NOT_ENFORCED: 'register `@fastback/auth` and `@fastback/acl` before `@fastback/rest`, or call `app.enableAuth()` ([users](/guides/users.md)).',
  FBK_SQL_TABLE_MISSING: '`fastback migrate` makes the tables ([migrations](/guides/migrations.md)).',
  FBK_CLI_ADDRESS_IN_USE: 'another program has the port: end it, or `fastback serve --port 3001`.'
}
