/**
 * Settings of the application where a folder does not say: what an application of LoopBack's relies on. Definitions may
 * have mistakes in them, and a row is replaced without asking the hooks of `access`.
 */
export const folderDefaults = { modelDefinitions: 'open', accessOnReplace: false } as const
