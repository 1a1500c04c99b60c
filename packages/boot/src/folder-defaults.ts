/**
 * Settings of the application where a folder does not say: what an application of LoopBack's relies on. Definitions may
 * have mistakes in them, a row is replaced without asking the hooks of `access`, values for properties that clients
 * only read are left out, remote hooks and validations of a model are not those of the models that extend it, filters
 * may have keys that only code of the application knows, there are no conditions on related rows, no groups of rows and
 * no cursors, an include needs its key among the `fields`, a foreign key is of the type of what it points at, whatever
 * is declared, of a list that code creates the good rows are stored, hooks before a method may fill in arguments that
 * it requires, related rows within data are left out, formats of properties are not checked and their texts stored as
 * they come, rows are not patched by documents, and headers like `If-Match` do nothing. Of what is left alone the log
 * tells once.
 */
export const folderDefaults = {
  modelDefinitions: 'open',
  accessOnReplace: false,
  readOnlyProperties: 'ignore',
  inheritRemoteHooks: false,
  inheritValidations: false,
  unknownFilterKeys: 'ignore',
  relatedConditions: false,
  aggregates: false,
  cursors: false,
  includeBeyondFields: false,
  foreignKeyTypes: 'related',
  atomicCreate: false,
  argumentsFromHooks: true,
  nestedWrites: 'ignore',
  patchDocuments: false,
  propertyKeywords: 'ignore',
  unsupportedHeaders: 'ignore'
} as const
