/** Makes what code of applications gets of a promise of the core: one of the library that they lean on. */
export type CallersPromises = <T>(promise: Promise<T>) => Promise<T>
