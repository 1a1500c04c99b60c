/**
 * Settings of the application where a folder does not say: what an application of LoopBack's relies on. Definitions may
 * have mistakes in them, a row is replaced without asking the hooks of `access`, and values for properties that clients
 * only read are left out.
 */
export const folderDefaults = {
  modelDefinitions: 'open',
  accessOnReplace: false,
  readOnlyProperties: 'ignore'
} as const
